/** Every export has an importer. `client` is published, so its exports need none. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.ts', '*.tsx', '*.mjs'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** Exports that no import statement names. */
const foreign = new Set([
  // Node calls it.
  'test/support/jest/typescript.mjs#load',
  // `npm run api` imports them from dist.
  'src/api/notices/target-routes.ts#targetFields',
  'src/api/webhooks/setting-routes.ts#webhookSettingsSchema',
  // The build writes its import.
  'web/src/preload.ts#preload',
]);

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .map((name) => name.split(/ as |:/)[0]?.trim() ?? '')
    .filter((name) => name !== '');

/** Code within template literals is not the file's own. */
const declarations =
  /^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)|^export (?:type )?\{([^}]*)\}/gm;

function exportsOf(text: string): string[] {
  const code = text.replaceAll(/`(?:\\.|[^\\`])*`/g, '``');
  return [...code.matchAll(declarations)].flatMap(([, name, list = '']) =>
    name === undefined ? namesIn(list) : [name],
  );
}

/** Each shape captures the names, if any, and the path. Without names the whole module is used. */
const importShapes = [
  /(?:import|export)\s+(?:type\s+)?\{(?<names>[^}]*)\}\s*from\s+'(?<path>\.[^']+)'/g,
  /(?:import|export)\s+(?:type\s+)?\*\s*(?:as\s+\w+\s+)?from\s+'(?<path>\.[^']+)'/g,
  /(?:\{(?<names>[^{}]*)\}\s*=\s*(?:await\s+)?)?import\(\s*'(?<path>\.[^']+)'\s*\)/g,
  /import\('(?<path>\.[^']+)'\)\.(?<names>\w+)/g,
];

/** By `file#name`, or `file#*` for a whole module. */
const importers = new Map<string, string[]>();
for (const [file, text] of texts) {
  for (const match of importShapes.flatMap((shape) => [...text.matchAll(shape)])) {
    const { path = '', names } = match.groups ?? {};
    const target = normalize(join(dirname(file), path)).replaceAll('\\', '/');
    for (const name of names === undefined ? ['*'] : namesIn(names)) {
      const key = `${target}#${name}`;
      importers.set(key, [...(importers.get(key) ?? []), file]);
    }
  }
}

const exported = [...texts]
  .filter(([file]) => !file.startsWith('client/'))
  .flatMap(([file, text]) => exportsOf(text).map((name) => ({ file, name })))
  .filter(({ file, name }) => !foreign.has(`${file}#${name}`));

const importersOf = (file: string, name: string): string[] => [
  ...(importers.get(`${file}#${name}`) ?? []),
  ...(importers.get(`${file}#*`) ?? []),
];

const nameOf = ({ file, name }: { file: string; name: string }) => `${file} ${name}`;

test('the tests below see the exports', () => {
  expect(exported.length).toBeGreaterThan(3_000);
  expect(exported.map(nameOf)).toContain('src/base/errors.ts errorKinds');
  expect(importersOf('src/assemble/receiver.ts', 'runReceiver')).toContain('src/server.ts');
});

test('every export is imported by another file', () => {
  const unused = exported.filter(({ file, name }) => importersOf(file, name).length === 0);
  expect(unused.map(nameOf)).toEqual([]);
});

test('nothing exists only for tests', () => {
  const isProduct = (file: string) =>
    /^(?:src|suggest(?!\/(?:fitting|test)\/)|workers|config|cli|web)\//.test(file);
  const isUsedWithin = (file: string, name: string) =>
    (texts.get(file)?.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0) > 1;
  const forTests = exported.filter(
    ({ file, name }) =>
      isProduct(file) &&
      !isUsedWithin(file, name) &&
      importersOf(file, name).every((importer) =>
        /^(?:test|suggest\/(?:fitting|test))\//.test(importer),
      ),
  );
  expect(forTests.map(nameOf)).toEqual([]);
});
