// The image is built from what .dockerignore lets through. Every file that the build reads must be among it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { settings, sources } from '../../../scripts/lib/build/build.mjs';
import { commandEntry } from '../../../scripts/lib/build/bundle-command.mjs';
import { entryPoints } from '../../../scripts/lib/build/bundle-roles.mjs';
import { repository } from '../../../scripts/lib/paths.mjs';
import { siteFiles, siteSources } from '../../../scripts/lib/site/build-site.mjs';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const linesOf = (path: string) =>
  read(path)
    .split('\n')
    .filter((line) => /^[^#\s]/.test(line));

type Rule = { readonly lets: boolean; readonly matches: (path: string) => boolean };

/** The forms that the file has: everything, a path, a folder of that name at any depth. The last rule that matches decides. */
function ruleOf(line: string): Rule {
  const lets = line.startsWith('!');
  const pattern = lets ? line.slice(1) : line;
  if (pattern === '*') return { lets, matches: () => true };
  const [, anywhere = '', name = ''] = /^(\*\*\/)?([\w./-]+)$/.exec(pattern) ?? [];
  if (!name) throw new Error(`This test does not know the pattern ${line}`);
  if (anywhere) return { lets, matches: (path) => path.split('/').includes(name) };
  return { lets, matches: (path) => path === name || path.startsWith(`${name}/`) };
}

function isLetThrough(path: string, lines: readonly string[]): boolean {
  const last = lines.map(ruleOf).findLast(({ matches }) => matches(path));
  return last?.lets ?? true;
}

const importShape = /(?:from|import\(|import|import\.meta\.dirname,) ?'(\.{0,2}[\w./-]+)'/g;

/** A file and all of ours that it imports, directly or not; files beside a module that it reads are among them. */
function closureOf(entries: readonly string[]): string[] {
  const found = new Set(entries);
  for (const file of found) {
    if (!/\.(?:tsx?|[cm]?js)$/.test(file)) continue;
    for (const [, specifier = ''] of read(file).matchAll(importShape)) {
      const path = relative(repository, join(repository, dirname(file), specifier));
      const isFile = statSync(join(repository, path), { throwIfNoEntry: false })?.isFile();
      if (isFile) found.add(path);
    }
  }
  return [...found];
}

/** What the first stage copies by name, and what the second takes from it, apart from what the build writes. */
function copiedFiles(): string[] {
  const copies = [...read('Dockerfile').matchAll(/^COPY (?:--from=build )?(.+) \S+$/gm)];
  return copies
    .flatMap(([, paths = '']) => paths.split(' '))
    .map((path) => path.replace(/^\/app\//, ''))
    .filter((path) => path !== '.' && !path.startsWith('dist/'));
}

const entries = [
  'scripts/build.mjs',
  ...entryPoints,
  commandEntry,
  'web/vite.config.ts',
  'web/src/main.tsx',
  'scripts/lib/site/write-site.mjs',
  'docs/.vitepress/config.mjs',
  'docs/.vitepress/theme/index.mjs',
];
const patterns = linesOf('.dockerignore');

test('lets through every file that the build imports', () => {
  const files = closureOf(entries);
  expect(files).toEqual(
    expect.arrayContaining([
      'cli/commands/doctor.ts',
      'client/client.ts',
      'config/config.ts',
      'package.json',
      'scripts/lib/build/load-packages.cjs',
      'scripts/lib/build/renderer-licenses.json',
      'scripts/lib/site/markdown.mjs',
      'workers/main.ts',
      'web/chunks.ts',
    ]),
  );
  expect(files.filter((path) => !isLetThrough(path, patterns))).toEqual([]);
});

test('lets through every folder and file whose change needs a build, and what the Dockerfile copies', () => {
  const paths = [...sources, ...settings, ...siteSources, ...siteFiles, ...copiedFiles()];
  expect(paths).toEqual(expect.arrayContaining(['cli', 'LICENSE', 'package-lock.json', '.npmrc']));
  for (const path of paths) {
    expect([
      path,
      statSync(join(repository, path), { throwIfNoEntry: false }) !== undefined,
    ]).toEqual([path, true]);
  }
  expect(paths.filter((path) => !isLetThrough(path, patterns))).toEqual([]);
});

test('keeps everything else out: secrets, history, tests and what was built here', () => {
  const outside = ['.env', '.git', '.inlet', 'dist', 'node_modules', 'web/node_modules', 'test'];
  expect(outside.filter((path) => isLetThrough(path, patterns))).toEqual([]);
  const top = readdirSync(repository).filter((path) => isLetThrough(path, patterns));
  expect(top.length).toBeLessThan(20);
});

test('a folder that is not let through is found', () => {
  const without = patterns.filter((line) => line !== '!cli');
  expect(without.length).toBe(patterns.length - 1);
  const left = closureOf(entries).filter((path) => !isLetThrough(path, without));
  expect(left).toContain('cli/main.ts');
});
