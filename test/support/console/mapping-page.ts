// The page on which a person maps the fields of a webhook.
import { inlet } from './shared-console.ts';
import type { Visit, VisitOptions } from './console.ts';

/** Tall enough to show fields and targets together: a scrolling tree redraws its rows during a drag. */
export const tall = 1600;

export const payload = {
  event_id: 'm-1',
  cliente: {
    codigo: 'C-1',
    nome: 'Ana Souza',
    telefone: '(11) 90000-0001',
    recado_com: '(11) 90000-0002',
    correio: 'ana@example.com',
  },
  mensagem: 'Bom dia!',
  observacao: 'Ligar depois das 18h',
};

/** Visits the mapping of a new webhook that has one sample. */
export async function visitMapping(
  name: string,
  options: Omit<VisitOptions, 'path'>,
  story: (visit: Visit, webhookId: string) => Promise<void>,
): Promise<void> {
  const hook = await inlet.addWebhook(name);
  await inlet.deliver(hook.url, payload);
  await inlet.visit({ ...options, path: `/webhooks/${hook.id}/mapping` }, async (visit) => {
    await visit.waitFor('region', visit.textOf('mapping.targets'));
    await story(visit, hook.id);
  });
}

export const fieldOf = ({ page }: Visit, name: string) => page.getByRole('row', { name });

export function targetOf({ find, textOf }: Visit, group: string, target: string) {
  const where = find('region', textOf(`mapping.group.${group}`), {
    where: find('region', textOf('mapping.targets')),
  });
  return find('button', textOf(`mapping.target.${target}`), { where });
}

/** The announcement after the assignment. */
export async function isTaken(
  { page, textOf }: Visit,
  target: string,
  field: string,
): Promise<void> {
  const words = textOf('mapping.assigned', { target: textOf(`mapping.target.${target}`), field });
  await page.getByRole('status').filter({ hasText: words }).waitFor({ state: 'attached' });
}

export async function save(visit: Visit, webhookId: string) {
  const { textOf, page, pressButton } = visit;
  await pressButton(textOf('mapping.save'));
  const saved = textOf('mapping.savedHint', { version: 1 });
  await page.getByRole('status').filter({ hasText: saved }).waitFor();
  return (await inlet.get(`/v1/admin/webhooks/${webhookId}/mappings/1`)).mapping;
}
