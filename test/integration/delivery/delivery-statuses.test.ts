// What destinations report about sent messages: the delivery that a report names, and the race with the outcome of its attempt.
import { newId } from '../../../src/base/ids.ts';
import { newDelivery } from '../../../src/domain/messages/delivery.ts';
import type { DeliveryStatus } from '../../../src/domain/messages/delivery-status.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { OutboundMessage } from '../../../src/store/chats/deliveries.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { applyDeliveryStatuses } from '../../../src/store/chats/delivery-statuses.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('delivery_statuses');
});
afterAll(() => context.close());

const channelId = 'channel';

/** Stores a message that is claimed for its first attempt. */
async function aClaimedMessage(): Promise<OutboundMessage> {
  const at = new Date();
  const message: OutboundMessage = {
    _id: newId(),
    channelId,
    contactId: 'contact',
    chatId: 'chat',
    typeUser: 'operator',
    content: { type: 'text', message: 'olá' },
    date: at,
    createdAt: at,
    delivery: newDelivery(),
  };
  await collectionOf<OutboundMessage>(context.connection, 'messages').insertOne(message);
  const claim = { token: newId(), leaseMs: 60_000 };
  const [claimed] = await context.stores.deliveries.claim([message._id], claim);
  if (!claimed) throw new Error('The message was not claimed.');
  return claimed;
}

const finish = (message: OutboundMessage, externalId: string) =>
  context.stores.deliveries.finish({
    message,
    outcome: { kind: 'delivered', externalId },
    delayMs: 0,
  });

const report = (over: Partial<DeliveryStatus>, channel = channelId) => ({
  channelId: channel,
  status: { messageId: null, externalId: newId(), state: 'sent', reason: null, ...over } as const,
});

const apply = (...reports: ReturnType<typeof report>[]) =>
  applyDeliveryStatuses(context.stores, reports);

const deliveryOf = async (id: string) => (await context.stores.deliveries.get(id))?.delivery;

test('a report that a message arrived replaces the outcome of the attempt in progress', async () => {
  const message = await aClaimedMessage();
  const status = { messageId: message._id, externalId: newId() };
  expect(await apply(report({ ...status, state: 'failed' }))).toEqual(['early']);
  expect(await apply(report(status))).toEqual(['applied']);
  const delivery = await deliveryOf(message._id);
  expect(delivery).toMatchObject({
    state: 'delivered',
    reported: 'sent',
    externalId: status.externalId,
    isUnknown: false,
    finishedAt: expect.any(Date),
  });
  expect(delivery).not.toHaveProperty('open');
  const late = { kind: 'dead', reason: 'delivery_unknown' } as const;
  expect(await context.stores.deliveries.finish({ message, outcome: late, delayMs: 0 })).toBe(
    false,
  );
  expect(await deliveryOf(message._id)).toEqual(delivery);
});

test('a report finds its message by the id of the destination once the outcome is recorded', async () => {
  const message = await aClaimedMessage();
  const externalId = newId();
  const failed = report({ externalId, state: 'failed', reason: 'destination_rejected:131026' });
  expect(await apply(failed)).toEqual(['unknown']);
  await finish(message, externalId);
  expect(await apply(report({ externalId }), failed, failed)).toEqual([
    'applied',
    'applied',
    'applied',
  ]);
  expect(await deliveryOf(message._id)).toMatchObject({
    state: 'dead',
    reason: 'destination_rejected:131026',
    reported: 'failed',
  });
});

test('a message that was accepted only is told apart from one that arrived, and may still fail', async () => {
  const message = await aClaimedMessage();
  const externalId = newId();
  await context.stores.deliveries.finish({
    message,
    outcome: { kind: 'delivered', externalId, reported: 'accepted' },
    delayMs: 0,
  });
  const accepted = await deliveryOf(message._id);
  expect(accepted).toMatchObject({ state: 'delivered', reported: 'accepted' });
  const named = { messageId: message._id, externalId } as const;
  await apply(report({ ...named, state: 'failed', reason: 'destination_rejected:131026' }));
  expect(await deliveryOf(message._id)).toMatchObject({ state: 'dead', reported: 'failed' });
  await apply(report({ ...named, state: 'delivered' }));
  expect(await deliveryOf(message._id)).toMatchObject({
    state: 'delivered',
    reported: 'delivered',
  });
});

test('a message that failed and is sent again has the reports of its new id only', async () => {
  const message = await aClaimedMessage();
  const [first, second] = [newId(), newId()];
  await finish(message, first);
  const failed = { messageId: message._id, externalId: first, state: 'failed' } as const;
  await apply(report(failed));
  await context.stores.deliveries.resend(message._id, { tokenId: 'test', name: 'test' });
  expect(await apply(report(failed), report({ ...failed, state: 'sent' }))).toEqual([
    'applied',
    'applied',
  ]);
  expect(await deliveryOf(message._id)).toMatchObject({ state: 'waiting', attempts: 0 });
  const claim = { token: newId(), leaseMs: 60_000 };
  const [again] = await context.stores.deliveries.claim([message._id], claim);
  await finish(again ?? message, second);
  await apply(
    report(failed),
    report({ messageId: message._id, externalId: second, state: 'read' }),
  );
  expect(await deliveryOf(message._id)).toMatchObject({
    state: 'delivered',
    externalId: second,
    reported: 'read',
  });
});

test('a report of another channel, or of a message that was never sent, finds nothing', async () => {
  const message = await aClaimedMessage();
  const externalId = newId();
  await finish(message, externalId);
  const named = report({ messageId: message._id, externalId, state: 'read' }, 'other');
  expect(await apply(named, report({ messageId: newId() }))).toEqual(['unknown', 'unknown']);
  expect(await deliveryOf(message._id)).not.toHaveProperty('reported');
});
