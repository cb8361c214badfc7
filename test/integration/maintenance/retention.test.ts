// Retention: what is deleted and what is kept, with the clock of the test.
import { newId } from '../../../src/base/ids.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { startRetention } from '../../../src/maintenance/retention.ts';
import type { AuditRow } from '../../../src/domain/audit/audit.ts';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { idReceivedAt, receiveAt } from '../../support/fixtures/received-at.ts';
import { rejectionOf } from '../../support/fixtures/rejection.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import type { ProcessContext } from '../../../src/context/process-context.ts';

const dayMs = 86_400_000;
const now = new Date('2026-06-01T03:00:00Z');
let api: TestApi;
let webhook: Webhook;

beforeAll(async () => {
  api = await createTestApi('retention');
});
beforeEach(async () => {
  await api.clear();
  await collectionOf(api.connection, 'webhooks').deleteMany({});
  await collectionOf(api.connection, 'retention').deleteMany({});
  webhook = await api.addWebhook({
    eventId: { path: 'id' },
    contact: { externalId: { path: 'lead', required: true } },
  });
});
afterAll(() => api.close());

const events = () => collectionOf<EventRecord>(api.connection, 'events');
const settle = (settings: object) =>
  api.ask('PATCH', `/v1/admin/webhooks/${webhook._id}/settings`, { body: settings });

const visits = () => collectionOf<{ _id: string; nextAt: Date }>(api.connection, 'retention');

function createRetention(over: Partial<ProcessContext> = {}, auditRetentionDays = 0) {
  const clock = { now: () => now, elapsedMs: () => 0 };
  const options = { retentionDays: 90, auditRetentionDays, intervalMs: 3_600_000 };
  return startRetention({ ...api.newResources({ clock }), ...over }, options);
}

/** Visits every webhook once, due or not. */
async function deleteExpired({ auditRetentionDays = 0, daysLater = 0 } = {}): Promise<void> {
  const clock = { now: () => new Date(+now + daysLater * dayMs), elapsedMs: () => 0 };
  const retention = createRetention({ clock }, auditRetentionDays);
  await visits().updateMany({}, { $set: { nextAt: new Date(0) } });
  await retention.tick();
  await retention.close();
}

/** An event that ended the given number of days ago; without `lead` it is dead. */
async function ended(days: number, payload: object = { lead: newId() }): Promise<string> {
  const at = new Date(+now - days * dayMs);
  const id = await receiveAt(
    api.connection,
    await api.send(webhook, { id: newId(), ...payload }),
    at,
  );
  await api.processEvents([id]);
  await events().updateOne({ _id: id }, { $set: { finishedAt: at } });
  return id;
}
const found = (_id: string) => events().findOne({ _id });

test('a body is deleted after its retention time, the event after its own', async () => {
  const young = await ended(89);
  const old = await ended(91, { id: 'known', lead: 'p1' });
  const ancient = await ended(401);
  await deleteExpired();
  expect((await found(young))?.delivery).not.toBeNull();
  expect(await found(old)).toMatchObject({ delivery: null, state: 'done', externalId: 'known' });
  expect(await found(ancient)).toBeNull();
  expect(await api.send(webhook, { id: 'known', lead: 'p1' })).toBe(old);
});

test('a webhook sets its own retention, never shorter than its dedup period', async () => {
  const answer = await settle({
    retention: { bodiesDays: 5, eventsDays: 10 },
    dedup: { windowDays: 20 },
  });
  expect(answer.body.data.retention).toEqual({ bodiesDays: 5, samplesDays: null, eventsDays: 10 });
  const [bodied, bare, gone] = [await ended(4), await ended(15), await ended(21)];
  await deleteExpired();
  expect((await found(bodied))?.delivery).not.toBeNull();
  expect(await found(bare)).toMatchObject({ delivery: null });
  expect(await found(gone)).toBeNull();
});

test.each([{ bodiesDays: 0 }, { eventsDays: 3_651 }, { auditDays: 1 }])(
  '%j is rejected',
  async (retention) => {
    const { status, body } = await settle({ retention });
    expect([status, body.data.code]).toEqual([422, 'invalid_field']);
  },
);

test('an event without a body is not replayed, and its resend restores the body', async () => {
  const dead = await ended(91, { id: 'lost' });
  await deleteExpired();
  const refused = await api.ask('POST', `/v1/admin/events/${dead}/replay`);
  expect(refused.status).toBe(409);
  expect(refused.body.data).toMatchObject({
    code: 'invalid_transition',
    state: 'dead',
    missing: ['body'],
  });
  expect(await api.send(webhook, { id: 'lost', lead: 'p2' })).toBe(dead);
  await api.processEvents([dead]);
  expect(await found(dead)).toMatchObject({ state: 'done' });
  expect(await found(dead)).not.toHaveProperty('strippedAt');
});

test('open and held events of any age are kept', async () => {
  const sent = [
    await api.send(webhook, { id: newId(), lead: 'p' }),
    await api.send({ ...webhook, status: 'paused' }, { id: newId(), lead: 'p' }),
  ];
  const [open = '', held = ''] = await Promise.all(
    sent.map((id) => receiveAt(api.connection, id, new Date(0))),
  );
  await deleteExpired();
  for (const id of [open, held]) expect((await found(id))?.delivery).not.toBeNull();
});

test('the body of a split is kept until its last open item ends', async () => {
  webhook = await api.addWebhook({
    split: 'items',
    eventId: { path: 'id' },
    contact: { externalId: { path: 'id' } },
  });
  const parent = await ended(91, { items: [{ id: 'a' }, { id: 'b' }] });
  const items = await events().find({ parentId: parent }).toArray();
  expect(items).toHaveLength(2);
  const [first, second] = items.map(({ _id }) => _id);
  await api.processEvents([first ?? '']);
  await deleteExpired();
  expect((await found(parent))?.delivery).not.toBeNull();
  await api.processEvents([second ?? '']);
  await deleteExpired();
  expect((await found(parent))?.delivery).not.toBeNull();
  await deleteExpired({ daysLater: 1 });
  expect((await found(parent))?.delivery).toBeNull();
  const refused = await api.ask('POST', `/v1/admin/events/${first}/replay`, {
    body: { remap: true },
  });
  expect(refused.body.data).toMatchObject({ code: 'invalid_transition', missing: ['body'] });
});

/** Inserts the given number of copies, one second apart, oldest first. */
async function likewise(id: string, count: number): Promise<void> {
  const { dedupKeys: _keys, ...one } = (await found(id)) ?? {};
  const at = (n: number) => new Date(+now - 500 * dayMs + n * 1_000);
  const all = Array.from({ length: count }, (_empty, n) => {
    return { ...one, _id: idReceivedAt(at(n), `${id} ${n}`), receivedAt: at(n), finishedAt: at(n) };
  });
  await events().insertMany(all as never);
}

/** Inserts the given number of copies with new ids. */
async function copies(id: string, count: number): Promise<void> {
  const { dedupKeys: _keys, ...one } = (await found(id)) as EventRecord;
  const all = Array.from({ length: count }, () => {
    return { ...one, _id: idReceivedAt(one.receivedAt, newId()) };
  });
  await events().insertMany(all);
}

test('any number of bodies in use does not delay the deletion of others', async () => {
  const split = await api.addWebhook({
    split: 'items',
    eventId: { path: 'id' },
    contact: { externalId: { path: 'id' } },
  });
  const [plain, own] = [webhook, await ended(401)];
  webhook = split;
  const parent = await ended(401, { items: [{ id: 'a' }] });
  await likewise(parent, 250);
  await events().updateMany({ webhookId: split._id }, { $set: { webhookId: plain._id } });
  const [item] = await events().find({ parentId: parent }).toArray();
  const parents = await events().find({ items: 1 }).toArray();
  const items = parents.map(({ _id }) => ({ ...item, _id: newId(), parentId: _id, dedupKeys: [] }));
  await events().insertMany(items as never);
  await likewise(own, 250);
  await deleteExpired();
  expect(await events().countDocuments({ parentId: null, items: null })).toBe(0);
  expect(await events().countDocuments({ items: 1 })).toBe(251);
});

const resends = () => collectionOf(api.connection, 'resends');

test('bodies of resends are deleted by their age, and with their event', async () => {
  const [kept, gone] = [await ended(50), await ended(401)];
  const copy = (eventId: string, days: number) => ({
    _id: newId(),
    eventId,
    webhookId: webhook._id,
    keptAt: new Date(+now - days * dayMs),
  });
  const young = copy(kept, 89);
  await resends().insertMany([young, copy(kept, 91), copy(gone, 10), copy(gone, 91)]);
  await deleteExpired();
  expect(await found(gone)).toBeNull();
  expect(await resends().distinct('_id', { webhookId: webhook._id })).toEqual([young._id]);
  const due = resends().find({ webhookId: webhook._id, keptAt: { $lt: now } });
  expect(JSON.stringify(await due.sort({ keptAt: 1 }).explain())).not.toMatch(/COLLSCAN|"SORT"/);
});

test('audit rows are kept forever unless configured otherwise, and a row records their deletion', async () => {
  const audit = collectionOf<AuditRow>(api.connection, 'audit');
  const rows = await audit.countDocuments({});
  expect(rows).toBeGreaterThan(0);
  // Older than the clock of any test.
  await audit.updateMany({}, { $set: { at: new Date(0) } });
  await deleteExpired();
  expect(await audit.countDocuments({})).toBe(rows);
  await deleteExpired({ auditRetentionDays: 36_500 });
  expect(await audit.countDocuments({})).toBe(rows);
  await deleteExpired({ auditRetentionDays: 365 });
  const [left, ...more] = await audit.find({}).toArray();
  expect([left?.action, left?.after?.['rows'], more]).toEqual(['audit.forget', rows, []]);
});

test('old rejections are deleted, after the retention time of samples', async () => {
  await settle({ retention: { samplesDays: 5 } });
  const rejection = (days: number) =>
    rejectionOf(webhook._id, { receivedAt: new Date(+now - days * dayMs) });
  const [young, old] = [rejection(4), rejection(6)];
  await api.stores.rejections.add([young, old]);
  await deleteExpired();
  expect((await api.stores.rejections.all(webhook._id)).map(({ _id }) => _id)).toEqual([young._id]);
});

test('old samples are deleted, pinned ones stay', async () => {
  const sample = (days: number) => ({
    _id: newId(),
    webhookId: webhook._id,
    receivedAt: new Date(+now - days * dayMs),
    source: 'manual' as const,
    contentType: 'application/json',
    headers: {},
    query: {},
    body: Buffer.from('{}'),
  });
  const [young, old, pinned] = [sample(10), sample(100), sample(100)];
  for (const one of [young, old, pinned]) await api.stores.samples.add(one);
  await collectionOf(api.connection, 'samples').updateOne(
    { _id: pinned._id },
    { $set: { pin: 1 } },
  );
  await deleteExpired();
  const left = await collectionOf(api.connection, 'samples').find({}).toArray();
  expect(left.map(({ _id }) => _id).toSorted()).toEqual([young._id, pinned._id].toSorted());
});

test('one visit deletes more than a batch', async () => {
  await copies(await ended(91), 1_050);
  await deleteExpired();
  expect(await events().countDocuments({ delivery: { $ne: null } })).toBe(0);
});

test('processes share the webhooks, and each webhook is visited once', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => api.addWebhook()));
  const expected = [webhook, ...others].map(({ _id }) => _id).toSorted();
  const visited: string[] = [];
  const { retention } = api.stores;
  const deleteSamples: typeof retention.deleteSamples = (id, before) => {
    visited.push(id);
    return retention.deleteSamples(id, before);
  };
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      const one = createRetention({ retention: { ...retention, deleteSamples } });
      await one.tick();
      await one.close();
    }),
  );
  // One process adds the webhooks; the others may find nothing due before.
  const last = createRetention({ retention: { ...retention, deleteSamples } });
  await last.tick();
  await last.close();
  expect(visited.toSorted()).toEqual(expected);
  expect(await visits().distinct('_id')).toEqual([...expected, 'installation'].toSorted());
});

test('a webhook whose visit fails is visited again later and does not stop the others', async () => {
  const id = await ended(91);
  const failing = await api.addWebhook();
  const { retention } = api.stores;
  const lines: unknown[] = [];
  const logger = { ...silentLogger(), warn: (line: object) => lines.push(line) };
  const stripBodies: typeof retention.stripBodies = (webhookId, ...more) =>
    webhookId === failing._id
      ? Promise.reject(new Error('failed by the test'))
      : retention.stripBodies(webhookId, ...more);
  const faulty = createRetention({
    retention: { ...retention, stripBodies },
    logger,
  });
  await faulty.tick();
  await faulty.close();
  expect((await found(id))?.delivery).toBeNull();
  expect(lines).toEqual([expect.objectContaining({ webhookId: failing._id })]);
  expect(await retention.claim()).toBeNull();
});

test('what a visit has no time for waits behind the other webhooks', async () => {
  const [large, small] = [webhook, await api.addWebhook()];
  await copies(await ended(91), 1_600);
  webhook = small;
  const own = await ended(91);
  let elapsed = 0;
  const visited: string[] = [];
  const { retention } = api.stores;
  const stripBodies: typeof retention.stripBodies = (id, ...more) => {
    visited.push(id);
    elapsed += 3_000;
    return retention.stripBodies(id, ...more);
  };
  const clock = { now: () => now, elapsedMs: () => elapsed };
  const slow = createRetention({ retention: { ...retention, stripBodies }, clock });
  await slow.tick();
  await slow.close();
  const [a, b] = [large._id, small._id];
  const turns = visited.filter((id, n) => id !== visited[n - 1]);
  expect([
    [a, b, a],
    [b, a],
  ]).toContainEqual(turns);
  expect((await found(own))?.delivery).toBeNull();
  expect(await events().countDocuments({ delivery: { $ne: null } })).toBe(0);
});

test('a batch has so many split bodies that the statements about their items are bounded', async () => {
  webhook = await api.addWebhook({
    split: 'items',
    eventId: { path: 'id' },
    contact: { externalId: { path: 'id' } },
  });
  const parent = await ended(91, { items: [{ id: 'a' }] });
  await api.processEvents(
    (await events().find({ parentId: parent }).toArray()).map(({ _id }) => _id),
  );
  await copies(parent, 4);
  await events().updateMany({ items: 1 }, { $set: { items: 900 } });
  const first = await api.stores.retention.stripBodies(webhook._id, { before: now, from: '' });
  expect(first).toMatchObject({ count: 2, isMore: true });
  const { to } = first;
  const next = { before: now, from: to };
  expect(await api.stores.retention.stripBodies(webhook._id, next)).toMatchObject({ count: 2 });
});

test('a label and a sector that an event used just after their deletion become others of that name', async () => {
  webhook = await api.addWebhook({
    contact: { externalId: { path: 'lead' } },
    context: { labels: [{ path: 'label' }], sector: { path: 'sector' } },
  });
  const { labels, sectors } = api.stores;
  const actor = { tokenId: 'test', name: 'test' };
  const [hot, sales] = [`Hot ${newId()}`, `Sales ${newId()}`];
  const idOf = (ids: ReadonlyMap<string, string>): string => [...ids.values()][0] ?? '';
  const deletedLabel = idOf(await labels.ensureIds(webhook._id, [hot]));
  const deletedSector = idOf(await sectors.ensureIds(webhook._id, [sales]));
  for (const deletion of [labels.remove(deletedLabel, actor), sectors.remove(deletedSector, actor)])
    expect(await deletion).toMatchObject({ ok: true });

  const eventId = await api.send(webhook, { lead: newId(), label: hot, sector: sales });
  await api.processEvents([eventId]);
  const chats = collectionOf<ChatRecord>(api.connection, 'chats');
  const _id = (await found(eventId))?.effects?.chatId ?? '';
  const chat = () => chats.findOne({ _id });
  expect(await chat()).toMatchObject({
    labelIds: [deletedLabel],
    opening: { sectorId: deletedSector },
  });
  await deleteExpired();
  expect(await chat()).toMatchObject({ labelIds: [deletedLabel] });

  const deletedAt = new Date(Date.now() - 600_000);
  for (const name of ['labels', 'sectors'])
    await api.connection
      .collection(name)
      .updateMany({ deletedAt: { $exists: true } }, { $set: { deletedAt } });
  await deleteExpired();
  const { labelIds = [], opening } = (await chat()) ?? {};
  expect(labelIds).toHaveLength(1);
  expect(await labels.get(labelIds[0] ?? '')).toMatchObject({ name: hot });
  expect(await sectors.get(opening?.sectorId ?? '')).toMatchObject({ name: sales });
  expect(await labels.replaceDeleted()).toBe(0);
});
