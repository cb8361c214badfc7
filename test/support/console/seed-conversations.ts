// Agents, sectors, labels and a conversation of the seeded console.
import type { Scenario } from '../processes/scenario.ts';

/** Adds a team, and a chat that two agents answer. */
export async function seedConversations(
  { ask, post }: Pick<Scenario, 'ask' | 'post'>,
  chatId: string,
): Promise<void> {
  const bia = (await post('/v1/admin/agents', { name: 'Bia', lastName: 'Lima' })).id as string;
  const caio = (await post('/v1/admin/agents', { name: 'Caio', lastName: 'Prado' })).id as string;
  const sector = await post('/v1/sector', { name: 'Pós-venda', color: '#7c4dbd' });
  const label = await post('/v1/label-template', { label: 'Quente', color: '#d64545' });
  await ask('PATCH', `/v1/admin/agents/${bia}`, { body: { sectorIds: [sector.sector_id] } });
  const path = `/v1/chat/${chatId}`;
  const as = async (agentId: string, [method, to, body]: readonly [string, string, object]) => {
    const { status } = await ask(method, `${path}${to}`, {
      body,
      headers: { 'x-inlet-user-id': agentId },
    });
    if (status >= 300) throw new Error(`${method} ${path}${to} was answered ${status}.`);
  };
  await as(bia, ['PATCH', '/status', { status: 'in_chat' }]);
  await as(bia, ['PATCH', '/label', { label_template_ids: [label.label_template_id] }]);
  await as(bia, ['POST', '', { type: 'text', message: 'Bom dia! Em que posso ajudar?' }]);
  await as(bia, [
    'POST',
    '/transfer',
    { user_id: caio, annotation: 'Pede desconto de 10 %', keep_in_chat: true },
  ]);
}
