// Notices from their cause to a message at a real HTTP server: evaluated once for the installation, grouped, not repeated,
// resolved, silent in quiet hours, and not lost by a process that dies between deciding and sending.
import { changeNoticeRules } from '../../../src/api/notices/notices.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { clearAfterMs } from '../../../src/domain/notices/plan.ts';
import type { PathKey } from '../../../src/domain/webhooks/webhook.ts';
import { newKey } from '../../../src/store/webhooks/keys.ts';
import { collectionOf } from '../../support/services/collections.ts';
import {
  actor,
  changesOf,
  createNoticeContext,
  minuteMs,
  publicUrl,
  type NoticeContext,
} from '../../support/context/notices.ts';
import { addRejectionCounts } from '../../../src/store/counters/rejection-counts.ts';
import { markWebhookArchived } from '../../../src/store/webhooks/webhooks.ts';
import {
  recordChannelFailure,
  resetChannelHealth,
} from '../../../src/store/channels/channel-health.ts';

let it: NoticeContext;
beforeAll(async () => {
  it = await createNoticeContext('notices');
});
afterEach(() => it.reset());
afterAll(() => it.close());

test('the first dead event of a reason is sent once, with its webhook and a link, and without its payload', async () => {
  await it.addTarget();
  it.deliver();
  await it.die(2);
  expect(await it.evaluate()).toBe(1);
  const [sent] = await it.arrived(1);
  expect(changesOf(sent)).toEqual(['first_dead opened']);
  expect(sent?.notices[0]).toMatchObject({
    webhook: { id: it.webhook._id },
    url: `${publicUrl}/dead-letters?webhookId=${it.webhook._id}`,
    text: expect.stringContaining('contact_unidentified; 2 so far'),
  });
  expect(JSON.stringify(sent)).not.toContain('secret content');
  await it.die();
  expect(await it.evaluateAfter(minuteMs)).toBe(0);
});

test('a notice is resolved, once its condition was absent for five minutes, and that is sent too', async () => {
  await it.addTarget();
  it.deliver();
  const ids = await it.die();
  await it.evaluate();
  await it.bury(ids);
  expect(await it.evaluateAfter(minuteMs)).toBe(0);
  expect(await it.evaluateAfter(clearAfterMs)).toBe(1);
  const sent = await it.arrived(2);
  expect(changesOf(sent[1])).toEqual(['first_dead resolved']);
  expect(await it.evaluateAfter(minuteMs)).toBe(0);
});

test('two processes that evaluate at once write and send one notice', async () => {
  await it.addTarget();
  it.deliver();
  it.deliver();
  await it.die();
  const sent = await Promise.all([1, 2, 3].map(() => it.evaluate().catch(() => 0)));
  expect(sent.reduce((sum, one) => sum + one, 0)).toBe(1);
  await it.evaluateAfter(minuteMs);
  await it.arrived(1);
  expect(await it.notices()).toHaveLength(1);
  expect(await it.connection.collection('notice_deliveries').countDocuments()).toBe(1);
});

test('a process that dies after it wrote the notices and before it stored the deliveries loses nothing', async () => {
  await it.addTarget();
  await it.die();
  const { noticeTargets } = it.stores;
  const dying = { ...noticeTargets, listEnabled: () => Promise.reject(new Error('killed')) };
  await expect(it.evaluate({ noticeTargets: dying })).rejects.toThrow('killed');
  expect(await it.notices()).toHaveLength(1);
  it.deliver();
  expect(await it.evaluateAfter(minuteMs)).toBe(1);
  expect(changesOf((await it.arrived(1))[0])).toEqual(['first_dead opened']);
  expect(await it.evaluateAfter(minuteMs)).toBe(0);
});

test('a process that dies between the POST and its record sends the same notice again under its id', async () => {
  await it.addTarget();
  await it.die();
  await it.evaluate();
  const { noticeDeliveries } = it.stores;
  const finish = () => new Promise<never>(() => {});
  const dying = it.deliver({ noticeDeliveries: { ...noticeDeliveries, finish } }, 1_000);
  await it.arrived(1);
  void dying.close();
  await it.connection
    .collection('notice_deliveries')
    .updateMany({}, { $set: { 'delivery.nextAt': new Date(0) } });
  it.deliver();
  await it.arrived(2);
  const [first, second] = it.destination.posts.map(({ headers }) => headers['idempotency-key']);
  expect(second).toBe(first);
});

test('what happens together is sent together, also to a target that was in its quiet hours', async () => {
  // Around now: a day is never quiet to its last minute.
  const timeIn = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const quiet = { zone: 'UTC', from: timeIn(-1), to: timeIn(2), weekend: true };
  const target = await it.addTarget({ quietHours: quiet });
  it.deliver();
  const other = await it.addWebhook();
  await it.die(1);
  const ids = await it.die(1, other);
  expect(await it.evaluate()).toBe(0);
  await it.bury(ids);
  await it.evaluateAfter(minuteMs);
  expect(await it.evaluateAfter(clearAfterMs)).toBe(0);
  await it.stores.noticeTargets.change(target, { quietHours: null }, actor);
  expect(await it.evaluateAfter(minuteMs)).toBe(1);
  expect(changesOf((await it.arrived(1))[0])).toEqual(['first_dead opened']);
});

test('open notices are sent again after the reminder interval, all at once', async () => {
  await it.addTarget({ reminderHours: 2 });
  it.deliver();
  await it.die();
  await it.evaluate();
  expect(await it.evaluateAfter(minuteMs)).toBe(0);
  expect(await it.evaluateAfter(2 * 60 * minuteMs)).toBe(1);
  const sent = await it.arrived(2);
  expect([sent[1]?.reminder, changesOf(sent[1])]).toEqual([true, ['first_dead open']]);
  expect(await it.evaluateAfter(minuteMs)).toBe(0);
});

test('a target of one webhook, or of some kinds, is sent no others', async () => {
  const other = await it.addWebhook();
  await it.addTarget({ webhookId: other._id });
  await it.addTarget({ kinds: ['backlog_late'] });
  it.deliver();
  await it.die();
  expect(await it.evaluate()).toBe(0);
  await it.die(1, other);
  expect(await it.evaluateAfter(minuteMs)).toBe(1);
  expect((await it.arrived(1))[0]?.notices.map(({ webhook: { id } }) => id)).toEqual([other._id]);
});

test('a rule that is off for one webhook opens no notice of it', async () => {
  const other = await it.addWebhook();
  await changeNoticeRules(
    it.api,
    { id: other._id, patch: { first_dead: { enabled: false } } },
    { actor, check: () => [] },
  );
  await it.die();
  await it.die(1, other);
  await it.evaluate();
  expect((await it.notices()).map(({ webhookId }) => webhookId)).toEqual([it.webhook._id]);
});

const addKey = (webhookId: string, endsInHours: number) =>
  collectionOf<PathKey>(it.connection, 'keys').insertOne({
    _id: `ends in ${endsInHours}`,
    webhookId,
    hash: `of ${endsInHours}`,
    lastFour: 'abcd',
    createdAt: new Date(),
    ...newKey,
    expiresAt: new Date(Date.now() + endsInHours * 3_600_000),
  });

test('a key that ends needs nobody while another one is valid for longer, or its webhook is archived', async () => {
  await addKey(it.webhook._id, 1);
  await addKey(it.webhook._id, 100);
  const archived = await it.addWebhook();
  await collectionOf(it.connection, 'keys').deleteMany({ webhookId: archived._id });
  await addKey(archived._id, 2);
  await markWebhookArchived(it.stores, archived._id, actor);
  await it.evaluate();
  expect(await it.notices()).toEqual([]);
  await it.evaluateAfter(99 * 3_600_000);
  expect((await it.notices()).map(({ subject }) => subject)).toEqual(['ends in 100']);
});

test('a thousand keys of an archived webhook hide no key that ends', async () => {
  const archived = await it.addWebhook();
  await collectionOf<PathKey>(it.connection, 'keys').insertMany(
    Array.from({ length: 1_001 }, (_none, index) => ({
      _id: `archived ${index}`,
      webhookId: archived._id,
      hash: `archived ${index}`,
      lastFour: 'abcd',
      createdAt: new Date(),
      ...newKey,
      expiresAt: new Date(Date.now() + 600_000),
    })),
  );
  await markWebhookArchived(it.stores, archived._id, actor);
  await addKey(it.webhook._id, 1);
  await it.evaluate();
  expect((await it.notices()).map(({ subject }) => subject)).toEqual(['ends in 1']);
});

test('dead letters and rejections rise, a key ends and the backlog is late', async () => {
  const now = new Date();
  await it.stores.stats.add([
    {
      webhookId: it.webhook._id,
      minute: now,
      counts: { received: 50, dead: 12 },
      latency: new Map(),
      lastAt: now,
    },
  ]);
  const hour = new Date(Math.floor(+now / 3_600_000) * 3_600_000);
  await addRejectionCounts(it.stores, [
    { webhookId: it.webhook._id, hour, codes: { malformed_json: 25 } },
  ]);
  await addKey(it.webhook._id, 1);
  await it.send(it.webhook, { id: 'late' });
  await collectionOf<EventRecord>(it.connection, 'events').updateMany(
    {},
    { $set: { receivedAt: new Date(+now - 600_000), dueAt: new Date(+now - 600_000) } },
  );
  await it.evaluate();
  const kinds = (await it.notices()).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([
    'backlog_late',
    'dead_rising',
    'key_ending',
    'rejections_rising',
  ]);
});

test('a channel that fails opens a notice with a link to it, and its success resolves it', async () => {
  await it.addTarget();
  it.deliver();
  const { channelId } = it.webhook;
  for (let n = 0; n < 20; n += 1) await recordChannelFailure(it.stores, channelId, 'r');
  expect(await it.evaluate()).toBe(0);
  await it.connection
    .collection('channelHealth')
    .updateOne({}, { $set: { since: new Date(Date.now() - 11 * minuteMs) } });
  await recordChannelFailure(it.stores, channelId, 'r');
  expect(await it.evaluateAfter(minuteMs)).toBe(1);
  const [sent] = await it.arrived(1);
  expect(changesOf(sent)).toEqual(['destination_failing opened']);
  expect(sent?.notices[0]?.url).toBe(`${publicUrl}/channels/${channelId}`);
  await resetChannelHealth(it.stores, channelId);
  await it.evaluateAfter(minuteMs);
  await it.evaluateAfter(clearAfterMs);
  expect(changesOf((await it.arrived(2))[1])).toEqual(['destination_failing resolved']);
});

test('a sender that is silent against its rhythm opens a notice, and its next event resolves it', async () => {
  const lastAt = new Date(Date.now() - 60_000);
  const hours = Array.from({ length: 28 * 24 }, (_, n) => new Date(+lastAt - n * 3_600_000));
  const deltas = hours.map((minute) => ({
    webhookId: it.webhook._id,
    minute,
    counts: { received: 1 },
    latency: new Map<number, number>(),
    lastAt: minute,
  }));
  await it.stores.stats.add(deltas);
  await it.evaluate();
  // The evaluation has run all the time.
  for (let n = 0; n < 48; n += 1) {
    await it.evaluateAfter(15 * minuteMs);
  }
  expect((await it.notices()).map(({ kind, state }) => [kind, state])).toEqual([
    ['sender_silent', 'open'],
  ]);
  const now = it.clock.now();
  await it.stores.stats.add([
    {
      webhookId: it.webhook._id,
      minute: now,
      counts: { received: 1 },
      latency: new Map(),
      lastAt: now,
    },
  ]);
  await it.evaluateAfter(minuteMs);
  await it.evaluateAfter(clearAfterMs);
  expect((await it.notices()).map(({ state }) => state)).toEqual(['resolved']);
});
