// Payloads are rendered as text everywhere and do not break the page: markup in names and values, a megabyte in
// one value, five thousand fields, the maximum depth.
import { maxDepth } from '../../../../../src/producers/decode/bounds.ts';
import type { Visit } from '../../../../support/console/console.ts';
import { waitUntilStable } from '../../../../support/console/accessibility.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

const markup = `<img src="/nowhere.png" onerror="window.ran=1">`;
const script = `</script><script>window.ran=1</script>`;
const person = { id: 'P-1', [markup]: script, name: `Ana ${markup}`, phone: '(11) 90000-0001' };

const nested = (depth: number): unknown => (depth === 0 ? markup : { in: nested(depth - 1) });
const payloads: Readonly<Record<string, object>> = {
  'a megabyte': { id: 'h-1', person, text: `${markup}${'x'.repeat(1_000_000)}` },
  'five thousand fields': {
    id: 'h-2',
    person,
    text: markup,
    fields: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field ${n}`, markup])),
  },
  'as many levels as are taken': { id: 'h-3', person, text: script, deep: nested(maxDepth - 4) },
};

const mapping = {
  eventId: { path: 'id' },
  contact: { externalId: { path: 'person.id' }, name: { path: 'person.name' } },
  message: { text: { path: 'text' } },
  context: { origin: { path: 'person.name' } },
};

/** No script ran, no markup was created, and the page still responds. */
async function isText({ page, textOf, find }: Visit): Promise<void> {
  await waitUntilStable(page);
  expect(await page.evaluate('window.ran')).toBeUndefined();
  const main = find('main', /^/);
  expect(await main.getByRole('img', { name: 'nowhere' }).count()).toBe(0);
  expect(await page.evaluate(`document.images.length`)).toBeLessThanOrEqual(1);
  await find('link', textOf('shell.overview')).focus();
}

test('two hundred levels are rejected before they are stored', async () => {
  const hook = await inlet.addWebhook('Deep');
  expect((await inlet.deliver(hook.url, nested(200))).status).toBe(400);
});

test.each(Object.entries(payloads))('%s is shown as text', async (name, payload) => {
  const hook = await inlet.addWebhook(`${name} ${markup}`);
  const before = await inlet.deliver(hook.url, payload);
  expect([before.status, before.data.mode]).toEqual([200, 'sample']);
  const path = `/webhooks/${hook.id}`;
  await inlet.post(`/v1/admin${path}/mappings`, { mapping });
  await inlet.post(`/v1/admin${path}/activate`);
  const { data } = await inlet.deliver(hook.url, payload);
  const event = await inlet.settled(data.eventId ?? '');
  const [sample] = (await inlet.list(`/v1/admin${path}/samples`)).results;
  const made = event.effects;
  const places = [
    `${path}/samples?sample=${sample.id}`,
    `${path}/mapping`,
    `${path}/drift`,
    `${path}/setup?step=review`,
    `/events/${event.id}`,
    ...(made ? [`/contacts/${made.contactId}`] : []),
    ...(made ? [`/inbox?chat=${made.chatId}`] : []),
    '/audit',
  ];
  // The server's size limit of a preview is expected here.
  const refusals = [/POST .*\/(?:preview|suggest)$/];
  await inlet.visit({ path: '/webhooks', refusals }, async (visit) => {
    await isText(visit);
    for (const place of places) {
      await visit.go(place);
      await isText(visit);
    }
    // The tree handles the keyboard: from the first row to the last and back.
    await visit.go(`/events/${event.id}`);
    const tree = visit.page.getByRole('tree').first();
    await tree.getByRole('treeitem').first().waitFor();
    await tree.focus();
    await visit.key('End');
    await visit.key('Home');
    await isText(visit);
  });
});
