import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { localKeysFile, readLocalKeys } from '../../../src/base/secrets/local-keys.ts';
import { decodeKey } from '../../../src/base/secrets/vault.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'inlet-keys-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a key is created once, with its folder, readable only for its owner', () => {
  const deep = join(folder, 'not', 'yet');
  const made = readLocalKeys(deep);
  expect(made.map((key) => decodeKey(key)?.length)).toEqual([32]);
  expect(readLocalKeys(deep)).toEqual(made);
  expect(statSync(localKeysFile(deep)).mode & 0o777).toBe(0o600);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  expect(readdirSync(deep)).toEqual(['secret-keys']);
});

test('a file with several keys is parsed like the setting', () => {
  writeFileSync(localKeysFile(folder), 'new, old\n');
  expect(readLocalKeys(folder)).toEqual(['new', 'old']);
});

test('processes that start at the same time get the same key', async () => {
  const url = (path: string) => pathToFileURL(join(import.meta.dirname, '../../..', path)).href;
  const code = `import { readLocalKeys } from ${JSON.stringify(url('src/base/secrets/local-keys.ts'))};
    while (Date.now() < ${Date.now() + 800}); console.log(readLocalKeys(process.argv[1]).join())`;
  const run = promisify(execFile);
  const loader = ['--import', url('test/support/jest/typescript.mjs')];
  const args = [...loader, '--input-type=module', '-e', code, folder];
  const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, args)));
  expect(new Set(outputs.map(({ stdout }) => stdout.trim())).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['secret-keys']);
});

test('the error for a key that cannot be stored names the cause and not the key', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => readLocalKeys(join(folder, 'file'))).toThrow(/EEXIST|ENOTDIR/);
});
