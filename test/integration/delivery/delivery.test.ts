// Outbound messages: each arrives once. A message that cannot be delivered is kept with its reason for a user to decide.
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { OutboundMessage } from '../../../src/store/chats/deliveries.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { aChannel } from '../../support/context/builders.ts';
import { startTestDelivery, watchDeliveries } from '../../support/context/delivery.ts';
import {
  respondWith,
  neverRespond,
  startDestination,
  type Destination,
} from '../../support/services/destination.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
let destination: Destination;
const watched = watchDeliveries(() => context);
const { startDispatcher, makeDue } = watched;
beforeAll(async () => {
  context = await createTestContext('delivery');
});
beforeEach(async () => {
  await context.clear();
  destination = await startDestination();
});
afterEach(async () => {
  await destination.close();
  await watched.closeDispatchers();
});
afterAll(() => context.close());

const messages = () => collectionOf<OutboundMessage>(context.connection, 'messages');
const past = new Date(0);

/** For a destination that must not be given up during the test. More than the API accepts. */
const patient = { timeoutSeconds: 40 };

async function addWebhook(settings: object = {}, url = destination.url): Promise<Webhook> {
  const channel = { name: 'Out', kind: 'http', settings: { url, ...settings } } as const;
  return context.addWebhook(leadMapping, await aChannel(context, channel));
}

let count = 0;
/** Records and processes an event. Returns the id of its message. */
async function say(webhook: Webhook, wakeDelivery = () => {}): Promise<string> {
  const n = (count += 1);
  const lead = { id: `p${n}`, name: `Person ${n}`, phone: `+55 11 9${70_000_000 + n}` };
  const id = await context.send(webhook, { id: `e${n}`, text: `hello ${n}`, lead });
  await context.newProcessing({ wakeDelivery })([id]);
  return id;
}

async function deliveryOf(id: string) {
  const delivery = await watched.deliveryOf(id);
  if (!delivery) throw new Error('There is no such delivery.');
  return delivery;
}

const became = (id: string, state: string) => watched.became(id, { state });

/** Whether the next attempt is so many seconds after the last one, which ended between `since` and now. */
async function waits(id: string, seconds: number, since: Date): Promise<boolean> {
  const nextAt = +((await deliveryOf(id)).nextAt ?? past);
  const isLateEnough = nextAt >= +since + seconds * 1_000;
  return isLateEnough && nextAt <= +(await context.databaseTime()) + seconds * 1_000;
}

const keys = () => destination.posts.map(({ headers }) => String(headers['idempotency-key']));

test('a message arrives once, with its sender, and is completed', async () => {
  const id = await say(await addWebhook());
  expect(await deliveryOf(id)).toMatchObject({
    state: 'waiting',
    open: true,
    attempts: 0,
    fence: 0,
  });
  startDispatcher();
  const delivery = await became(id, 'delivered');
  expect(delivery).toMatchObject({ attempts: 1, reason: null, nextAt: null });
  expect(delivery).not.toHaveProperty('open');
  expect(keys()).toEqual([id]);
  expect(destination.posts[0]?.body).toMatchObject({
    id,
    test: false,
    contact: { name: `Person ${count}`, phone: `+55119${70_000_000 + count}` },
    content: { text: `hello ${count}` },
  });
});

test('a message of an inbox is not delivered', async () => {
  const id = await say(await context.addWebhook());
  expect(await messages().findOne({ _id: id })).not.toHaveProperty('delivery');
});

test('an event that is processed twice has its message delivered once', async () => {
  const webhook = await addWebhook();
  const id = await say(webhook);
  startDispatcher();
  await became(id, 'delivered');
  await collectionOf(context.connection, 'events').updateOne(
    { _id: id },
    {
      $set: { state: 'received', open: true, dueAt: null },
    },
  );
  await context.processEvents([id]);
  await say(webhook);
  await waitForValue('the second message', () => destination.posts[1]);
  expect(new Set(keys()).size).toBe(2);
  expect(keys()).toHaveLength(2);
});

test('a new message wakes the dispatcher, which does not wait for its next poll', async () => {
  const dispatcher = startDispatcher({ intervalMs: 3_600_000 });
  await say(await addWebhook(), dispatcher.wake);
  await waitForValue('the message', () => destination.posts[0]);
});

test('two dispatchers that race deliver each message once', async () => {
  const webhooks = await Promise.all([1, 2, 3, 4].map(() => addWebhook()));
  const ids: string[] = [];
  for (let n = 0; n < 24; n += 1) ids.push(await say(webhooks[n % 4] as Webhook));
  startDispatcher({ intervalMs: 1 });
  startDispatcher({ intervalMs: 1 });
  for (const id of ids) await became(id, 'delivered');
  expect(keys().toSorted()).toEqual(ids.toSorted());
});

test('a dispatcher that saw a message before another claimed it does not post it again', async () => {
  destination.answerWith(neverRespond);
  const id = await say(await addWebhook(patient));
  const { deliveries } = context.stores;
  const seen = await deliveries.findDue(10, []);
  expect(seen).toHaveLength(1);
  startDispatcher();
  await waitForValue('the message', () => destination.posts[0]);
  const won: number[] = [];
  const claim: typeof deliveries.claim = async (...given) => {
    const claimed = await deliveries.claim(...given);
    won.push(claimed.length);
    return claimed;
  };
  const late = { ...deliveries, findDue: () => Promise.resolve(seen), claim };
  startDispatcher({ stores: { ...context.stores, deliveries: late } });
  await waitForValue('two claims', () => won[1]);
  expect(won.every((count) => count === 0)).toBe(true);
  expect(keys()).toEqual([id]);
});

/** Stores of a process that dies after its POST and before it records it. */
function dyingStores() {
  const { deliveries } = context.stores;
  const finish = () => new Promise<never>(() => {});
  return { ...context.stores, deliveries: { ...deliveries, finish } };
}

async function killedAfterPost(settings: Record<string, unknown>): Promise<string> {
  const id = await say(await addWebhook(settings));
  const dying = startTestDelivery(context, { stores: dyingStores(), intervalMs: 1_000 });
  await waitForValue('the message', () => destination.posts[0]);
  void dying.close();
  expect((await deliveryOf(id)).state).toBe('sending');
  await makeDue(id);
  return id;
}

test.each([{}, { onUnknown: 'resend' }])(
  'killed between the POST and its record, %o: sent again under the same key',
  async (settings) => {
    const id = await killedAfterPost(settings);
    startDispatcher();
    expect(await became(id, 'delivered')).toMatchObject({ attempts: 2 });
    expect(keys()).toEqual([id, id]);
  },
);

test('killed between the POST and its record, on hold: a user decides, and may resend it', async () => {
  const id = await killedAfterPost({ onUnknown: 'hold' });
  startDispatcher();
  expect(await became(id, 'dead')).toMatchObject({ reason: 'delivery_unknown' });
  expect(keys()).toEqual([id]);
  await context.stores.deliveries.resend(id, actor);
  await became(id, 'delivered');
  expect(keys()).toEqual([id, id]);
});

test('a message on hold stays on hold when the database fails before the channel is read', async () => {
  const id = await killedAfterPost({ onUnknown: 'hold' });
  let reads = 0;
  // The poll makes the first read, the attempt the second.
  const connection = surroundedConnection(context.connection, (name, run) => {
    if (name !== 'channels.findOne' || (reads += 1) !== 2) return run();
    return Promise.reject(new AppError('unavailable'));
  });
  startDispatcher({ stores: { ...context.stores, connection } });
  expect(await became(id, 'waiting')).toMatchObject({ reason: 'store_unavailable' });
  await makeDue(id);
  expect(await became(id, 'dead')).toMatchObject({ reason: 'delivery_unknown' });
  expect(keys()).toEqual([id]);
});

test('a delivery whose lease has not ended is not claimed', async () => {
  destination.answerWith(neverRespond);
  const id = await say(await addWebhook(patient));
  startDispatcher();
  await waitForValue('the message', () => destination.posts[0]);
  expect(await context.stores.deliveries.findDue(10, [])).toEqual([]);
  expect(await context.stores.deliveries.claim([id], { token: 'other', leaseMs: 1 })).toEqual([]);
});

test('the outcome of a stalled dispatcher does not overwrite a later one', async () => {
  const id = await say(await addWebhook());
  const claim = (token: string) =>
    context.stores.deliveries.claim([id], { token, leaseMs: 60_000 }).then(([first]) => first);
  const stalled = (await claim('stalled')) as OutboundMessage;
  await makeDue(id);
  const next = (await claim('next')) as OutboundMessage;
  expect(next.delivery).toMatchObject({ attempts: 2, fence: 2, isUnknown: true });
  const finish = (message: OutboundMessage, reason: string) =>
    context.stores.deliveries.finish({ message, outcome: { kind: 'dead', reason }, delayMs: 0 });
  expect(await finish(stalled, 'late')).toBe(false);
  expect((await deliveryOf(id)).state).toBe('sending');
  expect(await finish(next, 'mine')).toBe(true);
  expect((await deliveryOf(id)).reason).toBe('mine');
});

test('nothing is sent when the lease may end before the attempt does', async () => {
  const id = await say(await addWebhook());
  let elapsed = 0;
  startDispatcher({ clock: { ...systemClock, elapsedMs: () => (elapsed += 31_000) } });
  const unsent = { state: 'waiting', unsent: 1 };
  expect(await watched.became(id, unsent)).toMatchObject({
    reason: 'store_unavailable',
    attempts: 0,
  });
  expect(destination.posts).toEqual([]);
});

const attempted = async (id: string): Promise<number | undefined> => {
  const { attempts, state } = await deliveryOf(id);
  return attempts > 0 && state === 'waiting' ? attempts : undefined;
};

test('a destination with Retry-After gets no earlier attempt', async () => {
  const at = new Date('2026-01-06T12:00:00Z');
  const clock = { ...systemClock, now: () => at };
  for (const [retryAfter, seconds] of [
    ['7200', 7_205],
    ['Tue, 06 Jan 2026 15:00:00 GMT', 10_805],
    ['999999999', 86_405],
  ] as const) {
    destination.answerWith(respondWith(429, { 'retry-after': retryAfter }));
    const id = await say(await addWebhook());
    const since = await context.databaseTime();
    const dispatcher = startDispatcher({ clock });
    await waitForValue('an attempt', () => attempted(id));
    expect([seconds, await waits(id, seconds, since)]).toEqual([seconds, true]);
    await dispatcher.close();
  }
});

test('the wait grows with each attempt, and ends with a dead letter that a user may retry', async () => {
  destination.answerWith(respondWith(500));
  const id = await say(await addWebhook());
  let since = await context.databaseTime();
  startDispatcher();
  for (const [index, seconds] of [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000].entries()) {
    await waitForValue(`attempt ${index + 1}`, async () =>
      (await attempted(id)) === index + 1 ? true : undefined,
    );
    expect([seconds, await waits(id, seconds, since)]).toEqual([seconds, true]);
    since = await context.databaseTime();
    await makeDue(id);
  }
  expect(await became(id, 'dead')).toMatchObject({
    attempts: 9,
    reason: 'attempts_spent:destination_unavailable:500',
    nextAt: null,
  });
  expect(destination.posts).toHaveLength(9);
  expect(await context.stores.deliveries.findDue(10, [])).toEqual([]);

  destination.answerWith(respondWith(200));
  await context.stores.deliveries.resend(id, actor);
  expect(await became(id, 'delivered')).toMatchObject({ attempts: 1 });
  expect(new Set(keys())).toEqual(new Set([id]));
  expect(await context.stores.deliveries.resend(id, actor)).toEqual({
    ok: false,
    reason: 'not_found',
  });
});

test('a dispatcher that dies on the last attempt leaves a dead letter, not an open one', async () => {
  const id = await say(await addWebhook());
  const spent = { 'delivery.state': 'sending', 'delivery.attempts': 9, 'delivery.nextAt': past };
  await messages().updateOne({ _id: id }, { $set: spent });
  startDispatcher();
  expect(await became(id, 'dead')).toMatchObject({ attempts: 9, reason: 'attempts_spent' });
  expect(destination.posts).toEqual([]);
});

test('a destination that hangs delays no other, and uses no more than its share', async () => {
  const hanging = await startDestination();
  let inFlight = 0;
  let most = 0;
  // A busy machine may take so long that an attempt ends and the next one begins.
  hanging.answerWith((response) => {
    most = Math.max(most, (inFlight += 1));
    response.once('close', () => (inFlight -= 1));
  });
  const slow = await addWebhook(patient, hanging.url);
  const quick = await addWebhook();
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) await say(slow);
  for (let n = 0; n < 10; n += 1) ids.push(await say(quick));
  startDispatcher();
  for (const id of ids) await became(id, 'delivered');
  await waitForValue('its share is used', () => (most >= 8 ? true : undefined));
  expect(most).toBe(8);
  await hanging.close();
});

test('under hold, a timeout after the message was sent waits for a user; a refused connection does not', async () => {
  destination.answerWith(neverRespond);
  const silent = await say(await addWebhook({ onUnknown: 'hold', timeoutSeconds: 1 }));
  const absent = await say(await addWebhook({ onUnknown: 'hold' }, 'http://127.0.0.1:9/'));
  startDispatcher();
  expect(await became(silent, 'dead')).toMatchObject({ reason: 'delivery_unknown' });
  await waitForValue('an attempt', () => attempted(absent));
  expect(await deliveryOf(absent)).toMatchObject({
    reason: 'destination_unavailable:ECONNREFUSED',
  });
});

test('an outcome that MongoDB rejects at first is written later, and nothing is sent twice', async () => {
  const { deliveries } = context.stores;
  let tries = 0;
  const finish: typeof deliveries.finish = (given) =>
    (tries += 1) === 1 ? Promise.reject(new Error('no primary')) : deliveries.finish(given);
  const id = await say(await addWebhook());
  startDispatcher({ stores: { ...context.stores, deliveries: { ...deliveries, finish } } });
  await became(id, 'delivered');
  expect(destination.posts).toHaveLength(1);
});

test('a dispatcher that is closed waits for the attempts in flight', async () => {
  let let200 = () => {};
  destination.answerWith((response) => void (let200 = () => void response.writeHead(200).end()));
  const id = await say(await addWebhook(patient));
  const dispatcher = startDispatcher();
  await waitForValue('the message', () => destination.posts[0]);
  const closed = dispatcher.close();
  await pause(50);
  let200();
  await closed;
  expect((await deliveryOf(id)).state).toBe('delivered');
});
