// Resends of an event, and the differences of their bodies, over HTTP.
import { newId } from '../../../src/base/ids.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi('http_event_deliveries');
});
afterAll(() => api.close());

const deliveriesOf = async (id: string, query = '') =>
  (await api.ask('GET', `/v1/admin/events/${id}/deliveries${query}`)).body.data;
const copies = () => api.connection.collection('resends');

test('each resend is listed, and one with another body is compared with the event’s, secrets masked', async () => {
  const webhook = await api.addWebhook();
  const first = { id: 'e1', lead: { id: 'L1', name: 'Ana' }, password: 'hush', tags: ['a'] };
  const id = await api.send(webhook, first);
  await api.send(webhook, first);
  await api.send(webhook, {
    ...first,
    lead: { id: 'L1', name: 'Bia', city: 'Recife' },
    password: 'secret',
    tags: [],
  });
  const { pagings, results } = await deliveriesOf(id);
  expect(pagings).toMatchObject({ total: 3, count: 3 });
  expect(results).toMatchObject([
    {
      number: 3,
      sameBody: false,
      revived: false,
      changes: [
        { path: '/lead/name', kind: 'changed', before: 'Ana', after: 'Bia' },
        { path: '/lead/city', kind: 'added', before: null, after: 'Recife' },
        { path: '/password', kind: 'changed', before: '***', after: '***' },
        { path: '/tags/0', kind: 'removed', before: 'a', after: null },
      ],
    },
    { number: 2, sameBody: true, changes: null },
    { number: 1, sameBody: true, revived: false, changes: null },
  ]);
  const second = await deliveriesOf(id, '?per_page=1&sort_by=number&current_page=2');
  expect(second.results).toMatchObject([{ number: 2 }]);
  expect(JSON.stringify(results)).not.toMatch(/hush|secret"/);
});

test('the last five other bodies are kept, none twice, and no large one', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'e2', n: 0 });
  for (const n of [1, 2, 3, 4, 5, 6, 3, 3]) await api.send(webhook, { id: 'e2', n });
  expect(await copies().countDocuments({ eventId: id })).toBe(5);
  const changed = (await deliveriesOf(id)).results.map(
    ({ changes }: { changes: { after: unknown }[] | null }) => changes?.[0]?.after ?? null,
  );
  expect(changed).toEqual([3, 3, 6, 5, 4, 3, 2, null, null]);

  await api.send(webhook, { id: 'e2', large: 'x'.repeat(300_000) });
  const [large] = (await deliveriesOf(id)).results;
  expect(large).toMatchObject({ sameBody: false, changes: null });
  expect(await copies().countDocuments({ eventId: id })).toBe(4);
});

test('a body that a revival replaced is still listed and compared', async () => {
  const webhook = await api.addWebhook({
    ...leadMapping,
    contact: { phone: { path: 'phone', required: true } },
  });
  const id = await api.send(webhook, { id: 'e3', phone: '' });
  await api.processEvents([id]);
  await api.send(webhook, { id: 'e3', phone: '+5511999990001' });
  const { results } = await deliveriesOf(id);
  expect(results).toMatchObject([
    { number: 2, sameBody: true, revived: true, changes: null },
    {
      number: 1,
      sameBody: false,
      changes: [{ path: '/phone', before: '+5511999990001', after: '' }],
    },
  ]);
  const first = await api.send(webhook, { id: 'e3', phone: '' });
  expect(first).toBe(id);
  expect((await deliveriesOf(id)).results[0]).toMatchObject({ number: 3, sameBody: false });
});

test('items of a resent body are compared as items', async () => {
  const webhook = await api.addWebhook({ ...leadMapping, split: 'leads', eventId: { path: 'id' } });
  const parent = (name: string) => ({ leads: [{ id: 'i1', lead: { id: 'L1', name } }] });
  await api.processEvents([await api.send(webhook, parent('Ana'))]);
  await api.processEvents([await api.send(webhook, parent('Bia'))]);
  const [item] = (await api.ask('GET', `/v1/admin/events?webhookId=${webhook._id}`)).body.data
    .results;
  const [again] = (await deliveriesOf(item.id)).results;
  expect(again).toMatchObject({
    number: 2,
    changes: [{ path: '/lead/name', before: 'Ana', after: 'Bia' }],
  });
});

test('only the last fifty are stored, and all are counted', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'e4' });
  await Promise.all(Array.from({ length: 54 }, () => api.send(webhook, { id: 'e4' })));
  const { results } = await deliveriesOf(id, '?per_page=200');
  const numbers = results.map(({ number }: { number: number }) => number);
  expect(numbers).toEqual([...Array.from({ length: 50 }, (_, n) => 55 - n), 1]);
  expect((await api.stores.events.get(id))?.deliveries).toBe(55);
});

test('a copy that cannot be stored does not fail the request', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'e5', n: 0 });
  const command = { collMod: 'resends', validator: { never: true }, validationAction: 'error' };
  await api.connection.getClient().db(api.connection.name).command(command);
  expect(await api.send(webhook, { id: 'e5', n: 1 })).toBe(id);
  await api.connection
    .getClient()
    .db(api.connection.name)
    .command({ collMod: 'resends', validator: {} });
  expect((await deliveriesOf(id)).results[0]).toMatchObject({ sameBody: false, changes: null });
});

test('an unknown event has no deliveries', async () => {
  const answer = await api.ask('GET', `/v1/admin/events/${newId()}/deliveries`);
  expect(answer.body.data.code).toBe('not_found');
});
