// MongoDB with TLS, SCRAM and X.509, and users with the roles of deploy/mongodb/roles.json alone.
import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { repository } from '../../scripts/lib/paths.mjs';
import { startMember, startMongod } from '../../scripts/lib/services/mongod.mjs';
import { until } from '../support/processes/client.ts';
import { createDeployment, type Deployment } from '../support/processes/roles.ts';
import { startStory } from '../support/processes/story.ts';
import { createAuthority, type Certificate } from '../support/services/certificates.ts';
import { given, startServer, type TestServer } from '../support/services/services.ts';

jest.setTimeout(300_000);

const { MongoClient } = mongoose.mongo;
const database = 'inlet_test_secured';
const password = 'p@ss:word';
const encoded = encodeURIComponent(password);
type Role = {
  readonly privileges: readonly { readonly actions: readonly string[] }[];
  readonly roles: readonly string[];
};

let folder: string;
let ca: string;
let client: Certificate;
let mongo: TestServer;
let inlet: Deployment;

const urlOf = (user: string, pass = encoded) =>
  `mongodb://${user}:${pass}@127.0.0.1:${mongo.port}/${database}?replicaSet=inlet&tls=true&tlsCAFile=${ca}`;
const urlOfCertificate = () =>
  `mongodb://127.0.0.1:${mongo.port}/${database}?replicaSet=inlet&tls=true&tlsCAFile=${ca}&tlsCertificateKeyFile=${client.both}&authMechanism=MONGODB-X509&authSource=$external`;

async function createUsers(): Promise<void> {
  const admin = await new MongoClient(
    `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`,
  ).connect();
  const db = admin.db(database);
  const roles = JSON.parse(
    await readFile(join(repository, 'deploy/mongodb/roles.json'), 'utf8'),
  ) as Record<string, Role>;
  for (const [name, { privileges, roles: inherited }] of Object.entries(roles)) {
    const own = privileges.map(({ actions }) => ({
      resource: { db: database, collection: '' },
      actions,
    }));
    await db.command({ createRole: name, privileges: own, roles: inherited });
  }
  await db.command({ createUser: 'app', pwd: password, roles: ['inletApp'] });
  await db.command({ createUser: 'migrate', pwd: password, roles: ['inletMigrate'] });
  await admin.db('$external').command({
    createUser: 'CN=app,O=Inlet',
    roles: [{ role: 'inletApp', db: database }],
  });
  await admin.close();
}

function runMigrate(url: string): Promise<{ code: number | null; text: string }> {
  const child = fork(join(repository, 'dist/bin/migrate.js'), [], {
    env: { ...process.env, MONGODB_URL: url },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  child.stderr?.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlet-test-secured-'));
  const authority = await createAuthority(folder);
  ({ ca } = authority);
  const own = await authority.issue('mongod', '/O=Database/CN=localhost');
  client = await authority.issue('client', '/O=Inlet/CN=app');
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, Buffer.alloc(96, 'k').toString('base64'), { mode: 0o600 });
  const secured = [
    ...[
      '--auth',
      '--keyFile',
      keyFile,
      '--tlsMode',
      'preferTLS',
      '--tlsCertificateKeyFile',
      own.both,
    ],
    ...['--tlsCAFile', ca, '--tlsAllowConnectionsWithoutCertificates'],
  ];
  let isSecured = false;
  mongo = await startServer(given('INLET_TEST_MONGOD'), async (options) => {
    if (!isSecured) return startMongod(options);
    const started = await startMember({ ...options, more: secured });
    return { ...started, url: '' };
  });
  await createUsers();
  isSecured = true;
  await mongo.stop();
  await mongo.start();
  const { code, text } = await runMigrate(urlOf('migrate'));
  expect([code, text]).toEqual([0, expect.stringContaining('up to date')]);
  inlet = await createDeployment('secured', {
    env: { MONGODB_URL: urlOf('app'), INLET_MIGRATE: 'never' },
  });
  await inlet.start('server');
  await inlet.start('worker');
});
afterAll(async () => {
  await inlet?.close();
  await mongo?.close();
  await rm(folder, { recursive: true, force: true });
});

const refused = /not authorized|Unauthorized/i;

test('a user with the role of the file does all that servers and workers do', async () => {
  const story = await startStory(inlet);
  await story.postMany(30);
  await story.ends();
  const { client: api } = inlet;
  const { id } = story.webhook;
  const params = { id };
  await api.call('listEvents', { query: { webhookId: [id] } });
  await api.call('getStats', {});
  await api.call('getStatsHealth', {});
  await api.call('verifyAudit', {});
  await api.call('listDeadLetters', {});
  await api.call('pauseWebhook', { params });
  await story.post();
  await api.call('resumeWebhook', { params });
  const { results } = await api.contacts();
  await api.call('eraseContact', { params: { id: results[0]?.id ?? '' }, body: {} as never });
  await until('the erasure is done', async () =>
    (await inlet.db.collection('erasures').countDocuments({ open: true })) === 0 ? true : undefined,
  );
  expect(inlet.output()).not.toMatch(refused);
});

test('after a restart of MongoDB the events go on, and none is lost or doubled', async () => {
  const story = await startStory(inlet);
  await story.postMany(20);
  await mongo.kill();
  await mongo.start();
  await until('events are accepted', async () => {
    await story.post();
    return true;
  });
  await story.postMany(10);
  await story.ends();
});

test('the user reaches no other database, and changes no index, collection or user', async () => {
  const app = await new MongoClient(urlOf('app')).connect();
  try {
    const own = app.db(database);
    for (const attempt of [
      () => app.db('other_test').collection('x').findOne(),
      () => app.db('admin').command({ listDatabases: 1, nameOnly: false, filter: { name: 'x' } }),
      () => own.collection('events').drop(),
      () => own.collection('events').createIndex({ x: 1 }),
      () => own.collection('events').dropIndex('dedup'),
      () => own.command({ createUser: 'x', pwd: 'x', roles: [] }),
      () => own.dropDatabase(),
    ])
      await expect(
        attempt().then((answer) =>
          Array.isArray((answer as { databases?: unknown })?.databases)
            ? Promise.reject(new Error('not authorized: none listed'))
            : answer,
        ),
      ).rejects.toThrow(refused);
  } finally {
    await app.close();
  }
});

test('a client certificate is a user', async () => {
  const other = await createDeployment('certified', {
    env: { MONGODB_URL: urlOfCertificate(), INLET_MIGRATE: 'never' },
  });
  try {
    await other.start('server');
    await other.start('worker');
    const story = await startStory(other);
    await story.postMany(5);
    await story.ends();
  } finally {
    await other.close();
  }
});

test.each([
  ['a wrong password', () => urlOf('app', 'wr0ng-secret')],
  ['a role that may not create indexes', () => urlOf('app')],
])('with %s the migration ends at once, and prints no credential', async (what, url) => {
  if (what.startsWith('a role')) await dropOneIndex();
  const { code, text } = await runMigrate(url());
  expect(code).not.toBe(0);
  expect(text).toMatch(/Authentication failed|not authorized/);
  expect(text).not.toContain('wr0ng-secret');
  expect(text).not.toContain(encoded);
});

async function dropOneIndex(): Promise<void> {
  const admin = await new MongoClient(urlOf('migrate')).connect();
  await admin.db(database).collection('events').dropIndex('by_type');
  await admin.close();
}
