// Redis fails over behind one name: the former primary lives on as a read-only replica, and all connections to it stay open.
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startTraffic } from '../../support/processes/traffic.ts';
import { startNameProxy, type NameProxy } from '../../support/services/name-proxy.ts';
import { durableArgs, startRedisNode, type RedisNode } from '../../support/services/redis-nodes.ts';

jest.setTimeout(240_000);

const startNode = () =>
  startRedisNode({
    args: ({ port, folder }) => ['--port', String(port), ...durableArgs(folder)],
  });

let primary: RedisNode;
let replica: RedisNode;
let name: NameProxy;
let inlet: Deployment;

async function replicate(from: RedisNode, to: RedisNode): Promise<void> {
  await from.client.replicaof('NO', 'ONE');
  await to.client.replicaof('127.0.0.1', from.port);
  await waitForValue('the replica has the data of its primary', async () =>
    (await to.client.info('replication')).includes('master_link_status:up') ? true : undefined,
  );
}

beforeAll(async () => {
  primary = await startNode();
  replica = await startNode();
  await replicate(primary, replica);
  name = await startNameProxy(primary.port);
  inlet = await createDeployment('failover', {
    env: { REDIS_URL: `redis://127.0.0.1:${name.port}` },
  });
});
afterAll(async () => {
  await inlet?.close();
  name?.close();
  await Promise.all([primary?.close(), replica?.close()]);
});

async function readyz(opsUrl: string) {
  const response = await fetch(`${opsUrl}/readyz`);
  return { status: response.status, text: await response.text() };
}
const becomes = (opsUrl: string, status: number) =>
  waitForValue(`it answers ${status}`, async () => {
    const answer = await readyz(opsUrl);
    return answer.status === status ? answer : undefined;
  });

test('after a failover all events are done, without a restart', async () => {
  const server = await inlet.start('server');
  const worker = await inlet.start('worker');
  const traffic = await startTraffic(inlet);
  await traffic.postMany(20);
  await traffic.ends();

  await replicate(replica, primary);
  await traffic.postMany(10);
  const { text } = await becomes(worker.opsUrl, 503);
  expect(text).toContain('read-only replica');
  await waitForValue('the metric says so', async () => {
    const metrics = await (await fetch(`${worker.opsUrl}/metrics`)).text();
    return metrics.includes('inlet_redis_up 0') || undefined;
  });
  expect((await readyz(server.opsUrl)).status).toBe(200);

  name.lead(replica.port);
  const tookMs = await traffic.flows();
  await traffic.ends();
  await becomes(worker.opsUrl, 200);
  expect(worker.isRunning()).toBe(true);
  process.stdout.write(`  events flow ${Math.round(tookMs / 100) / 10} s after the name moved\n`);
  await worker.stop();
});

test('a worker that is started on a replica says so, and begins when the name leads to a primary', async () => {
  const traffic = await startTraffic(inlet);
  name.lead(primary.port);
  const worker = inlet.launch('worker');
  await waitForValue('it says so', () => worker.output().includes('redis.read_only') || undefined);
  await traffic.postMany(5);
  expect(worker.output()).not.toContain('worker.ready');
  name.lead(replica.port);
  const { opsUrl } = await worker.ready;
  await traffic.ends();
  await becomes(opsUrl, 200);
  expect(worker.output().split('redis.read_only')).toHaveLength(2);
});
