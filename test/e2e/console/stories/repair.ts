// From the alert on the overview to "12 done, 0 failed" in five clicks, with nothing typed, whatever the sender changed; and what
// fails again is named.
import type { Visit } from '../../../support/console/console.ts';
import { inlet } from '../../../support/console/shared-console.ts';

const failing = 12;

const mapping = {
  eventId: { path: 'event_id' },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name' },
    phone: { path: 'lead.phone', transforms: ['phone'], required: true },
    email: { path: 'lead.email' },
  },
  message: { text: { path: 'message' } },
};

const person = (n: number) => ({
  id: `p-${n}`,
  name: `Ana ${'abcdefghijklmnop'[n]} Souza`,
  phone: `+55 11 90000-01${String(n).padStart(2, '0')}`,
  email: `ana${n}@example.com`,
});
const event = (n: number) => ({
  event_id: `e-${n}`,
  lead: person(n),
  message: `I want number ${n}.`,
});

/** Unit tests of the repair have more of them. */
const changes: readonly (readonly [string, (n: number) => object])[] = [
  [
    'renamed fields',
    (n) => {
      const { id, name, phone, email } = person(n);
      const lead = { lead_id: id, full_name: name, whatsapp: phone, e_mail: email };
      return { event_id: `e-${n}`, lead, text: `I want number ${n}.` };
    },
  ],
  ['a new wrapper', (n) => ({ version: 2, payload: event(n) })],
];

/** Two events that work, and twelve that fail, and nothing else. */
async function breakSender(after: (n: number) => object) {
  await inlet.empty();
  const hook = await inlet.addWebhook('Leads', mapping);
  for (const n of [0, 1]) expect((await inlet.lead(hook.url, event(n))).state).toBe('done');
  const numbers = Array.from({ length: failing }, (_, n) => 2 + n);
  const ended = await inlet.leads(hook.url, numbers.map(after));
  expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['dead']));
  const ids = ended.map(({ id }) => String(id));
  return { hook, ids };
}

/** Opens the overview, and goes from its alert to the last button. */
async function repair({ textOf, page, follow, press, pressButton, waitFor }: Visit) {
  const alert = page.getByRole('link', { name: /reasons and actions/ });
  await alert.waitFor();
  await press(alert);
  await follow(textOf('dead.fixMapping'));
  const note = await waitFor('region', textOf('repair.title'));
  await press(note.getByRole('button', { name: /^Accept \d+ suggestion/ }));
  await note
    .getByRole('status')
    .filter({ hasText: /accepted$/ })
    .waitFor();
  await pressButton(textOf('repair.saveAndActivate'));
  const dialog = await waitFor('dialog', textOf('versions.activateTitle', { version: 2 }));
  await dialog
    .getByRole('listitem')
    .filter({ hasText: textOf('repair.impact.passing', { count: failing }) })
    .waitFor();
  await dialog
    .getByRole('listitem')
    .filter({ hasText: textOf('repair.impact.failing', { count: 0 }) })
    .waitFor();
  await pressButton(textOf('repair.activateAndReplay', { count: failing }), dialog);
  return waitFor('dialog', textOf('versions.activated', { version: 2 }));
}

test.each(changes)('%s are repaired in five clicks, with nothing typed', async (_, after) => {
  const { hook, ids } = await breakSender(after);
  await inlet.visit({}, async (visit) => {
    const signedIn = { ...visit.count };
    const dialog = await repair(visit);
    const outcome = visit.textOf('repair.outcome', { done: failing, failed: 0 });
    await dialog.getByRole('status').filter({ hasText: outcome }).waitFor();
    expect(visit.count.clicks - signedIn.clicks).toBeLessThanOrEqual(5);
    expect([visit.count.keys, visit.count.pastes]).toEqual([signedIn.keys, signedIn.pastes]);
  });
  for (const id of ids) expect((await inlet.get(`/v1/admin/events/${id}`)).state).toBe('done');
  // Senders that did not change yet still work.
  expect((await inlet.lead(hook.url, event(15))).state).toBe('done');
  const { results } = await inlet.list(
    `/v1/admin/contacts?phone=${encodeURIComponent('+5511900000105')}`,
  );
  expect(results).toMatchObject([{ name: person(5).name, email: 'ana5@example.com' }]);
});

test('what fails again is counted and named, and the navigation shows how many are left', async () => {
  const { hook } = await breakSender(changes[0]?.[1] ?? event);
  const { phone: _, ...rest } = person(14);
  const broken = { event_id: 'e-14', lead: { lead_id: rest.id, full_name: rest.name } };
  const { data } = await inlet.deliver(hook.url, broken);
  await inlet.settled(data.eventId ?? '', ['dead']);
  await inlet.visit({}, async (visit) => {
    const { textOf, page, find, follow, press, pressButton, waitFor } = visit;
    const places = find('navigation', textOf('shell.places'));
    await follow(new RegExp(textOf('shell.failedCount', { count: failing + 1 })), places);
    await page.goto(`/webhooks/${hook.id}/mapping?event=${await exampleOf(hook.id)}`);
    const note = await waitFor('region', textOf('repair.title'));
    await press(note.getByRole('button', { name: /^Accept/ }));
    await pressButton(textOf('repair.saveAndActivate'));
    const asked = await waitFor('dialog', textOf('versions.activateTitle', { version: 2 }));
    await pressButton(textOf('repair.activateAndReplay', { count: failing + 1 }), asked);
    const dialog = await waitFor('dialog', textOf('versions.activated', { version: 2 }));
    const outcome = textOf('repair.outcome', { done: failing, failed: 1 });
    await dialog.getByRole('status').filter({ hasText: outcome }).waitFor();
    await follow(textOf('repair.toFailed', { count: 1 }), dialog);
    await waitFor('heading', textOf('dead.title'));
    const one = new RegExp(textOf('shell.failedCount', { count: 1 }));
    await find('link', one, { where: places }).waitFor();
  });
});

test('while events fail, the overview says how many more, and drift is not reported as fine', async () => {
  const { hook } = await breakSender(changes[0]?.[1] ?? event);
  await inlet.visit({}, async ({ find, open, textOf, waitFor }) => {
    const notices = find('status', textOf('overview.notices'));
    // The counts of the test before may still be written.
    await notices.filter({ hasText: /1\d in the last hour, none in the hour before/ }).waitFor();
    await open(`/webhooks/${hook.id}/drift`);
    const card = await waitFor('region', textOf('drift.warnings', { count: 0 }));
    await card.filter({ hasText: '12 events have failed.' }).waitFor();
    await find('link', 'Compare the failed events', { where: card }).waitFor();
  });
});

/** The newest failed event that has a phone. */
async function exampleOf(webhookId: string): Promise<string> {
  const { results } = await inlet.list(`/v1/admin/events?webhookId=${webhookId}&state=dead`);
  const [, second] = results as { id: string }[];
  return second?.id ?? '';
}
