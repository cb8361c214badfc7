// Three masters and three replicas: the node with the queue dies, and then its successor hangs, while senders post.
import { startOnFreePort } from '../../../scripts/lib/process/ports.mjs';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startTraffic } from '../../support/processes/traffic.ts';
import { durableArgs, startRedisNode, type RedisNode } from '../../support/services/redis-nodes.ts';

jest.setTimeout(240_000);

const slots = 16_384;
const masters = 3;
const password = 'pw';
let nodes: readonly RedisNode[] = [];
let inlet: Deployment;

const cluster = async (node: RedisNode, ...args: string[]): Promise<string> =>
  String(await node.client.call('CLUSTER', ...args));

const startNode = (): Promise<RedisNode> =>
  startOnFreePort((busPort) => startRedisNode(nodeOptions(busPort)));

function nodeOptions(busPort: number): Parameters<typeof startRedisNode>[0] {
  return {
    args: ({ port, folder }) => [
      '--port',
      String(port),
      '--cluster-port',
      String(busPort),
      '--cluster-enabled',
      'yes',
      '--cluster-node-timeout',
      '2000',
      '--requirepass',
      password,
      '--masterauth',
      password,
      ...durableArgs(folder),
    ],
    connect: { password },
  };
}

const isReplica = (node: RedisNode) =>
  waitForValue('the replica has the data of its master', async () =>
    (await node.client.info('replication')).includes('master_link_status:up') ? true : undefined,
  );

/** The first three nodes are masters, and each of the others is the replica of one. */
async function createCluster(): Promise<readonly RedisNode[]> {
  const started: RedisNode[] = [];
  for (let n = 0; n < 2 * masters; n += 1) started.push(await startNode());
  const [first, ...others] = started;
  if (!first) throw new Error('no node');
  // Nodes with the same epoch do not elect a replica at once.
  for (const [n, node] of started.entries()) await cluster(node, 'SET-CONFIG-EPOCH', String(n + 1));
  const busOf = async (node: RedisNode) => {
    const [, bus] = (await cluster(node, 'NODES')).split('@');
    return bus?.split(/[ ,]/)[0] ?? '';
  };
  for (const node of others)
    await cluster(first, 'MEET', '127.0.0.1', String(node.port), await busOf(node));
  for (const [n, node] of started.slice(0, masters).entries()) {
    const [from, to] = [n, n + 1].map((part) => Math.floor((part * slots) / masters));
    await cluster(node, 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1));
  }
  for (const [n, replica] of started.slice(masters).entries()) {
    const id = await cluster(started[n] ?? first, 'MYID');
    await waitForValue('the replica knows its master', async () => {
      await cluster(replica, 'REPLICATE', id);
      return true;
    });
  }
  for (const node of started) {
    await waitForValue('all nodes know each other', async () =>
      /cluster_state:ok[\s\S]*cluster_known_nodes:6/.test(await cluster(node, 'INFO'))
        ? true
        : undefined,
    );
  }
  for (const replica of started.slice(masters)) await isReplica(replica);
  return started;
}

/** The master that has the slot of the queue, asked of a node that runs. */
async function queueNode(): Promise<RedisNode> {
  return waitForValue('the queue has a master', async () => {
    for (const node of nodes) {
      const slot = await Promise.race([
        cluster(node, 'KEYSLOT', `{${inlet.prefix}}`),
        new Promise<string>((resolve) => setTimeout(() => resolve(''), 1_000)),
      ]).catch(() => '');
      if (slot === '') continue;
      for (const line of (await cluster(node, 'NODES')).split('\n')) {
        if (!/master/.test(line) || /fail/.test(line)) continue;
        const ranges = line.split(' ').slice(8);
        const hasSlot = ranges.some((range) => {
          const [from, to = from] = range.split('-').map(Number);
          return (
            from !== undefined && to !== undefined && from <= Number(slot) && Number(slot) <= to
          );
        });
        const port = Number(/:(\d+)@/.exec(line)?.[1]);
        const found = nodes.find((one) => one.port === port);
        if (hasSlot && found) return found;
      }
    }
    return undefined;
  });
}

beforeAll(async () => {
  nodes = await createCluster();
  const hosts = nodes.slice(0, 2).map(({ port }) => `127.0.0.1:${port}`);
  const url = `redis+cluster://:${password}@${hosts.join(',')}`;
  inlet = await createDeployment('cluster', { env: { REDIS_URL: url } });
  await inlet.start('server');
  await inlet.start('worker');
});
afterAll(async () => {
  await inlet.close();
  await Promise.all(nodes.map((node) => node.close()));
});

test('all keys of the queue are on one node', async () => {
  const traffic = await startTraffic(inlet);
  await traffic.postMany(40);
  await traffic.ends();
  const found = await Promise.all(
    nodes.slice(0, masters).map(async (node) => (await node.client.keys('*')).length > 0),
  );
  expect(found.filter(Boolean)).toHaveLength(1);
  expect(inlet.output()).not.toContain('CROSSSLOT');
});

test('the node of the queue dies: no sender notices it, and nothing is lost or doubled', async () => {
  const traffic = await startTraffic(inlet);
  const node = await queueNode();
  await node.kill();
  await traffic.postMany(30);
  const tookMs = await traffic.flows();
  await traffic.ends();
  await node.restart();
  await isReplica(node);
  process.stdout.write(`  events flow ${Math.round(tookMs / 100) / 10} s after the node died\n`);
});

test('the node of the queue hangs: no sender notices it, and nothing is lost or doubled', async () => {
  const traffic = await startTraffic(inlet);
  const node = await queueNode();
  node.pause();
  await traffic.postMany(30);
  await traffic.flows();
  await traffic.ends();
  node.resume();
});

test('a master that may evict keeps a worker from starting', async () => {
  const [, other] = nodes;
  await other?.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  const worker = inlet.launch('worker');
  expect(await worker.ended).toBe(78);
  expect(worker.output()).toContain('maxmemory-policy allkeys-lru');
  await other?.client.config('SET', 'maxmemory-policy', 'noeviction');
});
