// Settings that no wait makes work: the process ends with 78 and a sentence that names the variable, without a stack or a value.
import { startMember } from '../../../scripts/lib/services/mongod.mjs';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment, type RoleName } from '../../support/processes/roles.ts';
import { startNameProxy, type NameProxy } from '../../support/services/name-proxy.ts';
import { durableArgs, startRedisNode, type RedisNode } from '../../support/services/redis-nodes.ts';
import {
  requiredEnv,
  sharedRedisUrl,
  startServer,
  testMongoUrl,
  type TestServer,
} from '../../support/services/services.ts';

jest.setTimeout(120_000);

const secret = 'hush-hush';
const startMongod = (isStandalone: boolean): Promise<TestServer> =>
  startServer(requiredEnv('INLET_TEST_MONGOD'), async (options) => {
    const started = await startMember({ ...options, isStandalone });
    return { ...started, url: '' };
  });

let inlet: Deployment;
let locked: RedisNode;
let clustered: RedisNode;
let old: NameProxy;
beforeAll(async () => {
  inlet = await createDeployment('mistakes');
  locked = await startRedisNode({
    args: ({ port, folder }) => [
      '--port',
      String(port),
      '--requirepass',
      'right',
      ...durableArgs(folder),
    ],
    connect: { password: 'right' },
  });
  clustered = await startRedisNode({
    args: ({ port, folder }) => [
      '--port',
      String(port),
      '--cluster-enabled',
      'yes',
      ...durableArgs(folder),
    ],
  });
  const version = /redis_version:\d+\.\d+/g;
  old = await startNameProxy(Number(new URL(sharedRedisUrl()).port), (answer) =>
    answer.includes('redis_version:')
      ? Buffer.from(answer.toString('latin1').replace(version, 'redis_version:6.0'), 'latin1')
      : answer,
  );
});
afterAll(async () => {
  await inlet?.close();
  old?.close();
  await Promise.all([locked?.close(), clustered?.close()]);
});

async function endOf(role: RoleName, env: NodeJS.ProcessEnv) {
  const started = inlet.launch(role, env);
  const exitCode = await started.ended;
  return { exitCode, text: started.output() };
}

function expectSentence({ exitCode, text }: Awaited<ReturnType<typeof endOf>>, said: RegExp): void {
  expect(text).toMatch(said);
  expect(text).not.toMatch(/^\s+at /m);
  expect(text).not.toContain(secret);
  expect(exitCode).toBe(78);
}

const mongo = (more: string): string => {
  const url = inlet.mongoUrl;
  return `${url}${url.includes('?') ? '&' : '?'}${more}`;
};
const sharedPort = () => new URL(sharedRedisUrl()).port;

test.each<[string, RoleName, () => NodeJS.ProcessEnv, RegExp]>([
  [
    'an @ in the password of MongoDB',
    'server',
    () => ({ MONGODB_URL: `mongodb://u:${secret}@x@127.0.0.1/inlet_test` }),
    /MONGODB_URL .*percent-encoded/,
  ],
  [
    'no database',
    'worker',
    () => ({ MONGODB_URL: 'mongodb://127.0.0.1/?replicaSet=rs0' }),
    /MONGODB_URL names no database/,
  ],
  [
    'an option that the driver does not know',
    'server',
    () => ({ MONGODB_URL: mongo('replicaSett=rs0') }),
    /MONGODB_URL .*replicaset/i,
  ],
  [
    'a file of an authority that is missing',
    'server',
    () => ({ MONGODB_URL: mongo('tls=true&tlsCAFile=/missing.pem') }),
    /MONGODB_URL .*missing\.pem/,
  ],
  [
    'another replica set',
    'server',
    () => ({ MONGODB_URL: mongo('').replace(/replicaSet=[^&]*/, 'replicaSet=other') }),
    /MONGODB_URL asks for the replica set other, and \S+ is a member of the replica set inlet\./,
  ],
  [
    'a slash in the password of Redis',
    'server',
    () => ({ REDIS_URL: `redis://u:${secret}/x@127.0.0.1:6379` }),
    /REDIS_URL .*percent-encoded/,
  ],
  [
    'a wrong password of Redis',
    'worker',
    () => ({ REDIS_URL: `redis://:${secret}@127.0.0.1:${locked.port}` }),
    /refused the user or the password of REDIS_URL/,
  ],
  [
    'no password of Redis',
    'worker',
    () => ({ REDIS_URL: `redis://127.0.0.1:${locked.port}` }),
    /REDIS_URL has none/,
  ],
  [
    'an old Redis',
    'worker',
    () => ({ REDIS_URL: `redis://127.0.0.1:${old.port}` }),
    /version 6\.0\.\d+, and Inlet needs 6\.2/,
  ],
  [
    'a node of a cluster',
    'worker',
    () => ({ REDIS_URL: `redis://127.0.0.1:${clustered.port}` }),
    /redis\+cluster/,
  ],
  [
    'a cluster that is none',
    'worker',
    () => ({ REDIS_URL: `redis+cluster://127.0.0.1:${sharedPort()}` }),
    /REDIS_URL is redis\+cluster/,
  ],
  [
    'a database that Redis does not have',
    'worker',
    () => ({ REDIS_URL: `redis://127.0.0.1:${sharedPort()}/9999` }),
    /REDIS_URL names a database/,
  ],
  [
    'a misspelt setting',
    'server',
    () => ({ INLET_RETENTON_DAYS: '30' }),
    /INLET_RETENTON_DAYS is not a setting of Inlet; did you mean INLET_RETENTION_DAYS\?/,
  ],
  [
    'a port that is taken',
    'worker',
    () => ({ INLET_OPS_PORT: sharedPort() }),
    /Cannot listen on 127.0.0.1 port \d+: another program uses it/,
  ],
  [
    'a data folder that is a file',
    'server',
    () => ({
      NODE_ENV: 'production',
      INLET_ADMIN_TOKEN: '',
      INLET_DATA_DIR: '/dev/null/folder',
    }),
    /INLET_DATA_DIR/,
  ],
])('%s ends a %s', async (...[, role, env, said]) => {
  expectSentence(await endOf(role, env()), said);
});

test('a database of a development version is refused, and nothing is changed', async () => {
  const migrations = inlet.db.collection<{ _id: string; formatVersion: number }>('migrations');
  const format = await migrations.findOneAndDelete({ _id: 'format' });
  const newest = format?.formatVersion ?? 0;
  try {
    const unknown = /collection \w+ and no format version.*name an empty database/;
    expectSentence(await endOf('server', {}), unknown);
    expectSentence(await endOf('worker', { INLET_MIGRATE: 'never' }), unknown);
    expect(await migrations.countDocuments()).toBe(0);
    await migrations.insertOne({ _id: 'format', formatVersion: 1 });
    expectSentence(await endOf('server', {}), /format version 1 .* reads none before \d+/);
    await migrations.updateOne({ _id: 'format' }, { $set: { formatVersion: newest + 1 } });
    expectSentence(await endOf('worker', {}), /reads none after \d+: start Inlet .* or newer/);
  } finally {
    await migrations.deleteMany({});
    await migrations.insertOne({ _id: 'format', formatVersion: newest });
  }
});

test('a standalone mongod is refused, also by name of a set', async () => {
  const mongod = await startMongod(true);
  try {
    const url = testMongoUrl('inlet_test', `mongodb://127.0.0.1:${mongod.port}/`);
    expectSentence(
      await endOf('server', { MONGODB_URL: url }),
      /needs a replica set.*rs\.initiate/,
    );
    const named = `${url}?replicaSet=rs0`;
    expectSentence(await endOf('worker', { MONGODB_URL: named }), /rs0.*standalone.*rs\.initiate/);
  } finally {
    await mongod.close();
  }
});

test('a replica set that is not initiated is waited for, with a hint', async () => {
  const mongod = await startMongod(false);
  try {
    const url = testMongoUrl('inlet_test', `mongodb://127.0.0.1:${mongod.port}/`);
    const server = inlet.launch('server', { MONGODB_URL: url });
    await waitForValue('it says so', () => server.output().includes('rs.initiate') || undefined);
    expect(server.isRunning()).toBe(true);
    expect(server.output()).toContain('mongodb.unavailable');
    await server.kill();
  } finally {
    await mongod.close();
  }
});

test('a server receives while Redis refuses its password', async () => {
  const server = await inlet.start('server', {
    REDIS_URL: `redis://:${secret}@127.0.0.1:${locked.port}`,
  });
  await waitForValue(
    'it says so',
    () => server.output().includes('refused the user or the password of REDIS_URL') || undefined,
  );
  expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(200);
  expect(server.output()).not.toContain(secret);
  await server.stop();
});

test('a start without the key of a stored secret says so, and so does production without keys', async () => {
  const channels = inlet.db.collection<{ _id: string; secrets: object }>('channels');
  await channels.insertOne({ _id: 'sealed', secrets: { token: 'sealed:1:01234567:AAAA' } });
  const server = await inlet.start('server', { NODE_ENV: 'production', INLET_SECRET_KEYS: '' });
  const says = (event: string) =>
    waitForValue(event, () => server.output().includes(event) || undefined);
  await says('secrets.unreadable');
  await says('secrets.no_key');
  await server.stop();
});
