// The health and the rates of channels, as all workers together see them.
import { probeChannel } from '../../../src/api/channels/channels.ts';
import { newId } from '../../../src/base/ids.ts';
import { createChannelGate } from '../../../src/delivery/channel-gate.ts';
import {
  failingAfter,
  offAfterMs,
  type ChannelHealth,
} from '../../../src/domain/messages/channel-health.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { OutboundMessage } from '../../../src/store/chats/deliveries.ts';
import { apiContextOf } from '../../support/context/api-context.ts';
import { aChannel } from '../../support/context/builders.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { watchDeliveries } from '../../support/context/delivery.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { waitForValue } from '../../support/processes/client.ts';
import {
  respondWith,
  startDestination,
  type Destination,
} from '../../support/services/destination.ts';
import { findChannel } from '../../../src/store/channels/channels.ts';
import {
  switchChannelOff,
  getChannelHealth,
  takeProbe,
  recordChannelFailure,
} from '../../../src/store/channels/channel-health.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

let context: TestContext;
let destination: Destination;
const { startDispatcher, closeDispatchers, deliveryOf, became } = watchDeliveries(() => context, {
  channelStateMs: 1,
});
beforeAll(async () => {
  context = await createTestContext('channel_health');
});
beforeEach(async () => {
  await context.clear();
  destination = await startDestination();
});
afterEach(async () => {
  await destination.close();
  await closeDispatchers();
});
afterAll(() => context.close());

const messages = () => collectionOf<OutboundMessage>(context.connection, 'messages');
const healths = () => collectionOf<ChannelHealth>(context.connection, 'channelHealth');
const past = new Date(0);

async function addWebhook(settings: object = {}): Promise<Webhook> {
  const channel = {
    name: 'Out',
    kind: 'http',
    settings: { url: destination.url, ...settings },
  } as const;
  return context.addWebhook(leadMapping, await aChannel(context, channel));
}

async function say(webhook: Webhook): Promise<string> {
  const id = await context.send(webhook, { id: newId(), text: 'hello', lead: { id: newId() } });
  await context.newProcessing()([id]);
  return id;
}

const makeDue = (ids: readonly string[]) =>
  messages().updateMany(
    { _id: { $in: [...ids] }, 'delivery.state': 'waiting' },
    { $set: { 'delivery.nextAt': past } },
  );

/** Stores the failures of a channel: the next one is the last that it may have. */
const failBefore = ({ channelId }: Webhook, more: Partial<ChannelHealth> = {}) =>
  healths().insertOne({
    _id: channelId,
    failures: failingAfter.failures - 1,
    since: new Date(Date.now() - failingAfter.ms - 60_000),
    lastAt: past,
    reason: 'destination_unavailable:503',
    ...more,
  });
/** Later than the turn of a probe that was just taken, and after what a test does at once. */
const later = () => new Date(Date.now() + 45_000);
const isFailing = (probeAt: Date) => ({ failingSince: new Date(Date.now() - 60_000), probeAt });

test('failures of a channel are counted until a success', async () => {
  const webhook = await addWebhook();
  destination.answerWith(respondWith(503));
  startDispatcher();
  const id = await say(webhook);
  await became(id, { state: 'waiting', attempts: 1, reason: 'destination_unavailable:503' });
  const health = () => healths().findOne({ _id: webhook.channelId });
  expect(await health()).toMatchObject({ failures: 1, reason: 'destination_unavailable:503' });
  destination.answerWith(respondWith(200));
  await makeDue([id]);
  await became(id, { state: 'delivered' });
  await waitForValue('it is forgotten', async () => ((await health()) === null ? true : undefined));
});

test.each([400, 422, 429])('an answer of %i does not blame the channel', async (status) => {
  const webhook = await addWebhook();
  await failBefore(webhook);
  destination.answerWith(respondWith(status));
  startDispatcher();
  const id = await say(webhook);
  await waitForValue(
    'an attempt',
    async () => ((await deliveryOf(id))?.reason ?? null) || undefined,
  );
  await waitForValue('the failures are forgotten', async () =>
    (await healths().countDocuments({ _id: webhook.channelId })) === 0 ? true : undefined,
  );
});

test('many failures in a short time are not yet a failing channel', async () => {
  const webhook = await addWebhook();
  await failBefore(webhook, { failures: 500, since: new Date() });
  destination.answerWith(respondWith(500));
  startDispatcher();
  const id = await say(webhook);
  await became(id, { state: 'waiting', attempts: 1 });
  expect(await healths().findOne({ _id: webhook.channelId })).not.toHaveProperty('failingSince');
});

test.each([503, 401])(
  'deliveries of a failing channel wait and spend no attempt; one probe tries it (%i)',
  async (status) => {
    const webhook = await addWebhook();
    await failBefore(webhook);
    destination.answerWith(respondWith(status));
    startDispatcher();
    const first = await say(webhook);
    const [kind] = status === 503 ? ['destination_unavailable'] : ['destination_rejected'];
    await became(first, { state: 'waiting', attempts: 0, reason: `${kind}:${status}` });
    expect(await healths().findOne({ _id: webhook.channelId })).toHaveProperty('failingSince');

    const noProbeYet = () =>
      healths().updateOne({ _id: webhook.channelId }, { $set: { probeAt: later() } });
    const others: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      await noProbeYet();
      others.push(await say(webhook));
    }
    await noProbeYet();
    for (const id of others) await became(id, { reason: 'channel_failing', attempts: 0 });
    expect(destination.posts).toHaveLength(1);

    await healths().updateOne({ _id: webhook.channelId }, { $set: { probeAt: past } });
    await makeDue([first, ...others]);
    await waitForValue('a probe', () => destination.posts[1]);
    for (const id of [first, ...others]) await became(id, { state: 'waiting', attempts: 0 });
    expect(destination.posts).toHaveLength(2);

    destination.answerWith(respondWith(200));
    await healths().updateOne({ _id: webhook.channelId }, { $set: { probeAt: past } });
    await makeDue([first, ...others]);
    await waitForValue('the channel works again', async () =>
      (await healths().countDocuments({ _id: webhook.channelId })) === 0 ? true : undefined,
    );
    // A worker that has not seen the success yet postpones them once more.
    await waitForValue('all are delivered', async () => {
      await makeDue([first, ...others]);
      const open = await messages().countDocuments({ 'delivery.open': true });
      return open === 0 ? true : undefined;
    });
    const keys = destination.posts.slice(2).map(({ body }) => body.id);
    expect(new Set(keys)).toEqual(new Set([first, ...others]));
    expect(keys).toHaveLength(13);
  },
);

test('a channel that fails for 72 hours is disabled once, with an audit row', async () => {
  const webhook = await addWebhook();
  const failingSince = new Date(Date.now() - offAfterMs - 1_000);
  await failBefore(webhook, { failures: 4_000, failingSince, probeAt: past });
  destination.answerWith(respondWith(503));
  startDispatcher();
  startDispatcher();
  const id = await say(webhook);
  await waitForValue('it is disabled', async () => {
    const channel = await findChannel(context.stores, webhook.channelId);
    return channel?.enabled === false ? channel : undefined;
  });
  await became(id, { state: 'waiting', reason: 'destination_unavailable:503', attempts: 0 });
  // Again and again: a dispatcher that took the message before may put its next try off.
  const waiting = await waitForValue('it waits for the channel', async () => {
    await makeDue([id]);
    const delivery = await deliveryOf(id);
    return delivery?.reason === 'channel_disabled' ? delivery : undefined;
  });
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(await healths().findOne({ _id: webhook.channelId })).toHaveProperty('offAt');
  const rows = await collectionOf(context.connection, 'audit')
    .find({ 'target.id': webhook.channelId, 'actor.name': 'channel health' })
    .toArray();
  expect(rows).toMatchObject([
    { action: 'channel.change', before: { enabled: true }, after: { enabled: false } },
  ]);
});

test('a probe enables the channel also when a worker disables it in the meantime', async () => {
  const { channelId } = await failsNow();
  let isFirst = true;
  const connection = surroundedConnection(context.connection, async (name, run) => {
    const found = await run();
    if (name === 'channels.findOne' && isFirst) {
      isFirst = false;
      await switchChannelOff(context.stores, channelId);
    }
    return found;
  });
  const late = apiContextOf(context, { connection });
  const actor = { tokenId: 'test', name: 'test' };
  expect(await probeChannel(late, channelId, actor)).toMatchObject({ outcome: 'works' });
  expect(await findChannel(context.stores, channelId)).toMatchObject({ enabled: true });
  expect(await getChannelHealth(context.stores, channelId)).toBeNull();
});

async function failsNow(): Promise<Webhook> {
  const webhook = await addWebhook();
  await failBefore(webhook, isFailing(past));
  return webhook;
}
const createGate = () => createChannelGate({ ...context.stores, logger: silentLogger() });

test('only one of many callers takes the probe of a failing channel', async () => {
  const webhook = await failsNow();
  const taken = await Promise.all(
    Array.from({ length: 10 }, () => takeProbe(context.stores, webhook.channelId)),
  );
  expect(taken.filter((turn) => turn === 'taken')).toHaveLength(1);
  const other = await addWebhook();
  await failBefore(other, isFailing(later()));
  expect(await takeProbe(context.stores, other.channelId)).toBe('later');
});

test('a worker that comes second leaves the deliveries due until the first has claimed the probe', async () => {
  const { channelId } = await failsNow();
  const due = [
    { _id: newId(), channelId },
    { _id: newId(), channelId },
  ];
  const gates = [createGate(), createGate()];
  expect(await gates[0]?.admit(due)).toMatchObject({ admitted: [due[0]], failing: [channelId] });
  expect(await gates[1]?.admit(due)).toMatchObject({
    admitted: [],
    failing: [],
    paused: [channelId],
  });
});

test('the first failures of one channel at once are all counted', async () => {
  const id = newId();
  await Promise.all(
    Array.from({ length: 10 }, () => recordChannelFailure(context.stores, id, 'x:$y')),
  );
  expect(await healths().findOne({ _id: id })).toMatchObject({ failures: 10, reason: 'x:$y' });
});

describe('rates', () => {
  test('messages beyond the rate of a channel wait without an attempt, and others pass', async () => {
    const slow = await addWebhook({ maxPerMinute: 2 });
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await say(slow));
    const other = await say(await addWebhook());
    startDispatcher();
    startDispatcher();
    await became(other, { state: 'delivered' });
    await waitForValue('the first', () => destination.posts.length >= 2 || undefined);
    const waiting = await messages().countDocuments({ _id: { $in: ids }, 'delivery.attempts': 0 });
    expect(waiting).toBeGreaterThanOrEqual(4);
  });

  test('a destination that asks for a pause gets nothing until its end', async () => {
    const webhook = await addWebhook();
    destination.answerWith(respondWith(429, { 'retry-after': '600' }));
    startDispatcher();
    const first = await say(webhook);
    await became(first, { state: 'waiting', attempts: 1, reason: 'destination_unavailable:429' });
    const second = await say(webhook);
    const other = await addWebhook({ url: `${destination.url}/other` });
    destination.answerWith(respondWith(200));
    await became(await say(other), { state: 'delivered' });
    expect(await deliveryOf(second)).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  test.each([{}, { maxPerMinute: 6_000 }])(
    'a pause holds for a worker that knew the channel before it (%j)',
    async (settings) => {
      const { channelId } = await addWebhook(settings);
      const other = await addWebhook();
      const channel = await findChannel(context.stores, channelId);
      const due = [
        { _id: newId(), channelId, contactId: newId() },
        { _id: newId(), channelId: other.channelId, contactId: newId() },
      ];
      const [asked, second] = [createGate(), createGate()];
      expect(await second.admit(due)).toMatchObject({ admitted: due });
      const [first, unpaused] = due;
      const outcome = { kind: 'retry', reason: 'destination_unavailable:429' } as const;
      const rate = { isUnknown: false, scope: 'rate', retryAfterMs: 60_000 } as const;
      if (!channel || !first || !unpaused) throw new Error('The channel is missing.');
      await asked.observeResult(channel, { ...outcome, ...rate });
      expect(await second.grant(due)).toEqual({
        granted: [unpaused],
        spent: [channelId],
        late: new Map(),
      });
      await collectionOf<{ _id: string }>(context.connection, 'channelRates').updateOne(
        { _id: channelId },
        { $set: { pausedUntil: past } },
      );
      expect((await second.grant([first])).granted).toEqual([first]);
    },
  );

  test('after 429 to one of two workers neither sends to the channel', async () => {
    const webhook = await addWebhook();
    const before = await say(webhook);
    startDispatcher({ channelStateMs: 600_000 });
    startDispatcher({ channelStateMs: 600_000 });
    await became(before, { state: 'delivered' });
    destination.answerWith(respondWith(429, { 'retry-after': '600' }));
    const asked = await say(webhook);
    await became(asked, { state: 'waiting', attempts: 1, reason: 'destination_unavailable:429' });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await say(webhook));
    const other = await addWebhook({ url: `${destination.url}/other` });
    destination.answerWith(respondWith(200));
    // Both workers poll several times before the last of these is due.
    for (let n = 0; n < 3; n += 1) await became(await say(other), { state: 'delivered' });
    for (const id of ids) {
      expect(await deliveryOf(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    }
  });
});

test('a channel may give up sooner and wait less', async () => {
  const webhook = await addWebhook({ maxAttempts: 2, maxRetryDelaySeconds: 1 });
  destination.answerWith(respondWith(503));
  startDispatcher();
  const id = await say(webhook);
  await became(id, {
    state: 'dead',
    attempts: 2,
    reason: 'attempts_spent:destination_unavailable:503',
  });
});
