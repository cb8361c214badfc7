// From a decoded request to an event record: batched inserts, dedup by the unique index, and what a resend revives.
import { eventIdsOf, type ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { sha256 } from '../../../src/base/ids.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import { dedupOverlapMs } from '../../../src/domain/webhooks/dedup.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { createEffectiveMappings } from '../../../src/receiving/recording/effective-mappings.ts';
import { createRecorder, type EventRecorder } from '../../../src/receiving/recording/recorder.ts';
import { recordEvent } from '../../../src/receiving/recording/record-event.ts';
import { type Connection, connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { getWebhook, markWebhookPaused } from '../../../src/store/webhooks/webhooks.ts';
import { activateWebhook } from '../../../src/store/webhooks/activation.ts';
import { insertMapping } from '../../../src/store/webhooks/mappings.ts';

let context: TestContext;
let watching: Connection;
beforeAll(async () => {
  context = await createTestContext('recording');
  watching = await connectMongo(`${context.url}&monitorCommands=true`);
});
afterAll(async () => {
  await watching.close();
  await context.close();
});
beforeEach(() => context.clear());

const actor = { tokenId: 'test', name: 'test' };
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const read = async (id: string) => {
  const event = await events().findOne({ _id: id });
  if (!event) throw new Error('There is no such event.');
  return event;
};
const lead = (id: unknown, more: object = {}) => ({ id, lead: { name: 'Ana' }, ...more });
const dead = (id: string) => ({ id, lead: {} });

/** A receiver with its own stores, whose time and queue the test controls. */
function createReceiver({ connection = context.connection, now = () => new Date() } = {}) {
  const stores = createStores(connection);
  const clock = { now, elapsedMs: () => performance.now() };
  const jobs: ProcessEventsJob[] = [];
  const recorder = createRecorder({
    ...stores,
    queue: { hint: (job) => void jobs.push(job) },
  });
  return { send: receiverWith(recorder, { stores, clock }), jobs };
}

/** Returns a function that records a payload as the receiver does. */
function receiverWith(
  recorder: EventRecorder,
  { stores = context.stores, clock = systemClock } = {},
) {
  const deps = {
    mappings: createEffectiveMappings({ ...context.newResources({ stores }).bodies, clock }),
    recorder,
    clock,
  };
  return (webhook: Webhook, payload: unknown, headers: Record<string, string> = {}) => {
    const body = Buffer.from(JSON.stringify(payload));
    const request = { body, contentType: 'application/json', headers, query: {} };
    return recordEvent(deps, { webhook, request, body: payload }, { receivedAt: clock.now() });
  };
}

test('concurrent requests share an insert and a job; a single one does not wait', async () => {
  const webhook = await context.addWebhook();
  const inserts: unknown[] = [];
  watching.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'insert' && command.insert === 'events') inserts.push(command);
  });
  const { send, jobs } = createReceiver({ connection: watching });
  await send(webhook, lead('alone'));
  expect(inserts).toHaveLength(1);
  const recorded = await Promise.all(
    Array.from({ length: 80 }, (_, n) => send(webhook, lead(`e${n}`))),
  );
  expect(new Set(recorded.map(({ eventId }) => eventId)).size).toBe(80);
  expect(await events().countDocuments()).toBe(81);
  expect(inserts.length).toBeGreaterThan(1);
  expect(inserts.length).toBeLessThanOrEqual(4);
  expect(jobs.length).toBe(inserts.length);
  expect(jobs.flatMap(eventIdsOf)).toHaveLength(81);
});

test('every insert has write concern majority and journal', async () => {
  const webhook = await context.addWebhook();
  const concerns: unknown[] = [];
  watching.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'insert' || commandName === 'findAndModify') {
      concerns.push(command.writeConcern);
    }
  });
  const { send } = createReceiver({ connection: watching });
  await send(webhook, lead('e1'));
  await send(webhook, lead('e1'));
  expect(concerns).toHaveLength(3);
  for (const concern of concerns) expect(concern).toMatchObject({ w: 'majority', j: true });
});

test('a resend is found by the index of dedup keys, however many events the webhook has', async () => {
  const webhook = await context.addWebhook();
  let asked: object | undefined;
  watching.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'findAndModify') asked = command.query;
  });
  const { send } = createReceiver({ connection: watching });
  await Promise.all(Array.from({ length: 30 }, (_, n) => send(webhook, lead(`e${n}`))));
  await send(webhook, lead('e1'));
  expect(asked).toBeDefined();
  const { executionStats, queryPlanner } = await events()
    .find(asked ?? {})
    .explain();
  expect(JSON.stringify(queryPlanner.winningPlan)).toContain('"indexName":"dedup"');
  expect(executionStats.totalDocsExamined).toBe(1);
});

test('the same id sent concurrently is one event, and each request is counted', async () => {
  const webhook = await context.addWebhook();
  const { send, jobs } = createReceiver();
  const recorded = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(webhook, lead('same', { n }))),
  );
  expect(new Set(recorded.map(({ eventId }) => eventId)).size).toBe(1);
  expect(recorded.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect(await read(recorded[0]?.eventId ?? '')).toMatchObject({ deliveries: 20, differing: 19 });
  expect(jobs.flatMap(eventIdsOf)).toHaveLength(1);
});

const composite: MappingDocument = {
  ...leadMapping,
  eventId: { join: [{ path: 'id' }, { path: 'at' }, { header: 'X-Shop' }], with: ':' },
};

test.each<[string, MappingDocument, object, object]>([
  ['null', leadMapping, { id: null }, {}],
  ['an empty text', leadMapping, { id: '' }, {}],
  ['nought', leadMapping, { id: 0 }, {}],
  ['the text null', leadMapping, { id: 'null' }, {}],
  ['an unfilled field', leadMapping, { id: '{{id}}' }, {}],
  ['a composite with a nought', composite, { id: 0, at: '2' }, { 'x-shop': 's' }],
  ['blanks', leadMapping, { id: '  ' }, {}],
  ['no id', leadMapping, {}, {}],
  ['an empty list', leadMapping, { id: [] }, {}],
  ['a mapping without an event id', { ...leadMapping, eventId: undefined }, { id: '1' }, {}],
  ['a composite that misses a part', composite, { id: '1', at: '2' }, {}],
  ['a composite with an empty part', composite, { id: '1', at: '' }, { 'x-shop': 's' }],
])('%s is no id: equal requests are two events', async (...[, mapping, payload, headers]) => {
  const webhook = await context.addWebhook(JSON.parse(JSON.stringify(mapping)));
  const { send } = createReceiver();
  const [a, b] = [
    await send(webhook, payload, { ...headers }),
    await send(webhook, payload, { ...headers }),
  ];
  expect([a.duplicate, b.duplicate]).toEqual([false, false]);
  expect((await read(b.eventId)).externalId).toBeNull();
});

test.each<[string, MappingDocument, object, object]>([
  ['a number', leadMapping, { id: 7 }, {}],
  ['a whole composite', composite, { id: '1', at: '2' }, { 'x-shop': 's' }],
])('%s is an id: the second request is a resend', async (...[, mapping, payload, headers]) => {
  const webhook = await context.addWebhook(mapping);
  const { send } = createReceiver();
  const first = await send(webhook, payload, { ...headers });
  expect(await send(webhook, payload, { ...headers })).toEqual({ ...first, duplicate: true });
});

test('parts of a composite id are kept apart, and two webhooks share no ids', async () => {
  const [one, other] = [await context.addWebhook(composite), await context.addWebhook(composite)];
  const { send } = createReceiver();
  const headers = { 'x-shop': 's' };
  const recorded = [
    await send(one, { id: '1:2', at: '3' }, headers),
    await send(one, { id: '1', at: '2:3' }, headers),
    await send(other, { id: '1', at: '2:3' }, headers),
  ];
  expect(recorded.map(({ duplicate }) => duplicate)).toEqual([false, false, false]);
});

test('after a change of the recipe the old id is recognised for 72 hours', async () => {
  const { _id } = await context.addWebhook();
  const before = await getWebhook(context.stores, _id);
  if (!before) throw new Error('The webhook is gone.');
  const late = { id: 'old-2', uid: 'new-2', lead: { name: 'Ana' } };
  const old = await createReceiver().send(before, { id: 'old', uid: 'new', lead: { name: 'Ana' } });
  const old2 = await createReceiver().send(before, late);
  const renamed = { ...leadMapping, eventId: { path: 'uid' } };
  const { version } = valueOf(
    await insertMapping(context.stores, { webhookId: _id, mapping: renamed }, actor),
  );
  const overlap = { version, previous: before.activeVersion, overlapMs: dedupOverlapMs(), actor };
  const after = valueOf(await activateWebhook(context.stores, _id, overlap));

  const hours = (count: number) => () => new Date(Date.now() + count * 3_600_000);
  const within = createReceiver({ now: hours(71) });
  const resent = await within.send(after, { id: 'old', uid: 'new', lead: { name: 'Ana' } });
  expect(resent).toEqual({ ...old, duplicate: true });
  // The same id by another recipe is another event.
  const alike = await within.send(after, { uid: 'old', lead: { name: 'Ana' } });
  expect(alike.duplicate).toBe(false);
  const beyond = await createReceiver({ now: hours(73) }).send(after, late);
  expect(beyond.duplicate).toBe(false);
  expect(beyond.eventId).not.toBe(old2.eventId);
});

test('a resend of a dead event revives it with the new body, the active version and the same id', async () => {
  const webhook = await context.addWebhook();
  const { send, jobs } = createReceiver();
  const first = await send(webhook, dead('e1'));
  await context.processEvents([first.eventId]);
  const was = await read(first.eventId);
  expect(was.state).toBe('dead');
  expect(await send(webhook, lead('e1', { lead: { phone: '+5511900000001' } }))).toEqual({
    ...first,
    duplicate: true,
  });
  expect(jobs.slice(-1).flatMap(eventIdsOf)).toEqual([first.eventId]);
  const now = await read(first.eventId);
  expect(now).toMatchObject({ state: 'received', generation: 1, attempts: 0, deliveries: 2 });
  expect(now.fence).toBeGreaterThan(was.fence);
  expect(now.timeline.at(-1)?.reason).toContain(was.bodySha256);
  expect(now.bodySha256).toBe(sha256(now.delivery?.body ?? ''));
  await context.processEvents([first.eventId]);
  expect((await read(first.eventId)).state).toBe('done');
  expect((await context.snapshot()).messages).toBe(1);
});

test('a resend of a done event with any body changes only its counts', async () => {
  const webhook = await context.addWebhook();
  const { send, jobs } = createReceiver();
  const { eventId } = await send(webhook, lead('e1', { lead: { phone: '+5511900000001' } }));
  await context.processEvents([eventId]);
  const { lastSeenAt: _seen, ...was } = await read(eventId);
  jobs.length = 0;
  await send(webhook, lead('e1', { text: 'changed' }));
  const { lastSeenAt: _later, resends, resentBodies, ...now } = await read(eventId);
  expect(now).toEqual({ ...was, deliveries: 2, differing: 1 });
  expect(resends).toMatchObject([{ n: 2, revived: false, bodySha256: resentBodies?.[0] }]);
  expect(jobs).toEqual([]);
});

test('a resend of a dead event while the webhook is paused is held', async () => {
  const webhook = await context.addWebhook();
  const { send, jobs } = createReceiver();
  const { eventId } = await send(webhook, dead('e1'));
  await context.processEvents([eventId]);
  const paused = valueOf(await markWebhookPaused(context.stores, webhook._id, actor));
  jobs.length = 0;
  expect(await send(paused, dead('e1'))).toMatchObject({ mode: 'held', eventId, duplicate: true });
  const held = await read(eventId);
  expect({ state: held.state, open: held.open }).toEqual({ state: 'held', open: undefined });
});

test('an ignored event is revived only under a newer mapping', async () => {
  const webhook = await context.addWebhook({ ...leadMapping, filter: "type == 'lead'" });
  const { send } = createReceiver();
  const payload = lead('e1', { lead: { phone: '+5511900000001' } });
  const { eventId } = await send(webhook, payload);
  await context.processEvents([eventId]);
  expect(await read(eventId)).toMatchObject({ state: 'ignored', reason: 'filter' });
  await send(webhook, payload);
  expect((await read(eventId)).state).toBe('ignored');
  const { version } = valueOf(
    await insertMapping(context.stores, { webhookId: webhook._id, mapping: leadMapping }, actor),
  );
  const next = { version, previous: webhook.activeVersion, overlapMs: 0 };
  const newer = valueOf(await activateWebhook(context.stores, webhook._id, { ...next, actor }));
  await send(newer, payload);
  expect(await read(eventId)).toMatchObject({ state: 'received', mappingVersion: next.version });
});

test('when the first event is rolled back before its resend is counted, the resend is stored', async () => {
  const webhook = await context.addWebhook();
  const payload = lead('e1');
  const first = await createReceiver().send(webhook, payload);
  const recorder = createRecorder({
    queue: { hint: () => undefined },
    events: {
      insert: async (records) => {
        const results = await context.stores.events.insert(records);
        if (results.includes('known')) await events().deleteOne({ _id: first.eventId });
        return results;
      },
      countResends: context.stores.events.countResends,
    },
  });
  const recorded = await receiverWith(recorder)(webhook, payload);
  expect(recorded).toMatchObject({ mode: 'event', duplicate: false });
  expect(recorded.eventId).not.toBe(first.eventId);
  const stored = await events().find({ webhookId: webhook._id }).toArray();
  expect(stored).toMatchObject([{ _id: recorded.eventId, externalId: 'e1', deliveries: 1 }]);
});

test('an insert that fails as a whole rejects all its requests', async () => {
  const webhook = await context.addWebhook();
  const failing = () => Promise.reject(new Error('no primary'));
  const recorder = createRecorder({
    queue: { hint: () => undefined },
    events: { insert: failing, countResends: failing },
  });
  const send = receiverWith(recorder);
  const sends = [1, 2, 3].map(() => send(webhook, {}));
  for (const settled of await Promise.allSettled(sends)) {
    expect(settled).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
});
