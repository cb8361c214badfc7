import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settings, sourceHash } from '../../../scripts/lib/build/build.mjs';
import { checkNode, isInstalled } from '../../../scripts/lib/install/dependencies.mjs';
import { readSettings } from '../../../scripts/lib/environment.mjs';
import { countsOf, sumCounts } from '../../../scripts/lib/checks/jest.mjs';
import { acquireLock, withLock } from '../../../scripts/lib/process/lock.mjs';
import { createEmbeddedServices } from '../../../scripts/lib/services/embedded-services.mjs';
import { runCommand } from '../../../scripts/lib/process/run-command.mjs';
import { withoutCredentials } from '../../../scripts/lib/output.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inlet-unit-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, value: unknown): void {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
}

describe('the Node version', () => {
  test.each(['20.19.0', '20.20.1', '22.0.0', '24.1.0'])('%s is sufficient', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });
  test.each(['18.20.0', '20.18.3', '19.9.0'])('%s is rejected with a message', (version) => {
    expect(() => checkNode(version)).toThrow(`this is Node ${version}`);
  });
});

describe('installed dependencies', () => {
  const locked = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/for-windows': { version: '2.0.0', optional: true },
  };
  beforeEach(() => write('package-lock.json', { packages: locked }));

  test('are missing without the record that npm leaves', () => {
    expect(isInstalled(root)).toBe(false);
  });
  test.each([
    ['all there but for another platform', { 'node_modules/a': { version: '1.0.0' } }, true],
    ['one of another version', { 'node_modules/a': { version: '1.0.1' } }, false],
    ['one missing', {}, false],
  ])('%s', (_, packages, expected) => {
    write('node_modules/.package-lock.json', { packages });
    expect(isInstalled(root)).toBe(expected);
  });
});

test('a changed, a new and a renamed source each change the hash of the build', () => {
  for (const name of settings) write(name, '{}');
  write('src/a.ts', '1');
  const hashes = [sourceHash(root)];
  write('src/a.ts', '2');
  hashes.push(sourceHash(root));
  write('workers/b.ts', '');
  hashes.push(sourceHash(root));
  rmSync(join(root, 'workers/b.ts'));
  write('workers/c.ts', '');
  hashes.push(sourceHash(root));
  expect(new Set(hashes).size).toBe(4);
});

describe('a lock', () => {
  test('names its holder, and is free again after', () => {
    const path = join(root, 'lock');
    const first = acquireLock(path);
    expect(acquireLock(path)).toEqual({ heldBy: process.pid });
    if ('release' in first) first.release();
    expect(acquireLock(path)).toHaveProperty('release');
  });
  test('of a process that died does not block', () => {
    const path = join(root, 'lock');
    writeFileSync(path, '999999999 1');
    expect(acquireLock(path)).toHaveProperty('release');
  });
  test('of another process that got the same number does not block', () => {
    const path = join(root, 'lock');
    writeFileSync(path, `${process.pid} 1`);
    expect(acquireLock(path)).toHaveProperty('release');
  });
  test('lets one process at a time do the work, and is released when the work fails', async () => {
    const path = join(root, 'lock');
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
      throw new Error('failed');
    };
    const all = await Promise.allSettled([1, 2, 3].map(() => withLock(path, 'testing', work)));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(most).toBe(1);
  });
});

describe('the settings of npm start', () => {
  test('have defaults', () => {
    expect(readSettings({})).toEqual({ workers: 1, opsHost: '127.0.0.1', opsPort: 9090 });
  });
  test('that are wrong are all reported at once', () => {
    expect(() => readSettings({ INLET_WORKERS: '0', INLET_OPS_PORT: 'x' })).toThrow(
      expect.objectContaining({
        exitCode: 78,
        advice: [
          expect.stringContaining('INLET_WORKERS'),
          expect.stringContaining('INLET_OPS_PORT'),
        ],
      }),
    );
  });
});

describe('the result of a test run', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: 0,
  };
  test.each([
    ['all passed', report, 0, 0],
    ['one skipped', { ...report, numPendingTests: 1 }, 0, 1],
    ['a suite that cannot run', { ...report, numRuntimeErrorTestSuites: 1 }, 1, 1],
    ['a bad exit without a failed test', report, 1, 1],
  ])('%s', (...[, given, code, failed]) => {
    expect(countsOf(given, { code })).toEqual({ passed: 5, failed });
  });
  test('is the sum of its runs', () => {
    expect(
      sumCounts([
        { passed: 2, failed: 0 },
        { passed: 1, failed: 3 },
      ]),
    ).toEqual({
      passed: 3,
      failed: 3,
    });
  });
});

test('a URL is shown without its credentials and options', () => {
  expect(withoutCredentials('mongodb://me:secret@db:27017/inlet?authSource=admin')).toBe(
    'mongodb://***@db:27017/inlet',
  );
});

test('a command that takes too long is killed, and its output says so', async () => {
  const { code, output } = await runCommand(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)'], {
    timeoutMs: 50,
  });
  expect(code).toBe(1);
  expect(output).toContain('Killed, because it took longer than');
});

describe('the data folder', () => {
  const modeOf = (folder: string) => statSync(folder).mode & 0o777;

  test('is created for its owner alone, and closed to others when an older version left it open', () => {
    const data = join(root, 'data');
    createEmbeddedServices(data, () => {});
    expect(modeOf(data)).toBe(0o700);
    writeFileSync(join(data, 'ports.json'), '{}');
    chmodSync(data, 0o755);
    createEmbeddedServices(data, () => {});
    expect(modeOf(data)).toBe(0o700);
  });

  test('keeps its mode when it is not known to be of Inlet', () => {
    chmodSync(root, 0o755);
    createEmbeddedServices(root, () => {});
    expect(modeOf(root)).toBe(0o755);
  });
});
