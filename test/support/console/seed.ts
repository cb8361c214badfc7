// Seeds an Inlet with two days of data: producers in every state, contacts, and open tasks. Everything is
// created through the API; only times are moved into the past, and counts are rebuilt.
import { seedConversations } from './seed-conversations.ts';
import { backdateEvents, processInOrder, rebuildCounts } from './seed-history.ts';
import {
  conflictingEvent,
  setupProducers,
  type Channels,
  type Producer,
} from './seed-producers.ts';
import { waitForValue } from '../processes/client.ts';
import type { Scenario } from '../processes/scenario.ts';
import { personOf } from '../fixtures/people.ts';
import type { Seeded } from './screens.ts';

/** The scenario must have no worker yet: the seed starts it after moving the times. */
export async function seedConsole(scenario: Scenario): Promise<Seeded> {
  const channels = await addChannels(scenario);
  const producers = await setupProducers(scenario, channels);
  const { deals, shop, site } = producers;
  await Promise.all([deals, shop, site].map(sendAll));
  await backdateEvents(scenario);
  await processInOrder(scenario, shop.id);
  await waitForValue('everything has ended', async () => {
    const open = await scenario.list('/v1/admin/events?state=received,processing,waiting');
    return open.pagings.total === 0 ? true : undefined;
  });
  await rebuildCounts(scenario);
  await makeManualChanges(scenario, deals, channels.sales);
  const first = async (path: string) => (await scenario.list(path)).results[0];
  const event = await first(`/v1/admin/events?webhookId=${deals.id}&state=done`);
  const dead = await first(`/v1/admin/events?webhookId=${site.id}&state=dead`);
  const { effects } = await scenario.get(`/v1/admin/events/${event.id}`);
  await seedConversations(scenario, effects.chatId);
  return {
    webhook: deals.id,
    drifting: shop.id,
    failing: site.id,
    sampled: producers.sampled,
    draft: producers.draft,
    event: event.id,
    deadEvent: dead.id,
    contact: effects.contactId,
    chat: effects.chatId,
    channel: channels.sales,
  };
}

/** Drift samples a part of simultaneous events, and writes every few seconds. */
export const waitForDrift = (scenario: Scenario, { drifting }: Seeded): Promise<true> =>
  waitForValue('it is noticed that the shop sends something else', async () => {
    const { warnings } = await scenario.get(`/v1/admin/webhooks/${drifting}/drift`);
    return warnings.length > 0 ? true : undefined;
  });

async function addChannels({ post }: Scenario): Promise<Channels> {
  const add = async (name: string, kind: string, settings: object): Promise<string> =>
    (await post('/v1/admin/channels', { name, kind, settings })).id;
  return {
    front: await add('Recepção', 'inbox', { region: 'BR' }),
    sales: await add('Vendas', 'inbox', { region: 'BR' }),
    partner: await add('Parceiros', 'http', { url: 'https://crm.example.com/inlet' }),
  };
}

/** Ten at a time, to keep about their order. Some are sent twice. */
async function sendAll({ send, count }: Producer): Promise<void> {
  for (let from = 0; from < count; from += 10) {
    const some = Array.from({ length: Math.min(10, count - from) }, (_, at) => from + at);
    await Promise.all(some.map(send));
    await Promise.all(some.filter((n) => n % 17 === 3).map(send));
  }
}

/** Rotates a key, merges two contacts, erases one, and creates tokens. */
async function makeManualChanges(
  scenario: Scenario,
  { id, send }: Producer,
  channelId: string,
): Promise<void> {
  const { post, list, settled } = scenario;
  await post(`/v1/admin/webhooks/${id}/keys/rotate`, { overlapHours: 24 });
  await send(0);
  // After both contacts exist; in any other order they would be one.
  await settled((await send(conflictingEvent)) ?? '');
  const contactOf = async (n: number): Promise<string> => {
    const query = new URLSearchParams({ channelId, email: personOf(n).email });
    return (await list(`/v1/admin/contacts?${query.toString()}`)).results[0].id;
  };
  const [stays, goes, forgotten] = [await contactOf(30), await contactOf(31), await contactOf(34)];
  await post(`/v1/admin/contacts/${stays}/merge`, { contactId: goes });
  await post(`/v1/admin/contacts/${forgotten}/erase`, { block: true, reason: 'Pedido 17 (LGPD)' });
  await post('/v1/admin/tokens', {
    name: 'Painel de vendas',
    scopes: ['viewer'],
    webhookIds: [id],
  });
  await post('/v1/admin/tokens', {
    name: 'Integrações (Bea)',
    scopes: ['operator', 'inbox'],
    expiresAt: new Date(Date.now() + 20 * 86_400_000).toISOString(),
  });
}
