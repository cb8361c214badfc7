// `npm run secrets:rotate` as a process, and the start of processes with missing or invalid keys.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import { newId } from '../../../src/base/ids.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import type { AuditRow } from '../../../src/domain/audit/audit.ts';
import {
  channelSecretLocation,
  signatureSecretLocation,
} from '../../../src/domain/access/secret-locations.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { launchRole } from '../../support/processes/roles.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

const [oldKey, newKey, foreignKey] = [1, 2, 3].map(() => randomBytes(32).toString('base64'));
const [channelId, webhookId] = [newId(), newId()];
const signingSecret = `whsec_${'A'.repeat(32)}`;
const incoming = 'what the sender signs with';

let context: TestContext;
let folder: string;

type Channel = { readonly _id: string; readonly secrets: { readonly signingSecret: string } };
type Signed = {
  readonly _id: string;
  readonly name: string;
  readonly settings: { readonly signature: { readonly secrets: string[] } };
};
const channels = () => collectionOf<Channel>(context.connection, 'channels');
const webhooks = () => collectionOf<Signed>(context.connection, 'webhooks');

beforeAll(async () => {
  context = await createTestContext('rotate');
  folder = mkdtempSync(join(tmpdir(), 'inlet-rotate-'));
  const vault = createVault([oldKey ?? '']);
  const sealed = vault.seal(
    JSON.stringify(signingSecret),
    channelSecretLocation(channelId, 'signingSecret'),
  );
  await channels().insertOne({ _id: channelId, secrets: { signingSecret: sealed } });
  // The first was stored before keys existed.
  const secrets = [incoming, vault.seal(incoming, signatureSecretLocation(webhookId))];
  await webhooks().insertOne({
    _id: webhookId,
    name: 'Signed',
    settings: { signature: { secrets } },
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await context.close();
});

const stored = () =>
  Promise.all([channels().findOne({ _id: channelId }), webhooks().findOne({ _id: webhookId })]);

type Ended = { readonly code: number | null; readonly text: string };

function rotate(env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = fork(join(repository, 'dist/bin/rotate-secrets.js'), [], {
    env: { PATH: process.env.PATH, MONGODB_URL: context.url, INLET_DATA_DIR: folder, ...env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  child.stderr?.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}

test('under a wrong key no sealed value changes, and the output says so', async () => {
  const before = await stored();
  const { code, text } = await rotate({ INLET_SECRET_KEYS: foreignKey });
  expect([code, text]).toEqual([1, expect.stringContaining('No key opens: 2.')]);
  const [channel, webhook] = await stored();
  expect(channel).toEqual(before[0]);
  expect(webhook?.settings.signature.secrets[1]).toBe(before[1]?.settings.signature.secrets[1]);
  expect(text).not.toMatch(/whsec_|sender signs/);
  // Values stored in clear are now sealed under the configured key.
  expect(
    createVault([foreignKey ?? '']).isCurrent(webhook?.settings.signature.secrets[0] ?? ''),
  ).toBe(true);
});

test('after the rotation from an old key to a new one, sealed values open under the new one only', async () => {
  const keys = [newKey, oldKey, foreignKey].join(',');
  const first = await rotate({ INLET_SECRET_KEYS: keys });
  expect(first).toMatchObject({ code: 0, text: expect.stringContaining('first key: 3.') });
  const [channel, webhook] = await stored();
  const vault = createVault([newKey ?? '']);
  const place = channelSecretLocation(channelId, 'signingSecret');
  expect(JSON.parse(vault.open(channel?.secrets.signingSecret ?? '', place))).toBe(signingSecret);
  const opened = webhook?.settings.signature.secrets.map((one) =>
    vault.open(one, signatureSecretLocation(webhookId)),
  );
  expect(opened).toEqual([incoming, incoming]);

  const again = await rotate({ INLET_SECRET_KEYS: newKey });
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining('first key: 0.') });
  expect(await stored()).toEqual([channel, webhook]);
  const rows = await collectionOf<AuditRow>(context.connection, 'audit')
    .find({ action: 'secrets.rotate' }, { sort: { at: 1 } })
    .toArray();
  expect(rows.map(({ after }) => after)).toEqual([
    { sealed: 1, unreadable: 2, missed: 0 },
    { sealed: 3, unreadable: 0, missed: 0 },
    { sealed: 0, unreadable: 0, missed: 0 },
  ]);
});

const nonsense = 'nonsense-that-nobody-may-read';
const refused: [string, NodeJS.ProcessEnv, RegExp][] = [
  ['in production without keys', { NODE_ENV: 'production' }, /INLET_SECRET_KEYS is not set/],
  ['with a key that is none', { INLET_SECRET_KEYS: nonsense }, /INLET_SECRET_KEYS/],
];

test.each(refused)('it ends with 78 %s', async (_what, env, words) => {
  const { code, text } = await rotate(env);
  expect([code, text]).toEqual([78, expect.stringMatching(words)]);
  expect(text).not.toContain(nonsense);
});

test('every process rejects a key file without keys, and reports only its name', async () => {
  writeFileSync(join(folder, 'secret-keys'), `${nonsense}\n`);
  const { code, text } = await rotate({});
  expect([code, text]).toEqual([78, expect.stringContaining(join(folder, 'secret-keys'))]);
  const server = launchRole('server', {
    env: {
      MONGODB_URL: context.url,
      REDIS_URL: 'redis://127.0.0.1:1',
      INLET_DATA_DIR: folder,
      INLET_PORT: '0',
      INLET_OPS_PORT: '0',
    },
  });
  server.ready.catch(() => {});
  expect(await server.ended).toBe(78);
  for (const output of [text, server.output()]) expect(output).not.toContain(nonsense);
}, 60_000);
