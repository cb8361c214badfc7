import { runWithoutDeadline } from '../../../src/base/process/deadline.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { createDefinitionCache } from '../../../src/processing/read/definition-cache.ts';
import { readSet } from '../../../src/processing/read/read-set.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import { createStoredBodies } from '../../../src/producers/stored-body.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { markWebhookPaused, getWebhook } from '../../../src/store/webhooks/webhooks.ts';
import { activateWebhook } from '../../../src/store/webhooks/activation.ts';
import { insertMapping, getMappings } from '../../../src/store/webhooks/mappings.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('fan_out');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const batchMapping: MappingDocument = { ...leadMapping, split: 'items' };
const item = (id: string, person = 1) => ({
  id,
  at: '2026-01-06T12:00:00Z',
  text: `hello ${id}`,
  lead: { name: `P${person}`, phone: `+55 11 9${70_000_000 + person}` },
});
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const childrenOf = (parentId: string) =>
  events().find({ parentId }).sort({ itemIndex: 1 }).toArray();

async function processAll(parentId: string): Promise<EventRecord[]> {
  await context.processEvents([parentId]);
  await context.processEvents((await childrenOf(parentId)).map(({ _id }) => _id));
  return childrenOf(parentId);
}

test('a body of many items becomes one event for each, and the parent is done without effects', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const parent = await context.send(webhook, { items: [item('a', 1), item('b', 2), item('c', 1)] });
  const children = await processAll(parent);
  expect(await context.stores.events.get(parent)).toMatchObject({
    state: 'done',
    items: 3,
    effects: null,
    externalId: null,
  });
  expect(
    children.map(({ state, externalId, itemIndex }) => [state, externalId, itemIndex]),
  ).toEqual([
    ['done', 'a', 0],
    ['done', 'b', 1],
    ['done', 'c', 2],
  ]);
  const after = await context.snapshot();
  expect(after.messages).toBe(3);
  expect(after.contacts).toHaveLength(2);
});

test('a resent batch with one new item processes one', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const first = await context.send(webhook, { items: [item('a', 1), item('b', 2)] });
  const known = await processAll(first);
  const second = await context.send(webhook, { items: [item('a', 1), item('b', 2), item('c', 3)] });
  const fresh = await processAll(second);
  expect(second).not.toBe(first);
  expect(fresh.map(({ externalId }) => externalId)).toEqual(['c']);
  expect((await context.snapshot()).messages).toBe(3);
  const counted = await context.stores.events.getMany(known.map(({ _id }) => _id));
  expect(counted.map(({ deliveries }) => deliveries)).toEqual([2, 2]);
});

test('a worker that died after the split splits again into the same items', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const parent = await context.send(webhook, { items: [item('a', 1), item('b', 2)] });
  await context.processEvents([parent]);
  await events().updateOne(
    { _id: parent },
    { $set: { state: 'received', open: true, dueAt: null } },
  );
  const children = await processAll(parent);
  expect(children).toHaveLength(2);
  expect(children.map(({ deliveries }) => deliveries)).toEqual([1, 1]);
  expect((await context.snapshot()).messages).toBe(2);
});

test('an item without an id is never a resend: two equal items are two events', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const { id: _id, ...anonymous } = item('x');
  const parent = await context.send(webhook, { items: [anonymous, anonymous] });
  expect(await processAll(parent)).toHaveLength(2);
  expect((await context.snapshot()).messages).toBe(2);
});

test('null in a list is no item, and the others keep their places', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const parent = await context.send(webhook, { items: [null, item('x'), null] });
  expect(await processAll(parent)).toHaveLength(1);
  expect((await context.stores.events.get(parent))?.items).toBe(1);
});

test.each([
  ['split_not_array', { items: 7 }],
  ['too_many_items', { items: Array.from({ length: 1_001 }, (_, n) => n) }],
])('a body whose split fails is dead with %s', async (reason, payload) => {
  const webhook = await context.addWebhook(batchMapping);
  const id = await context.send(webhook, payload);
  await context.processEvents([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'dead', reason });
});

test('a dead item is revived by a resend and reads its new parent’s body', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const first = await context.send(webhook, { items: [{ ...item('a'), lead: {} }] });
  const [dead] = await processAll(first);
  expect(dead).toMatchObject({ state: 'dead', reason: 'contact_unidentified' });
  const second = await context.send(webhook, { items: [item('z', 9), item('a', 1)] });
  await context.processEvents([second]);
  await context.processEvents([dead?._id ?? '']);
  expect(await context.stores.events.get(dead?._id ?? '')).toMatchObject({
    state: 'done',
    parentId: second,
    itemIndex: 1,
    generation: 1,
    deliveries: 2,
  });
});

test('items that the database rejects temporarily are kept: the body is split again', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const payload = { items: [item('a', 1), item('b', 2)] };
  const parent = await context.send(webhook, payload);
  const db = context.connection.getClient().db(context.connection.name);
  await db.command({ collMod: 'events', validator: { externalId: { $ne: 'b' } } });
  await context.processEvents([parent]);
  await db.command({ collMod: 'events', validator: {} });
  expect(await context.stores.events.get(parent)).toMatchObject({
    state: 'waiting',
    reason: 'internal_error',
  });
  expect(await childrenOf(parent)).toEqual([]);
  await events().updateOne({ _id: parent }, { $set: { dueAt: new Date(0) } });
  const children = await processAll(parent);
  expect(children.map(({ state, externalId }) => [state, externalId])).toEqual([
    ['done', 'a'],
    ['done', 'b'],
  ]);
  expect(await processAll(await context.send(webhook, payload))).toEqual([]);
  expect((await context.snapshot()).messages).toBe(2);
});

test('a dead item that a body revives while its webhook is paused is held', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const first = await context.send(webhook, { items: [{ ...item('a'), lead: {} }] });
  const [dead] = await processAll(first);
  const second = await context.send(webhook, { items: [item('a', 1)] });
  await markWebhookPaused(context.stores, webhook._id, { tokenId: 'test', name: 'test' });
  await context.processEvents([second]);
  expect(await context.stores.events.get(dead?._id ?? '')).toMatchObject({ state: 'held' });
});

test('items are recognised by the earlier recipe from the moment of an activation, despite caches', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const [known] = await processAll(await context.send(webhook, { items: [item('a')] }));
  const actor = { tokenId: 'test', name: 'test' };
  const other: MappingDocument = { ...batchMapping, eventId: { path: 'uid' } };
  const { version } = valueOf(
    await insertMapping(context.stores, { webhookId: webhook._id, mapping: other }, actor),
  );
  const overlapMs = 3_600_000;
  await activateWebhook(context.stores, webhook._id, { version, previous: 1, overlapMs, actor });
  const now = await getWebhook(context.stores, webhook._id);
  if (!now) throw new Error('The webhook is gone.');
  const again = await context.send(now, { items: [{ ...item('a'), uid: 'u1' }] });
  expect(await processAll(again)).toEqual([]);
  expect(await context.stores.events.get(known?._id ?? '')).toMatchObject({ deliveries: 2 });
});

test('a body is decoded once for all its items in a set', async () => {
  const webhook = await context.addWebhook(batchMapping);
  const items = Array.from({ length: 20 }, (_, n) => item(`i${n}`, n));
  const parent = await context.send(webhook, { items });
  await context.processEvents([parent]);
  let decoded = 0;
  const countingProducerOf = (profile: string) => {
    const producer = producerOf(profile);
    const decodeBody: typeof producer.decodeBody = (raw) => {
      decoded += 1;
      return producer.decodeBody(raw);
    };
    return { ...producer, decodeBody };
  };
  const [logger, clock] = [silentLogger(), systemClock];
  const definitions = createDefinitionCache({ ...context.stores, logger, clock });
  const deps = {
    events: context.stores.events,
    definitions,
    bodies: createStoredBodies({
      mappings: { getMany: (keys) => getMappings(context.stores, keys) },
      producerOf: countingProducerOf,
    }),
    defaultRegion: 'BR',
    logger,
    clock,
    withDeadline: runWithoutDeadline,
  };
  const children = await childrenOf(parent);
  const results = await readSet(deps, children);
  expect(results.map(({ kind }) => kind)).toEqual(items.map(() => 'lead'));
  expect(decoded).toBe(1);
  await readSet(deps, children);
  expect(decoded).toBe(1);
});
