import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';

const read = (path: string) => readFileSync(join(repository, 'dist/bin', path), 'utf8');

test.each([
  ['server', 'src/server.ts'],
  ['worker', 'workers/main.ts'],
])('stack traces of the bundled %s name lines of %s', (role, source) => {
  const lines = read(`${role}.js`).split('\n');
  const line = lines.findIndex((text) => text.startsWith('async function main'));
  const map = new SourceMap(JSON.parse(read(`${role}.js.map`)));
  const entry = map.findEntry(line, 'async function '.length);
  if (!('originalSource' in entry)) throw new Error(`The map has no entry for line ${line}`);
  expect(join(repository, 'dist/bin', entry.originalSource)).toBe(join(repository, source));
  const original = readFileSync(join(repository, source), 'utf8').split('\n');
  expect(original[entry.originalLine]).toContain('async function main(');
});

test('no map of the packages is read at start', () => {
  expect(read('packages.js')).not.toContain('sourceMappingURL');
});
