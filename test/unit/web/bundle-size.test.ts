// The size of the first screen: the built scripts of the overview, compressed as the server sends them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const built = join(import.meta.dirname, '../../../dist/web');
const budgetBytes = 250_000;

type Chunk = { readonly file: string; readonly isEntry?: boolean; readonly imports?: string[] };
const manifest = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** The chunk with all its static imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`The build has no ${name}.`);
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const one of chunk.imports ?? []) filesOf(one, seen);
  return seen;
}

const compressed = (file: string) => gzipSync(readFileSync(join(built, file)), { level: 9 }).length;

test.each(['en', 'pt-BR', 'es'])('the first screen in %s stays within its budget', (language) => {
  const parts = ['index.html', `src/i18n/${language}.ts`, 'src/screens/overview/overview.tsx'];
  const files = new Set(parts.flatMap((part) => [...filesOf(part)]));
  const scripts = [...files].filter((file) => file.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(2);
  const bytes = scripts.reduce((sum, file) => sum + compressed(file), 0);
  expect(bytes).toBeGreaterThan(100_000); // or a chunk was not counted
  expect(bytes).toBeLessThanOrEqual(budgetBytes);
});

test('the first load contains no other screen', () => {
  const first = filesOf('index.html');
  const screens = Object.entries(manifest).filter(
    ([name]) => name.startsWith('src/screens/') && !name.includes('sign-in'),
  );
  expect(screens.length).toBeGreaterThan(10);
  expect(screens.filter(([, { file }]) => first.has(file)).map(([name]) => name)).toEqual([]);
});
