// A claim whose answer is lost, and an outcome that comes after the next claim: what this process knows is not lost.
import { AppError } from '../../../src/base/errors.ts';
import type { DeliveryOutcome } from '../../../src/domain/messages/delivery.ts';
import { defaultMaxAttempts } from '../../../src/domain/webhooks/retries.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { OutboundMessage } from '../../../src/store/chats/deliveries.ts';
import { aChannel } from '../../support/context/builders.ts';
import { watchDeliveries } from '../../support/context/delivery.ts';
import {
  neverRespond,
  startDestination,
  type Destination,
} from '../../support/services/destination.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
let destination: Destination;
const { startDispatcher, closeDispatchers, became, deliveryOf, makeDue } = watchDeliveries(
  () => context,
);
beforeAll(async () => {
  context = await createTestContext('lost_claims');
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

/** Returns the id of a message in a channel on hold. */
async function addMessage(settings: object = {}): Promise<string> {
  const channel = {
    kind: 'http',
    settings: { url: destination.url, onUnknown: 'hold', ...settings },
  } as const;
  const webhook = await context.addWebhook(leadMapping, await aChannel(context, channel));
  const id = await context.send(webhook, { id: 'e1', text: 'hello', lead: { id: 'p1' } });
  await context.processEvents([id]);
  return id;
}

const keys = () => destination.posts.map(({ headers }) => String(headers['idempotency-key']));

/** A delivery whose first claim is lost, and that the second ended because it is on hold. Returns the first claim. */
async function givenUpWhileStalled(): Promise<OutboundMessage> {
  const id = await addMessage();
  const [stalled] = await context.stores.deliveries.claim([id], { token: 'a', leaseMs: 60_000 });
  await makeDue(id);
  startDispatcher();
  await became(id, { state: 'dead' });
  if (!stalled) throw new Error('Nothing was claimed.');
  return stalled;
}

test.each<[DeliveryOutcome, object]>([
  [
    { kind: 'delivered', externalId: 'x' },
    { state: 'delivered', reason: null, externalId: 'x' },
  ],
  [
    { kind: 'dead', reason: 'destination_rejected:400' },
    { state: 'dead', reason: 'destination_rejected:400' },
  ],
])('a late outcome settles what the next claim ended as unknown: %j', async (outcome, settled) => {
  const stalled = await givenUpWhileStalled();
  const { deliveries } = context.stores;
  expect(await deliveries.finish({ message: stalled, outcome, delayMs: 0 })).toBe(true);
  expect(await deliveryOf(stalled._id)).toMatchObject(settled);
  expect(await deliveries.finish({ message: stalled, outcome, delayMs: 0 })).toBe(false);
});

test('a stalled worker that sent nothing has its delivery sent, although it was ended as unknown', async () => {
  const stalled = await givenUpWhileStalled();
  const outcome = { kind: 'retry', reason: 'store_unavailable', isUnknown: false } as const;
  await context.stores.deliveries.finish({ message: stalled, outcome, delayMs: 0 });
  await became(stalled._id, { state: 'delivered' });
  expect(keys()).toEqual([stalled._id]);
});

test('a late outcome of the last attempt settles what the next claim ended without attempts', async () => {
  const { deliveries } = context.stores;
  const id = await addMessage();
  await collectionOf<OutboundMessage>(context.connection, 'messages').updateOne(
    { _id: id },
    { $set: { 'delivery.attempts': defaultMaxAttempts - 1 } },
  );
  const [last] = await deliveries.claim([id], { token: 'a', leaseMs: 60_000 });
  if (!last) throw new Error('Nothing was claimed.');
  await makeDue(id);
  await deliveries.claim([id], { token: 'b', leaseMs: 60_000 });
  expect(await deliveryOf(id)).toMatchObject({ state: 'dead', reason: 'attempts_spent' });
  const outcome = { kind: 'delivered' } as const;
  expect(await deliveries.finish({ message: last, outcome, delayMs: 0 })).toBe(true);
  expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', reason: null });
});

test('a late outcome does not settle what a later attempt left unknown, nor what a person sent again', async () => {
  const { deliveries } = context.stores;
  const id = await addMessage({ timeoutSeconds: 1 });
  const [first] = await deliveries.claim([id], { token: 'a', leaseMs: 60_000 });
  if (!first) throw new Error('Nothing was claimed.');
  const late = { message: first, delayMs: 0 };
  const retry = { kind: 'retry', reason: 'destination_unavailable:503', isUnknown: false } as const;
  expect(await deliveries.finish({ ...late, outcome: retry })).toBe(true);
  destination.answerWith(neverRespond);
  startDispatcher();
  expect(await became(id, { state: 'dead' })).toMatchObject({ reason: 'delivery_unknown' });
  expect(await deliveries.finish({ ...late, outcome: retry })).toBe(false);
  await closeDispatchers();
  const stalled = await givenUpWhileStalled();
  await closeDispatchers();
  await deliveries.resend(stalled._id, actor);
  expect(await deliveries.finish({ message: stalled, outcome: retry, delayMs: 0 })).toBe(false);
});

test('a claim whose answer is lost is read again, so that its deliveries are not given up as unknown', async () => {
  const { deliveries } = context.stores;
  let claims = 0;
  const claim: typeof deliveries.claim = async (...given) => {
    const claimed = await deliveries.claim(...given);
    if ((claims += 1) === 1) throw new AppError('unavailable');
    return claimed;
  };
  const id = await addMessage();
  startDispatcher({ stores: { ...context.stores, deliveries: { ...deliveries, claim } } });
  expect(await became(id, { state: 'delivered' })).toMatchObject({ attempts: 1 });
  expect(keys()).toEqual([id]);
});
