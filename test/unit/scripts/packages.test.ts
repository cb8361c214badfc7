// What npm installs: exactly known packages, from any registry, without running their code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Locked = {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly hasInstallScript?: boolean;
};

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, Locked>>;
};
const entries = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13);

/**
 * Optional binaries for other platforms that the registry of the last lock did not have. npm checks no hash of these. The
 * list may only shrink: `npm install --package-lock-only` with a registry that has them adds their hashes.
 */
const withoutHash: Readonly<Record<string, readonly string[]>> = JSON.parse(
  read('test/support/fixtures/packages-without-hash.json'),
);

test('every package has a hash, but for known binaries of other platforms', () => {
  const missing = entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  const known = Object.entries(withoutHash).flatMap(([version, names]) =>
    names.map((name) => `${name}@${version}`),
  );
  expect(known.length).toBeLessThanOrEqual(50);
  expect(missing.map(([path, { version }]) => `${nameOf(path)}@${version}`).toSorted()).toEqual(
    known.toSorted(),
  );
  for (const [path, { optional, os, cpu }] of missing) {
    expect([path, optional, os !== undefined && cpu !== undefined]).toEqual([path, true, true]);
    expect([path, os?.includes('linux') && cpu?.includes('x64') && !/musl/.test(path)]).toEqual([
      path,
      false,
    ]);
  }
});

test('no package is bound to a registry or to an address', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
});

test('no package runs a script when it is installed', () => {
  const { allowScripts } = JSON.parse(read('package.json')) as {
    allowScripts: Readonly<Record<string, boolean>>;
  };
  const scripted = entries.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => nameOf(path)).toSorted()).toEqual(Object.keys(allowScripts));
  expect(Object.values(allowScripts)).not.toContain(true);
  expect(read('.npmrc')).toContain('strict-allow-scripts=true');
  for (const file of ['Dockerfile', 'scripts/lib/install/dependencies.mjs']) {
    expect([file, read(file).includes('--ignore-scripts')]).toEqual([file, true]);
  }
});
