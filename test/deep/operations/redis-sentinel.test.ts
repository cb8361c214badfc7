// A master, a replica and three sentinels: the master dies while senders post.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startTraffic } from '../../support/processes/traffic.ts';
import { durableArgs, startRedisNode, type RedisNode } from '../../support/services/redis-nodes.ts';

jest.setTimeout(240_000);

const password = 'pw';
const connect = { password };
const nodes: RedisNode[] = [];
let inlet: Deployment;

const startServer = async (replicaOf?: RedisNode): Promise<RedisNode> => {
  const node = await startRedisNode({
    args: ({ port, folder }) => [
      '--port',
      String(port),
      '--requirepass',
      password,
      '--masterauth',
      password,
      ...durableArgs(folder),
      ...(replicaOf ? ['--replicaof', `127.0.0.1 ${replicaOf.port}`] : []),
    ],
    connect,
  });
  nodes.push(node);
  return node;
};

const startSentinel = async (master: RedisNode): Promise<RedisNode> => {
  const node = await startRedisNode({
    args: ({ port, folder }) => {
      const file = join(folder, 'sentinel.conf');
      writeFileSync(
        file,
        `port ${port}
bind 127.0.0.1
dir ${folder}
requirepass guard
sentinel sentinel-pass guard
sentinel monitor main 127.0.0.1 ${master.port} 2
sentinel auth-pass main ${password}
sentinel down-after-milliseconds main 1000
sentinel failover-timeout main 5000
`,
      );
      return [file, '--sentinel'];
    },
    connect: { password: 'guard' },
  });
  nodes.push(node);
  return node;
};

let master: RedisNode;
beforeAll(async () => {
  master = await startServer();
  await startServer(master);
  const sentinels = [];
  for (let n = 0; n < 3; n += 1) sentinels.push(await startSentinel(master));
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `redis+sentinel://:${password}@${hosts}/main?sentinelPassword=guard`;
  inlet = await createDeployment('sentinel', { env: { REDIS_URL: url } });
  await inlet.start('server');
  await inlet.start('worker');
});
afterAll(async () => {
  await inlet.close();
  await Promise.all(nodes.map((node) => node.close()));
});

test('a fail-over loses and doubles nothing, and no sender notices it', async () => {
  const traffic = await startTraffic(inlet);
  await traffic.postMany(20);
  await traffic.ends();
  // The sentinels need some time to find each other and the replica.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  await master.kill();
  await traffic.postMany(30);
  const tookMs = await traffic.flows();
  await traffic.ends();
  process.stdout.write(`  events flow ${Math.round(tookMs / 100) / 10} s after the master died\n`);
});

test('a master that hangs is replaced', async () => {
  const traffic = await startTraffic(inlet);
  const [, replica] = nodes;
  await master.restart();
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  replica?.pause();
  await traffic.postMany(30);
  await traffic.flows();
  await traffic.ends();
  replica?.resume();
});
