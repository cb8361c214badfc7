// Redis behind TLS with an authority of its own, and a user with the commands and keys of deploy/redis/users.acl alone.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { repository } from '../../../scripts/lib/paths.mjs';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startTraffic } from '../../support/processes/traffic.ts';
import { createAuthority } from '../../support/services/certificates.ts';
import { durableArgs, startRedisNode, type RedisNode } from '../../support/services/redis-nodes.ts';

jest.setTimeout(240_000);

let folder: string;
let ca: string;
let redis: RedisNode;
let inlet: Deployment;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlet-test-secured-'));
  const authority = await createAuthority(folder);
  ({ ca } = authority);
  const own = await authority.issue('redis', '/CN=redis');
  const users = await readFile(join(repository, 'deploy/redis/users.acl'), 'utf8');
  const acl = join(folder, 'users.acl');
  await writeFile(
    acl,
    `${users.replace('${INLET_REDIS_PASSWORD}', 'pass:word')}user admin on >admin ~* &* +@all\n`,
  );
  const tls = { ca: await readFile(ca) };
  redis = await startRedisNode({
    args: ({ port, folder: data }) => [
      '--port',
      '0',
      '--tls-port',
      String(port),
      '--tls-auth-clients',
      'no',
      '--tls-cert-file',
      own.cert,
      '--tls-key-file',
      own.key,
      '--tls-ca-cert-file',
      ca,
      '--aclfile',
      acl,
      ...durableArgs(data),
    ],
    connect: { username: 'admin', password: 'admin', tls },
  });
  inlet = await createDeployment('secured', {
    env: {
      REDIS_URL: `rediss://inlet:pass%3Aword@127.0.0.1:${redis.port}`,
      INLET_QUEUE_PREFIX: 'inlet',
      NODE_EXTRA_CA_CERTS: ca,
    },
  });
  await inlet.start('server');
  await inlet.start('worker');
});
afterAll(async () => {
  await inlet.close();
  await redis.close();
  await rm(folder, { recursive: true, force: true });
});

const aclLog = async () => (await redis.client.call('ACL', 'LOG')) as unknown[];

test('events become messages with the commands that the file allows, also after a restart of Redis', async () => {
  const traffic = await startTraffic(inlet);
  await traffic.postMany(40);
  await traffic.ends();
  await redis.restart();
  await traffic.postMany(20);
  await traffic.flows();
  await traffic.ends();
  expect(inlet.output()).not.toContain('NOPERM');
  expect(await aclLog()).toEqual([]);
});

test('a worker that dies with jobs leaves them to another, with the same commands', async () => {
  const traffic = await startTraffic(inlet);
  const [worker] = inlet.roles('worker');
  const posting = traffic.postMany(60);
  await worker?.kill();
  await posting;
  await inlet.start('worker');
  await traffic.ends();
  expect(await aclLog()).toEqual([]);
});

test('the user reaches no other key and no administration', async () => {
  const user = new Redis({
    host: '127.0.0.1',
    port: redis.port,
    username: 'inlet',
    password: 'pass:word',
    tls: { ca: await readFile(ca) },
  });
  try {
    for (const refused of [
      ['GET', 'other:key'],
      ['SET', 'other:key', '1'],
      ['FLUSHALL'],
      ['CONFIG', 'GET', '*'],
      ['KEYS', '*'],
      ['ACL', 'LIST'],
      ['SUBSCRIBE', 'other'],
    ] as const) {
      const [command, ...args] = refused;
      await expect(user.call(command, ...args)).rejects.toThrow('NOPERM');
    }
  } finally {
    user.disconnect();
  }
});

test('a certificate of an unknown authority is not trusted, and is named in the log', async () => {
  const server = inlet.launch('server', { NODE_EXTRA_CA_CERTS: '' });
  await server.ready;
  await waitForValue(
    'it says so',
    () => server.output().includes('redis.unavailable') || undefined,
  );
  expect(server.output()).toContain('SELF_SIGNED_CERT_IN_CHAIN');
  expect(server.output()).not.toContain('pass%3Aword');
  await server.stop();
});
