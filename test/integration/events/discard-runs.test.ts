// Discards of many events over HTTP: preview, limits, cancellation, audit.
import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { getWebhook } from '../../../src/store/webhooks/webhooks.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_discards');
});
beforeEach(() => api.clear());
afterAll(() => api.close());

const path = '/v1/admin/events/discard';

/** A webhook with the given numbers of events: dead, done and unprocessed. */
async function withEvents(n: number) {
  const webhook = await api.addWebhook();
  const send = (over: (at: number) => object) =>
    Promise.all(Array.from({ length: n }, (_, at) => api.send(webhook, over(at))));
  const dead = await send((at) => ({ id: `dead${at}` }));
  const done = await send((at) => ({ id: `done${at}`, lead: { id: `L${at}` } }));
  await api.processEvents([...dead, ...done]);
  const open = await send((at) => ({ id: `open${at}` }));
  return { id: webhook._id, dead, done, open };
}

async function tick(times: number, over: Parameters<typeof api.newRuns>[0] = {}) {
  const ticker = api.newRuns(over);
  for (let n = 0; n < times; n += 1) {
    await api.connection.collection('runs').updateMany({}, { $set: { nextAt: new Date(0) } });
    await ticker.tick();
  }
  await ticker.close();
}

const statesOf = async (ids: readonly string[]) =>
  (await api.stores.events.getMany(ids)).map(({ state }) => state);
const runOf = async (id: string) => (await api.ask('GET', `/v1/admin/replays/${id}`)).body.data;

test('a preview counts the events that would be discarded, and changes nothing', async () => {
  const { id, dead, open } = await withEvents(2);
  const preview = await api.ask('POST', path, {
    body: { filter: { webhookId: id }, preview: true },
  });
  expect(preview.status).toBe(200);
  expect(preview.body.data).toMatchObject({ count: 4, exact: true });
  expect(preview.body.data.byState).toEqual(
    expect.arrayContaining([
      { state: 'dead', count: 2 },
      { state: 'received', count: 2 },
    ]),
  );
  expect(await statesOf([...dead, ...open])).toEqual(['dead', 'dead', 'received', 'received']);
});

test('events are discarded by filter, except those in other final states and later ones', async () => {
  const { id, dead, done, open } = await withEvents(3);
  const operator = await api.addToken(['operator']);
  const begun = await api.ask('POST', path, {
    token: operator,
    body: { filter: { webhookId: id }, perSecond: 4 },
  });
  expect(begun.status).toBe(201);
  expect(begun.body.data).toMatchObject({ kind: 'discard', state: 'running', total: 6 });
  const later = await api.send((await getWebhook(api.stores, id)) as never, { id: 'later' });
  await tick(5);
  expect(await runOf(begun.body.data.id)).toMatchObject({
    state: 'done',
    discarded: 6,
    replayed: 0,
    skipped: 0,
  });
  expect(new Set(await statesOf([...dead, ...open]))).toEqual(new Set(['discarded']));
  expect(new Set(await statesOf([...done]))).toEqual(new Set(['done']));
  expect(await statesOf([later])).toEqual(['received']);
  const rows = await auditRows(api, { targetId: begun.body.data.id });
  expect(rows).toMatchObject([{ action: 'discard.create', actor: { name: 'operator' } }]);
  const { values } = await api.metrics.processed.get();
  const discarded = values.filter(({ labels }) => labels.outcome === 'discarded');
  expect(discarded).toMatchObject([{ value: 6 }]);
});

test('an interrupted discard is continued by another process, and counted once', async () => {
  const { id } = await withEvents(2);
  const begun = await api.ask('POST', path, { body: { filter: { webhookId: id, state: 'dead' } } });
  const { stores } = api;
  const dying = api.newRuns({
    runs: { ...stores.runs, advance: () => Promise.reject(new Error('died')) },
  });
  await dying.tick();
  await dying.close();
  await tick(3);
  expect(await runOf(begun.body.data.id)).toMatchObject({ state: 'done', discarded: 2 });
});

test.each([
  ['a resend', (webhook: Webhook) => api.send(webhook, { id: 'd1', lead: { id: 'L' } })],
  [
    'a person',
    (_webhook: Webhook, id: string) => api.ask('POST', `/v1/admin/events/${id}/replay`, {}),
  ],
])('events that %s revives before their turn are skipped', async (_who, revive) => {
  const webhook = await api.addWebhook();
  const ids = [await api.send(webhook, { id: 'd1' }), await api.send(webhook, { id: 'd2' })];
  await api.processEvents(ids);
  const body = { filter: { webhookId: webhook._id } };
  const begun = await api.ask('POST', path, { body });
  const { events } = api.stores;
  const discardMany: typeof events.discardMany = async (discards) => {
    await pause(2);
    await revive(webhook, ids[0] ?? '');
    return events.discardMany(discards);
  };
  await tick(2, { events: { ...events, discardMany } });
  expect(await statesOf(ids)).toEqual(['received', 'discarded']);
  expect(await runOf(begun.body.data.id)).toMatchObject({ discarded: 1, skipped: 1 });
});

test('events that have left the states of a run are skipped', async () => {
  const webhook = await api.addWebhook();
  const id = await api.send(webhook, { id: 'd1' });
  await api.ask('POST', path, { body: { filter: { webhookId: webhook._id, state: 'received' } } });
  const { events } = api.stores;
  const discardMany: typeof events.discardMany = async (discards) => {
    await api.processEvents([id]);
    return events.discardMany(discards);
  };
  await tick(1, { events: { ...events, discardMany } });
  expect(await statesOf([id])).toEqual(['dead']);
});

test('events that a run discards are counted in the webhook’s statistics', async () => {
  const { id } = await withEvents(2);
  await api.ask('POST', path, { body: { filter: { webhookId: id } } });
  await tick(2);
  await api.counter.flush();
  const { data } = (await api.ask('GET', `/v1/admin/stats?webhookId=${id}`)).body;
  expect(data.totals.discarded).toBe(4);
});

test('a discard is cancelled, and events that it has discarded stay discarded', async () => {
  const { id, dead } = await withEvents(3);
  const { data } = (
    await api.ask('POST', path, {
      body: { filter: { webhookId: id, state: 'dead' }, perSecond: 2 },
    })
  ).body;
  await tick(1);
  const stopped = await api.ask('POST', `/v1/admin/replays/${data.id}/cancel`);
  expect(stopped.body.data).toMatchObject({ state: 'cancelled', discarded: 1 });
  await tick(2);
  expect((await statesOf(dead)).filter((state) => state === 'discarded')).toHaveLength(1);
  const again = await api.ask('POST', `/v1/admin/replays/${data.id}/cancel`);
  expect(again.body.data).toMatchObject({ code: 'invalid_transition', state: 'cancelled' });
});

test('an event is discarded while a worker processes it', async () => {
  const webhook = await api.addWebhook();
  const eventId = await api.send(webhook, { id: 'h1', lead: { id: 'L1' } });
  const late = api.newProcessing({
    onStep: async (step) => {
      if (step !== 'write') return;
      await api.ask('POST', path, { body: { ids: [eventId] } });
      await tick(2);
    },
  });
  await late([eventId]);
  expect(await statesOf([eventId])).toEqual(['discarded']);
  expect((await api.snapshot()).messages).toBe(0);
});

test.each([
  [{}, '/filter'],
  [{ filter: {} }, '/filter'],
  [{ filter: { state: 'done' } }, '/filter/state'],
  [{ filter: { state: 'nowhere' } }, '/filter/state'],
  [{ filter: { webhookId: 'x' } }, '/filter/webhookId'],
  [{ filter: { state: 'dead' }, ids: ['01a1fedb-9f0e-74ee-8056-f47aed461dbf'] }, '/filter'],
  [{ filter: { state: 'dead' }, remap: true }, '/remap'],
])('%j is rejected', async (body, place) => {
  const answer = await api.ask('POST', path, { body });
  expect([answer.status, answer.body.data.fields?.[0]?.path]).toEqual([422, place]);
});

test('a replay does not accept events that have not ended', async () => {
  const answer = await api.ask('POST', '/v1/admin/events/replay', {
    body: { filter: { state: 'received' } },
  });
  expect([answer.status, answer.body.data.fields[0].path]).toEqual([422, '/filter/state']);
});
