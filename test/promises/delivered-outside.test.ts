// Promises 2 and 5 for outbound messages, with real processes: a message is delivered once. After a worker is killed
// between the POST and its record, the setting of the channel decides.
import { http } from '../../src/channels/http/http.ts';
import {
  neverRespond,
  respondWith,
  startDestination,
  type Destination,
} from '../support/services/destination.ts';
import { createDeployment, type Deployment } from '../support/processes/roles.ts';
import { waitForValue, type Webhook } from '../support/processes/client.ts';
import { leadMapping } from '../support/context/test-context.ts';

let inlet: Deployment;
let destination: Destination;

beforeAll(async () => {
  inlet = await createDeployment('outside', {
    // A destination in this process may be held up for seconds.
    env: { INLET_ALLOWED_DESTINATIONS: '127.0.0.0/8', INLET_LEASE_MS: '60000' },
  });
  await inlet.start('server');
});
beforeEach(async () => {
  destination = await startDestination();
});
afterEach(() => destination.close());
afterAll(() => inlet.close());

async function addWebhook(settings: object): Promise<Webhook & { channelId: string }> {
  const { client } = inlet;
  const channel = await client.call('createChannel', {
    body: {
      name: 'Out',
      kind: 'http',
      settings: { url: `${destination.url}?secret=hidden`, timeoutSeconds: 10, ...settings },
    },
  });
  const webhook = await client.call('createWebhook', {
    body: { name: 'Leads', channelId: channel.id },
  });
  await client.deliver(webhook.key, { id: 'sample' });
  await client.activate(webhook.id, leadMapping);
  return { ...webhook, channelId: channel.id };
}

let count = 0;
const lead = () => {
  const n = (count += 1);
  return { id: `e${n}`, text: 'whispered', lead: { phone: `+55 11 9${60_000_000 + n}` } };
};

const deliveriesOf = async (channelId: string) =>
  (await inlet.client.call('listDeliveries', { query: { channelId: [channelId] } })).results;

const keys = () => destination.posts.map(({ headers }) => String(headers['idempotency-key']));

test('each message arrives once for any number of resends, and no log contains any of it', async () => {
  const workers = [await inlet.start('worker'), await inlet.start('worker')];
  const { key, channelId } = await addWebhook({});
  const payloads = Array.from({ length: 10 }, lead);
  for (const payload of [...payloads, ...payloads])
    await inlet.client.deliverPatiently(key, payload);
  const delivered = await waitForValue('ten deliveries', async () => {
    const found = await deliveriesOf(channelId);
    return found.filter(({ state }) => state === 'delivered').length === 10 ? found : undefined;
  });
  expect(keys().toSorted()).toEqual(delivered.map(({ id }) => id).toSorted());
  for (const worker of workers) expect(await worker.stop()).toBe(0);
  expect(inlet.output()).toContain('delivery.attempted');
  expect(inlet.output()).not.toMatch(/hidden|whispered|messages\?/);
});

test.each([
  ['resend', 'delivered', 2],
  ['hold', 'dead', 1],
] as const)('a worker killed before it records its POST: %s', async (onUnknown, state, posts) => {
  const worker = await inlet.start('worker');
  const { key, channelId } = await addWebhook({ onUnknown });
  destination.answerWith(() => void worker.kill());
  await inlet.client.deliverPatiently(key, lead());
  await waitForValue('the worker is gone', () => (worker.isRunning() ? undefined : true));
  expect(await deliveriesOf(channelId)).toMatchObject([{ state: 'sending' }]);

  const leaseEnded = { $set: { 'delivery.nextAt': new Date(0) } };
  await inlet.db.collection('messages').updateMany({ 'delivery.state': 'sending' }, leaseEnded);
  destination.answerWith(respondWith(200));
  const next = await inlet.start('worker');
  const [delivery] = await waitForValue('an end', async () => {
    const found = await deliveriesOf(channelId);
    return ['delivered', 'dead'].includes(found[0]?.state ?? '') ? found : undefined;
  });
  expect(delivery).toMatchObject({ state, reason: state === 'dead' ? 'delivery_unknown' : null });
  expect(keys()).toEqual(Array.from({ length: posts }, () => delivery?.id));
  expect(await next.stop()).toBe(0);
});

test('a worker that shuts down records a delivery of the maximum duration', async () => {
  const { properties } = http.settingsSchema as {
    properties: { timeoutSeconds: { maximum: number } };
  };
  const timeoutSeconds = properties.timeoutSeconds.maximum;
  const worker = await inlet.start('worker', { INLET_LEASE_MS: '60000' });
  const { key, channelId } = await addWebhook({ timeoutSeconds });
  let exitCode: Promise<number | null> | undefined;
  destination.answerWith((response, posted) => {
    exitCode = worker.stop();
    // The attempt ends by its own time limit, however long this process is held up.
    neverRespond(response, posted);
  });
  await inlet.client.deliverPatiently(key, lead());
  expect(await waitForValue('the worker is told to end', () => exitCode)).toBe(0);
  const reason = expect.stringContaining('timeout');
  const recorded = { state: 'waiting', reason, attempts: 1 };
  expect(await deliveriesOf(channelId)).toMatchObject([recorded]);
});
