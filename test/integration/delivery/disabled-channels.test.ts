// The effect of a disabled channel on events and on the deliveries of their messages.
import { createVault } from '../../../src/base/secrets/vault.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { aChannel } from '../../support/context/builders.ts';
import { watchDeliveries } from '../../support/context/delivery.ts';
import { startDestination, type Destination } from '../../support/services/destination.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { findChannel, updateChannel, insertChannel } from '../../../src/store/channels/channels.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
let destination: Destination;
const { startDispatcher, closeDispatchers, became, makeDue } = watchDeliveries(() => context);

beforeAll(async () => {
  context = await createTestContext('disabled_channels');
  destination = await startDestination();
});
afterEach(async () => {
  await closeDispatchers();
  await context.clear();
  destination.posts.splice(0);
});
afterAll(async () => {
  await destination.close();
  await context.close();
});

async function addWebhook(kind: 'http' | 'inbox' = 'http'): Promise<Webhook> {
  const settings = kind === 'http' ? { url: destination.url } : {};
  const channelId = await aChannel(context, { name: 'To', kind, settings });
  return context.addWebhook(leadMapping, channelId);
}

let count = 0;
async function send(webhook: Webhook): Promise<string> {
  const n = (count += 1);
  const id = await context.send(webhook, { id: `e${n}`, text: 'hello', lead: { id: `p${n}` } });
  await context.newProcessing()([id]);
  return id;
}
const say = async (webhook: Webhook) => await send(webhook);

async function switchTo({ channelId }: Webhook, enabled: boolean): Promise<void> {
  const channel = await findChannel(context.stores, channelId);
  if (!channel) throw new Error('There is no such channel.');
  await updateChannel(context.stores, { seen: channel, change: { enabled } }, actor);
}

const waits = { state: 'waiting', reason: 'channel_disabled', attempts: 0 };

test('messages to a disabled channel wait while others are delivered, and are delivered once it is enabled', async () => {
  const webhook = await addWebhook();
  const before = await say(webhook);
  await switchTo(webhook, false);
  const after = await say(webhook);
  const other = await say(await addWebhook());
  const dispatcher = startDispatcher();
  await became(other, { state: 'delivered' });
  await became(before, waits);
  await became(after, waits);
  expect(destination.posts).toHaveLength(1);
  await dispatcher.close();

  await switchTo(webhook, true);
  await makeDue(before, after);
  startDispatcher();
  await became(before, { state: 'delivered', attempts: 1, reason: null });
  await became(after, { state: 'delivered', attempts: 1, reason: null });
});

test('a channel that is disabled between poll and attempt gets nothing, and the attempt is not counted', async () => {
  const webhook = await addWebhook();
  const id = await say(webhook);
  let reads = 0;
  const connection = surroundedConnection(context.connection, async (name, run) => {
    if (name === 'channels.findOne' && (reads += 1) === 2) await switchTo(webhook, false);
    return run();
  });
  startDispatcher({ stores: { ...context.stores, connection } });
  await became(id, waits);
  expect(destination.posts).toEqual([]);
});

test('deliveries of a channel with an unreadable secret wait until the right key is configured', async () => {
  const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const { _id } = await insertChannel(
    context.stores,
    {
      id: 'sealed-channel',
      name: 'To',
      kind: 'http',
      settings: { url: destination.url },
      secrets: {
        authorization: createVault(keys).seal('"Bearer x"', 'channel:sealed-channel:authorization'),
      },
    },
    actor,
  );
  const id = await say(await context.addWebhook(leadMapping, _id));
  const blind = startDispatcher({ secretKeys: keys.slice(1) });
  const waiting = await became(id, { ...waits, reason: 'secret_unreadable' });
  expect(waiting.nextAt).not.toBeNull();
  expect(destination.posts).toEqual([]);
  await blind.close();
  await makeDue(id);
  startDispatcher({ secretKeys: keys.toReversed() });
  await became(id, { state: 'delivered', attempts: 1 });
  expect(destination.posts[0]?.headers.authorization).toBe('Bearer x');
});

test.each([
  ['an inbox', 'inbox', { state: 'dead', reason: 'channel_missing' }],
  ['a channel that leads outside', 'http', { state: 'done', reason: null }],
] as const)('the events of %s that is disabled', async (_what, kind, expected) => {
  const webhook = await addWebhook(kind);
  await switchTo(webhook, false);
  expect(await context.stores.events.get(await send(webhook))).toMatchObject(expected);
});
