// From a dead letter to the count of what a replay made of it: the answers that the console's repair shows, over HTTP.
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_repair');
});
beforeEach(() => api.clear());
afterAll(() => api.close());

const phone = (n: number) => `+55 11 90000-00${String(n).padStart(2, '0')}`;
const before = (n: number) => ({
  id: `old-${n}`,
  lead: { id: `p${n}`, name: `Person ${n}`, phone: phone(n) },
  text: `Message ${n}`,
});
/** The sender has put the fields into another object, and renamed some. */
const after = (n: number) => ({
  event_id: `new-${n}`,
  data: {
    lead: { lead_id: `p${n}`, name: `Person ${n}`, telefone: phone(n) },
    message: `Message ${n}`,
  },
});

async function process(webhook: Parameters<TestApi['send']>[0], bodies: readonly object[]) {
  const ids: string[] = [];
  for (const body of bodies) ids.push(await api.send(webhook, body));
  await api.processEvents(ids);
  return ids;
}

test('a failed event is repaired from the last one that worked, replayed, and counted', async () => {
  const webhook = await api.addWebhook(leadMapping);
  const path = `/v1/admin/webhooks/${webhook._id}/mappings`;
  const [worked] = await process(webhook, [before(1)]);
  const failed = await process(webhook, [after(2), after(3), after(4)]);
  const { status, body } = await api.ask('POST', `${path}/repair`, {
    body: { eventId: failed[2] },
  });
  expect(status).toBe(200);
  const { mapping, replacements, ...rest } = body.data;
  expect(rest).toMatchObject({ version: 1, workedEventId: worked, unresolved: [] });
  expect(rest.gone).toContain('lead.phone');
  expect(rest.added).toContain('data.lead.telefone');
  const paths = replacements.map(({ from, path: to }: Record<string, string>) => [from, to]);
  expect(Object.fromEntries(paths)).toMatchObject({
    'lead.id': 'data.lead.lead_id',
    'lead.name': 'data.lead.name',
    'lead.phone': 'data.lead.telefone',
    text: 'data.message',
  });
  const diff = await api.ask('POST', `${path}/diff`, { body: { mapping } });
  expect(diff.body.data.counts).toMatchObject({ newlyPassing: 3, newlyFailing: 0 });
  expect((await api.ask('POST', path, { body: { mapping } })).status).toBe(201);
  expect((await api.ask('POST', `${path}/2/activate`)).status).toBe(200);
  const filter = { webhookId: webhook._id, state: 'dead' };
  const run = await api.ask('POST', '/v1/admin/events/replay', { body: { filter } });
  const outcome = async () =>
    (await api.ask('GET', `/v1/admin/replays/${run.body.data.id}/outcome`)).body.data;
  expect(await outcome()).toEqual({ count: 0, exact: true, byState: [], byReason: [] });
  const runs = api.newRuns();
  await runs.tick();
  await runs.close();
  expect(await outcome()).toMatchObject({ count: 3, byState: [{ state: 'received', count: 3 }] });
  await api.processEvents(failed);
  expect(await outcome()).toEqual({
    count: 3,
    exact: true,
    byState: [{ state: 'done', count: 3 }],
    byReason: [{ reason: null, count: 3 }],
  });
});

test('of several kinds of events, the most similar one that worked is compared', async () => {
  const webhook = await api.addWebhook(leadMapping);
  const [similar] = await process(webhook, [before(1)]);
  await process(webhook, [{ id: 'x', type: 'contact.merged', lead: { id: 'p1' }, merged: [1, 2] }]);
  const { lead, ...others } = before(2);
  const [failed] = await process(webhook, [{ ...others, person: { ...lead } }]);
  const { body } = await api.ask('POST', `/v1/admin/webhooks/${webhook._id}/mappings/repair`, {
    body: { eventId: failed },
  });
  expect(body.data.workedEventId).toBe(similar);
});

test('an item of a split body is compared by its body', async () => {
  const webhook = await api.addWebhook({ ...leadMapping, split: 'leads' });
  const [first] = await process(webhook, [{ leads: [before(1)] }]);
  const done = await api.stores.events.findUnfinishedItems([first ?? '']);
  await api.processEvents(done.map(({ _id }) => _id));
  const { lead, ...others } = before(2);
  const [batch] = await process(webhook, [{ leads: [{ ...others, person: lead }] }]);
  const items = await api.stores.events.findUnfinishedItems([batch ?? '']);
  const { status, body } = await api.ask(
    'POST',
    `/v1/admin/webhooks/${webhook._id}/mappings/repair`,
    {
      body: { eventId: items[0]?._id },
    },
  );
  expect(status).toBe(200);
  const found = body.data.replacements.find(({ from }: { from: string }) => from === 'lead.phone');
  expect(found).toMatchObject({ path: 'person.phone' });
});

test('an event of another webhook, one without a body and an unknown version are refused', async () => {
  const webhook = await api.addWebhook(leadMapping);
  const other = await api.addWebhook(leadMapping);
  const [own] = await process(webhook, [after(1)]);
  const [foreign] = await process(other, [after(1)]);
  const ask = (body: object) =>
    api.ask('POST', `/v1/admin/webhooks/${webhook._id}/mappings/repair`, { body });
  expect((await ask({ eventId: foreign })).status).toBe(422);
  expect((await ask({ eventId: own, version: 7 })).status).toBe(422);
  expect((await ask({})).status).toBe(422);
});
