// Redis fails over behind one name: the former primary lives on as a read-only replica, and open connections stay with it.
import { waitForValue } from '../../support/processes/client.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { startNameProxy, type NameProxy } from '../../support/services/name-proxy.ts';
import { durableArgs, startRedisNode, type RedisNode } from '../../support/services/redis-nodes.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createConsumer } from '../../../src/queue/consumer.ts';
import { invalidationChannels, listenForChanges } from '../../../src/queue/invalidations.ts';
import { createEventQueue, eventIdsOf } from '../../../src/queue/process-events.ts';
import { replicaFailure } from '../../../src/queue/primary.ts';
import { requireUsableRedis } from '../../../src/queue/server-info.ts';

jest.setTimeout(120_000);

const startNode = () =>
  startRedisNode({
    args: ({ port, folder }) => ['--port', String(port), ...durableArgs(folder)],
  });

let nodes: readonly [RedisNode, RedisNode];
let name: NameProxy;
const opened: { close(): unknown }[] = [];
beforeAll(async () => {
  nodes = [await startNode(), await startNode()];
});
beforeEach(async () => {
  await becomePrimary(nodes[0]);
  name = await startNameProxy(nodes[0].port);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  name.close();
});
afterAll(() => Promise.all(nodes.map((node) => node.close())));

/** Makes it the primary of the other one. */
async function becomePrimary(node: RedisNode): Promise<void> {
  const other = node === nodes[0] ? nodes[1] : nodes[0];
  await node.client.replicaof('NO', 'ONE');
  await other.client.replicaof('127.0.0.1', node.port);
  await waitForValue('the replica has the data of its primary', async () =>
    (await other.client.info('replication')).includes('master_link_status:up') ? true : undefined,
  );
}

let count = 0;
function openQueue() {
  count += 1;
  const warnings: string[] = [];
  const warn = (_fields: object, event: string) => warnings.push(event);
  const around = {
    redisUrl: `redis://127.0.0.1:${name.port}`,
    prefix: `test_failover_${count}`,
    logger: Object.assign(silentLogger(), { warn }),
    metrics: createMetrics(),
  };
  const queue = createEventQueue(around);
  opened.push(queue);
  const isUp = async (): Promise<unknown> => (await around.metrics.redisUp.get()).values[0]?.value;
  return { around, queue, warnings, isUp };
}

function openConsumer(around: ReturnType<typeof openQueue>['around']) {
  const taken = new Set<string>();
  const consumer = createConsumer({
    ...around,
    concurrency: 10,
    work: (job) => {
      for (const id of eventIdsOf(job)) taken.add(id);
      return Promise.resolve();
    },
  });
  opened.push(consumer);
  return { consumer, taken };
}

const isReady = ({ queue }: ReturnType<typeof openQueue>) =>
  waitForValue('the queue is ready', () => queue.isReady || undefined);

test('hints, blocked fetches and invalidations go on at the new primary', async () => {
  const producer = openQueue();
  const { around, queue } = producer;
  await isReady(producer);
  const { taken } = openConsumer(around);
  const changes: string[] = [];
  const listener = listenForChanges({
    ...around,
    onChange: (id) => changes.push(id),
    onTokenChange: () => undefined,
    onGap: () => undefined,
  });
  opened.push(listener);
  await waitForValue('it listens', () => listener.isLive() || undefined);
  const hintUntilTaken = (mark: string) =>
    waitForValue(`a hint of ${mark} is taken`, () => {
      queue.hint({ groups: [{ webhookId: 'w', eventIds: [mark] }] });
      return taken.has(mark) || undefined;
    });
  await hintUntilTaken('before');
  const channel = invalidationChannels(around.prefix).webhooks;

  await becomePrimary(nodes[1]);
  name.lead(nodes[1].port);
  await hintUntilTaken('after');
  // The former primary is cut off: what reaches a listener now comes from the new one.
  await nodes[0].client.replicaof('127.0.0.1', 1);
  await waitForValue('an invalidation arrives', async () => {
    await nodes[1].client.publish(channel, 'changed');
    return changes.includes('changed') || undefined;
  });
});

test('without writes a connection leaves its server within seconds of becoming a replica', async () => {
  const idle = openQueue();
  await isReady(idle);
  await becomePrimary(nodes[1]);
  expect(await idle.queue.readinessFailures()).toEqual([replicaFailure]);
  await waitForValue('it is away', () => !idle.queue.isReady || undefined);
  expect(await idle.isUp()).toBe(0);
  name.lead(nodes[1].port);
  await isReady(idle);
  expect(await idle.queue.readinessFailures()).toEqual([]);
  expect(await idle.isUp()).toBe(1);
  expect(idle.warnings).toEqual(['redis.read_only']);
});

test('a connection to a replica is not ready, says why once, and becomes ready when it is promoted', async () => {
  name.lead(nodes[1].port);
  const producer = openQueue();
  const { consumer } = openConsumer(producer.around);
  const opening = new AbortController();
  const usable = requireUsableRedis(producer.around.redisUrl, opening.signal);
  await waitForValue('it is known', () => producer.warnings.length > 0 || undefined);
  const before = name.connections();
  // Each connection waits up to two seconds before it tries again.
  await waitForValue('all try again', () => name.connections() > before + 8 || undefined);
  expect(producer.queue.isReady).toBe(false);
  expect(await producer.queue.readinessFailures()).toEqual([replicaFailure]);
  expect(consumer.failure()).toBe(replicaFailure);
  expect(await producer.isUp()).toBe(0);
  await becomePrimary(nodes[1]);
  expect(await usable).toBe(true);
  await isReady(producer);
  await waitForValue('the consumer is ready', () => consumer.failure() === null || undefined);
  expect(producer.warnings).toEqual(['redis.read_only']);
});

test('a start that waits for a primary ends when it is aborted', async () => {
  name.lead(nodes[1].port);
  const opening = new AbortController();
  const usable = requireUsableRedis(`redis://127.0.0.1:${name.port}`, opening.signal);
  await waitForValue('it has connected', () => name.connections() > 1 || undefined);
  opening.abort();
  expect(await usable).toBe(false);
});
