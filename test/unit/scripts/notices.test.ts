// What the build writes beside the bundles of dist/: licence texts and the list of packages.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import {
  packagesOf,
  renderedModules,
  rendererOf,
} from '../../../scripts/lib/build/bundled-packages.mjs';
import { noticesOf, sbomOf } from '../../../scripts/lib/build/notices.mjs';
import { repository } from '../../../scripts/lib/paths.mjs';

type Component = {
  readonly name: string;
  readonly version?: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly licenses: readonly [{ readonly expression: string }];
  readonly hashes?: readonly [{ readonly content: string }];
  readonly components?: readonly Component[];
};

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const notices = () => read('dist/THIRD_PARTY_NOTICES.txt');
const sbom = () => JSON.parse(read('dist/sbom.cdx.json')) as { components: readonly Component[] };
const licenseOf = (name: string): string => {
  const files = readdirSync(join(repository, 'node_modules', name));
  const file = files.find((one) => /^licen[cs]e/i.test(one)) ?? '';
  return read(`node_modules/${name}/${file}`).replaceAll('\r\n', '\n').trim();
};
const versionOf = (folder: string): string => JSON.parse(read(`${folder}/package.json`)).version;

const importShape =
  /^(?:import|export) (?!type)[^;]*?from '([@a-z][\w@./-]*)'|import\('([@a-z][\w@./-]*)'\)|^import '([@a-z][\w@./-]*)'/gm;

/** The packages that the sources below a folder import, types aside. */
function importedBelow(folder: string): string[] {
  const files = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' });
  const specifiers = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...read(join(folder, file)).matchAll(importShape)])
    .map(([, one, two, three]) => one ?? two ?? three ?? '')
    .filter((name) => !name.startsWith('node:'));
  const names = specifiers.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
  return [...new Set(names)];
}

test.each([
  ['src', 'mongoose', 'mongodb'],
  ['cli', 'commander', '@clack/core'],
  ['web/src', 'react-dom', 'scheduler'],
])('each package that %s imports has its notice and its component', (folder, ...known) => {
  const imported = importedBelow(folder);
  expect(imported).toContain(known[0]);
  const [text, { components }] = [notices(), sbom()];
  for (const name of [...imported, ...known]) {
    const version = versionOf(`node_modules/${name}`);
    expect(text).toContain(`\n${name} ${version} (`);
    expect(components).toContainEqual(expect.objectContaining({ name, version }));
  }
  for (const name of known) expect(text).toContain(licenseOf(name));
});

test('the console and the renderer of the API page have theirs', () => {
  const text = notices();
  for (const name of ['react-dom', 'react-aria-components', '@codemirror/view']) {
    expect(text).toContain(`\n${name} ${versionOf(`node_modules/${name}`)} (`);
    expect(text).toContain(read(`node_modules/${name}/LICENSE`).trim());
  }
  expect(text).toContain(`\nredoc ${versionOf('node_modules/redoc')} (MIT)`);
  expect(text).toContain('\nprismjs (MIT), inside redoc');
  expect(text).toContain('\nhoist-non-react-statics (BSD-3-Clause), inside redoc');
  expect(text).toContain('Copyright (c) 2015, Yahoo! Inc.');
});

test('no tool of the build is among them', () => {
  expect(notices()).not.toMatch(/^(?:typescript|jest|vite|@swc\/core) \d/m);
});

test('the list has each package once, with licence and hash', () => {
  const { components } = sbom();
  const all = components.flatMap((one) => [one, ...(one.components ?? [])]);
  expect(components.length).toBeGreaterThan(150);
  expect(new Set(all.map((one) => one['bom-ref'])).size).toBe(all.length);
  for (const { name, purl, licenses } of all) {
    expect([name, purl]).toEqual([
      name,
      expect.stringMatching(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+/),
    ]);
    expect([name, licenses[0].expression]).toEqual([name, expect.stringMatching(/^[\w.() -]+$/)]);
  }
  for (const { name, hashes } of components) {
    expect([name, hashes?.[0].content]).toEqual([name, expect.stringMatching(/^[0-9a-f]{128}$/)]);
  }
});

const chunkOf = (modules: Readonly<Record<string, number>>) =>
  ({
    modules: Object.fromEntries(
      Object.entries(modules).map(([id, renderedLength]) => [id, { renderedLength }]),
    ),
  }) as unknown as OutputChunk;

test('the order of modules changes nothing, and a module of which nothing is left has no notice', () => {
  const inside = (path: string) => join(repository, 'node_modules', path);
  const ids = [inside('uuid/dist/v7.js'), `\0${inside('qs/lib/index.js')}?commonjs`];
  const chunks = ids.map((id) => chunkOf({ [id]: 1, [inside('luxon/build/es6/luxon.mjs')]: 0 }));
  const [one, other] = [
    packagesOf(repository, renderedModules(chunks)),
    packagesOf(repository, renderedModules(chunks.toReversed())),
  ];
  expect(one.map(({ name }) => name)).toEqual(['qs', 'uuid']);
  const build = { version: '1.0.0', locked: {} };
  expect([noticesOf(other), sbomOf(other, build)]).toEqual([noticesOf(one), sbomOf(one, build)]);
});

describe('a package without a licence text', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'inlet-notices-'));
    mkdirSync(join(root, 'node_modules/@a/b'), { recursive: true });
    writeFileSync(join(root, 'LICENSE'), read('LICENSE'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const found = (manifest: object) => {
    const text = JSON.stringify({ name: '@a/b', version: '1.0.0', ...manifest });
    writeFileSync(join(root, 'node_modules/@a/b/package.json'), text);
    return packagesOf(root, [join(root, 'node_modules/@a/b/index.js')]);
  };

  test('gets the standard text, with its author, under the MIT licence', () => {
    const [one] = found({ license: 'MIT', author: 'Ada <ada@example.com>' });
    expect(one?.text).toMatch(
      /^MIT License\n\nCopyright \(c\) Ada\n\nPermission is hereby granted/,
    );
  });

  test.each([
    [{ license: 'MIT' }],
    [{ license: 'GPL-3.0-only', author: 'Ada' }],
    [{ author: 'Ada' }],
  ])('ends the build otherwise: %j', (manifest) => {
    expect(() => found(manifest)).toThrow('@a/b is bundled without a known licence');
  });
});

test('the licence of every package inside the renderer is known', () => {
  const { contains = [] } = rendererOf(repository);
  expect(contains.length).toBeGreaterThan(40);
  expect(contains.filter(({ text, license }) => !text || !license)).toEqual([]);
});
