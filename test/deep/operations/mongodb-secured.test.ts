// MongoDB with a key file, SCRAM and TLS, and users with the roles of deploy/mongodb/roles.json alone. TLS ends at a proxy before
// mongod, whose Windows build finds no cryptographic provider under Wine.
import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { repository } from '../../../scripts/lib/paths.mjs';
import { startMember, startMongod } from '../../../scripts/lib/services/mongod.mjs';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startTraffic } from '../../support/processes/traffic.ts';
import { createAuthority } from '../../support/services/certificates.ts';
import { requiredEnv, startServer, type TestServer } from '../../support/services/services.ts';
import { startTlsProxy, type TlsProxy } from '../../support/services/tls-proxy.ts';

jest.setTimeout(180_000);

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
let tls: TlsProxy;
let mongo: TestServer;
let inlet: Deployment;

const urlOf = (user: string, pass = encoded) =>
  `mongodb://${user}:${pass}@127.0.0.1:${tls.port}/${database}?directConnection=true&tls=true&tlsCAFile=${ca}`;

async function createUsers(): Promise<void> {
  const url = `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`;
  const admin = await new MongoClient(url).connect();
  const db = admin.db(database);
  const file = join(repository, 'deploy/mongodb/roles.json');
  const roles = JSON.parse(await readFile(file, 'utf8')) as Record<string, Role>;
  for (const [name, { privileges, roles: inherited }] of Object.entries(roles)) {
    const resource = { db: database, collection: '' };
    const own = privileges.map(({ actions }) => ({ resource, actions }));
    await db.command({ createRole: name, privileges: own, roles: inherited });
  }
  await db.command({ createUser: 'app', pwd: password, roles: ['inletApp'] });
  await db.command({ createUser: 'migrate', pwd: password, roles: ['inletMigrate'] });
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
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, Buffer.alloc(96, 'k').toString('base64'), { mode: 0o600 });
  let isSecured = false;
  mongo = await startServer(requiredEnv('INLET_TEST_MONGOD'), async (options) => {
    if (!isSecured) return startMongod(options);
    const started = await startMember({ ...options, more: ['--auth', '--keyFile', keyFile] });
    return { ...started, url: '' };
  });
  await createUsers();
  isSecured = true;
  await mongo.stop();
  await mongo.start();
  tls = await startTlsProxy(mongo.port, await authority.issue('mongod', '/O=Database/CN=mongod'));
  const { code, text } = await runMigrate(urlOf('migrate'));
  if (code !== 0) throw new Error(text);
  inlet = await createDeployment('secured', {
    env: { MONGODB_URL: urlOf('app'), INLET_MIGRATE: 'never' },
  });
  await inlet.start('server');
  await inlet.start('worker');
});
afterAll(async () => {
  await inlet?.close();
  await tls?.close();
  await mongo?.close();
  await rm(folder, { recursive: true, force: true });
});

const refused = /not authorized|requires authentication/i;

test('a user with the role of the file does all that servers and workers do', async () => {
  const traffic = await startTraffic(inlet);
  await traffic.postMany(30);
  await traffic.ends();
  const { client: api } = inlet;
  const { id } = traffic.webhook;
  await api.call('listEvents', { query: { webhookId: [id] } });
  await api.call('listAudit', {});
  await api.call('listDeadLetters', {});
  await api.call('recordBackupVerification', {});
  expect((await api.call('getStatsHealth', {})).mongodb.disk).not.toBeNull();
  await api.call('pauseWebhook', { params: { id } });
  await traffic.post();
  await api.call('resumeWebhook', { params: { id } });
  await traffic.ends();
  const { results } = await api.contacts();
  await api.call('eraseContact', { params: { id: results[0]?.id ?? '' }, body: {} });
  await waitForValue('the erasure is done', async () =>
    (await inlet.db.collection('erasures').countDocuments({ open: true })) === 0 ? true : undefined,
  );
  expect(inlet.output()).not.toMatch(refused);
});

test('after a restart of MongoDB the events go on, and none is lost or doubled', async () => {
  const traffic = await startTraffic(inlet);
  await traffic.postMany(20);
  await mongo.kill();
  await mongo.start();
  await waitForValue('events are accepted', async () => {
    await traffic.post();
    return true;
  });
  await traffic.postMany(10);
  await traffic.ends();
});

test('the user reaches no other database, and changes no index, collection or user', async () => {
  const app = await new MongoClient(urlOf('app')).connect();
  const own = app.db(database);
  try {
    for (const attempt of [
      () => app.db('other_test').collection('x').findOne(),
      () => app.db('admin').command({ getCmdLineOpts: 1 }),
      () => own.collection('events').drop(),
      () => own.collection('events').createIndex({ x: 1 }),
      () => own.collection('events').dropIndex('dedup'),
      () => own.command({ createUser: 'x', pwd: 'x', roles: [] }),
      () => own.dropDatabase(),
    ])
      await expect(attempt()).rejects.toThrow(refused);
  } finally {
    await app.close();
  }
});

test.each([
  ['a wrong password', () => urlOf('app', 'wr0ng-secret'), /refused the user or the password/, 78],
  ['a role that may not change the database', () => urlOf('app'), refused, 78],
])(
  'with %s the migration ends, and prints no credential',
  async (...[, url, problem, exitCode]) => {
    const admin = await new MongoClient(urlOf('migrate')).connect();
    const events = admin.db(database).collection('events');
    if ((await events.indexes()).some(({ name }) => name === 'by_reason'))
      await events.dropIndex('by_reason');
    await admin.close();
    const { code, text } = await runMigrate(url());
    expect(code).toBe(exitCode);
    expect(text).toMatch(problem);
    expect(text).not.toContain('wr0ng-secret');
    expect(text).not.toContain(encoded);
  },
);

test('a certificate of an unknown authority is not trusted, and no credential is logged', async () => {
  const url = urlOf('app').replace(/&tlsCAFile=.*/, '');
  const server = inlet.launch('server', { MONGODB_URL: url });
  await waitForValue(
    'it says so',
    () => server.output().includes('mongodb.unavailable') || undefined,
  );
  expect(server.output()).toMatch(/unable to verify|self.signed/);
  expect(server.output()).not.toContain(encoded);
  await server.kill();
});
