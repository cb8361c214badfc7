// In production the output of processes is collected, so the first token goes to a file.
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftSecretFile, recoverSecretFile } from '../../../src/base/secrets/secret-file.ts';
import { provideFirstToken } from '../../../src/assemble/first-token.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { waitForValue } from '../../support/processes/client.ts';

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await createTestApi('first_token_file');
  folder = mkdtempSync(join(tmpdir(), 'inlet-token-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api.close();
});

const provide = (dataFolder: string) => {
  const ctx = { ...api.context, adminToken: '', recheckStreams: () => {}, logger: silentLogger() };
  return provideFirstToken(ctx, { isProduction: true, dataFolder });
};

test('in production the first token is in a file for its owner, and nowhere else', async () => {
  const notAFolder = join(folder, 'file');
  writeFileSync(notAFolder, '');
  await expect(provide(notAFolder)).rejects.toThrow('set INLET_ADMIN_TOKEN');

  const data = join(folder, 'data');
  const answers = await Promise.all([provide(data), provide(data), provide(data)]);
  const file = join(data, 'admin-token');
  expect(answers.filter((answer) => Object.keys(answer).length > 0)).toEqual([
    { adminTokenFile: file },
  ]);
  expect([statSync(data).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readdirSync(data)).toEqual(['admin-token']);
  const token = readFileSync(file, 'utf8').trim();
  expect((await api.ask('GET', '/v1/admin/webhooks', { token })).status).toBe(200);

  // A process that died before the draft of the file had its name.
  const tokens = api.connection.collection('tokens');
  await waitForValue(
    'its use',
    async () =>
      (await tokens.findOne({ lastUsedAt: { $ne: null }, name: 'First token' })) ?? undefined,
  );
  await tokens.updateMany({}, { $set: { lastUsedAt: null } });
  renameSync(file, `${file}.draft`);
  writeFileSync(`${file}.other`, 'inlet_at_of-a-process-that-stored-no-token');
  expect(await provide(data)).toEqual({ adminTokenFile: file });
  expect(readFileSync(file, 'utf8').trim()).toBe(token);
  expect(await provide(data)).toEqual({});

  // Later starts need no folder that can be written.
  chmodSync(data, 0o500);
  expect(await provide(notAFolder)).toEqual({});
});

test('a file that another process recovers from its draft is kept', () => {
  const file = join(folder, 'recovered', 'admin-token');
  const draft = draftSecretFile(file, 'a secret');
  expect(recoverSecretFile(file, (text) => text === 'a secret')).toBe(file);
  expect(draft.keep()).toBe(file);
  expect(readFileSync(file, 'utf8')).toBe('a secret\n');
});
