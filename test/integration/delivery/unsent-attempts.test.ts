// Attempts that end in Inlet before anything is sent: they do not count, they wait longer each time, and they are bounded.
import { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { defaultMaxAttempts } from '../../../src/domain/webhooks/retries.ts';
import { attemptDelivery } from '../../../src/delivery/attempt.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { noTracing } from '../../../src/base/observability/tracing.ts';
import { metricLabels } from '../../../src/domain/metric-labels.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { OutboundMessage } from '../../../src/store/chats/deliveries.ts';
import { aChannel } from '../../support/context/builders.ts';
import { watchDeliveries } from '../../support/context/delivery.ts';
import { startDestination, type Destination } from '../../support/services/destination.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';

let context: TestContext;
let destination: Destination;
const { startDispatcher, closeDispatchers, became, makeDue } = watchDeliveries(() => context);
beforeAll(async () => {
  context = await createTestContext('unsent_attempts');
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

async function addMessage(): Promise<string> {
  const settings = { url: destination.url };
  const channelId = await aChannel(context, { kind: 'http', settings });
  const webhook = await context.addWebhook(leadMapping, channelId);
  const id = await context.send(webhook, { id: 'e1', text: 'hello', lead: { id: 'p1' } });
  await context.processEvents([id]);
  return id;
}

/** Stores in which the reads of an attempt fail this often. The poll and the claims before them work. */
function flapping(failures: number) {
  const { stores } = context;
  let left = failures;
  const getContact: typeof stores.inbox.getContact = (id) =>
    (left -= 1) >= 0 ? Promise.reject(new AppError('unavailable')) : stores.inbox.getContact(id);
  return { ...stores, inbox: { ...stores.inbox, getContact } };
}

const setDelivery = (id: string, values: object) =>
  collectionOf<OutboundMessage>(context.connection, 'messages').updateOne(
    { _id: id },
    { $set: values },
  );

test('a database that fails in more attempts than there are leaves the message waiting, and it is sent once', async () => {
  const id = await addMessage();
  const failures = defaultMaxAttempts + 3;
  startDispatcher({ stores: flapping(failures) });
  for (let unsent = 1; unsent <= failures; unsent += 1) {
    const waiting = await became(id, { state: 'waiting', unsent });
    expect(waiting).toMatchObject({ attempts: 0, reason: 'store_unavailable', isUnknown: false });
    await makeDue(id);
  }
  const delivered = await became(id, { state: 'delivered' });
  expect(delivered).toMatchObject({ attempts: 1, reason: null });
  expect(delivered).not.toHaveProperty('unsent');
  expect(destination.posts).toHaveLength(1);
});

test('the wait for the database doubles up to ten minutes', async () => {
  const id = await addMessage();
  const seconds = [5, 10, 20, 40, 80, 160, 320, 600, 600];
  let since = await context.databaseTime();
  startDispatcher({ stores: flapping(seconds.length) });
  for (const [index, wait] of seconds.entries()) {
    const { nextAt } = await became(id, { state: 'waiting', unsent: index + 1 });
    expect(+(nextAt ?? 0)).toBeGreaterThanOrEqual(+since + wait * 1_000);
    expect(+(nextAt ?? 0)).toBeLessThanOrEqual(+(await context.databaseTime()) + wait * 1_000);
    since = await context.databaseTime();
    await makeDue(id);
  }
});

test('too many attempts in a row that sent nothing end as a dead letter, which a person may send again', async () => {
  const id = await addMessage();
  await setDelivery(id, { 'delivery.unsent': 191 });
  startDispatcher({ stores: flapping(1) });
  const dead = await became(id, { state: 'dead' });
  expect(dead).toMatchObject({ reason: 'attempts_spent:store_unavailable' });
  await context.stores.deliveries.resend(id, { tokenId: 'test', name: 'test' });
  await became(id, { state: 'delivered', attempts: 1 });
});

test('a message that crashes workers becomes a dead letter, although attempts between did not count', async () => {
  const id = await addMessage();
  const { deliveries } = context.stores;
  const free = {
    kind: 'retry',
    reason: 'store_unavailable',
    isUnknown: false,
    free: 'inlet',
  } as const;
  for (let crashes = 0; crashes < defaultMaxAttempts; crashes += 1) {
    const [given] = await deliveries.claim([id], { token: `free${crashes}`, leaseMs: 60_000 });
    expect(given?.delivery.attempts).toBe(crashes + 1);
    await deliveries.finish({ message: given as OutboundMessage, outcome: free, delayMs: 0 });
    // Nobody records the outcome of this claim.
    await deliveries.claim([id], { token: `crash${crashes}`, leaseMs: 60_000 });
    await makeDue(id);
  }
  const [last] = await deliveries.claim([id], { token: 'last', leaseMs: 60_000 });
  expect(last?.delivery).toMatchObject({
    state: 'dead',
    reason: 'attempts_spent',
    attempts: defaultMaxAttempts,
  });
});

test('a socket error of a kind counts, because something may have been sent', async () => {
  const id = await addMessage();
  const { deliveries, inbox } = context.stores;
  const [message] = await deliveries.claim([id], { token: 'a', leaseMs: 60_000 });
  const failed = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  await attemptDelivery(
    {
      connection: context.connection,
      deliveries,
      contacts: { get: inbox.getContact },
      deliverers: { http: () => Promise.reject(failed) },
      gate: { observeResult: (_channel, outcome) => Promise.resolve(outcome) },
      vault: context.newResources().vault,
      leaseMs: 60_000,
      random: () => 1,
      logger: silentLogger(),
      metrics: createMetrics(metricLabels),
      tracing: noTracing,
      clock: systemClock,
    },
    { message: message as OutboundMessage, claimedMs: systemClock.elapsedMs() },
  );
  await became(id, { state: 'waiting', reason: 'internal_error', attempts: 1 });
});
