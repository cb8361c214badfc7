// Which tests a change touches, and when they run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImportGraph } from '../../../scripts/lib/checks/import-graph.mjs';
import { isOfDefaultTier } from '../../../scripts/lib/checks/test-files.mjs';
import { watchFiles } from '../../../scripts/lib/checks/watch.mjs';
import { repository } from '../../../scripts/lib/paths.mjs';
import { waitForValue } from '../../support/processes/client.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inlet-unit-watch-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const testsOf = (...paths: string[]) =>
  createImportGraph(root)
    .testsOf(paths.map((path) => join(root, path)))
    .map((path) => path.slice(root.length + 1));

describe('the tests of a changed module', () => {
  beforeEach(() => {
    write('src/a.ts', 'export const a = 1;');
    write('src/b.ts', "export { a } from './a.ts';");
    write('src/style.css', '');
    write('test/far.test.ts', "import {\n  a,\n} from '../src/b.ts';");
    write('test/near.test.ts', "import { a } from '../src/a.ts';");
    write('test/lazy.test.ts', "await import('../src/b.ts');");
    write('test/typed.test.ts', "import type { A } from '../src/a.ts';\nimport './setup.ts';");
    write('test/setup.ts', "import '../src/style.css';");
    write('src/node_modules/x.test.ts', "import { a } from '../a.ts';");
  });
  test('import it, directly first, or not; types do not count', () => {
    expect(testsOf('src/a.ts')).toEqual([
      'test/near.test.ts',
      'test/far.test.ts',
      'test/lazy.test.ts',
    ]);
  });
  test('are itself, and of an asset those that load it', () => {
    expect(testsOf('test/far.test.ts')).toEqual(['test/far.test.ts']);
    expect(testsOf('src/style.css')).toEqual(['test/typed.test.ts']);
    expect(testsOf('src/gone.ts')).toEqual([]);
  });
  test('follow imports that change, and circles', () => {
    const graph = createImportGraph(root);
    const a = join(root, 'src/a.ts');
    expect(graph.testsOf([a])).toHaveLength(3);
    write('src/a.ts', "import './b.ts';\nexport const a = 2;");
    write('test/new.test.ts', "import '../src/b.ts';");
    expect(graph.testsOf([a])).toHaveLength(4);
    rmSync(join(root, 'test/new.test.ts'));
    expect(graph.testsOf([a])).toHaveLength(3);
  });
});

test('the graph of this repository has the tests of a module', () => {
  const tests = createImportGraph(repository).testsOf([
    join(repository, 'scripts/lib/checks/import-graph.mjs'),
  ]);
  expect(tests).toContain(import.meta.filename);
});

test('a test of the deep tier is not one of the default tier', () => {
  expect(isOfDefaultTier(join(repository, 'test/deep/chaos/chaos.test.ts'))).toBe(false);
  expect(isOfDefaultTier(import.meta.filename)).toBe(true);
});

test('changes during a run are in the next one, and a failed run does not end the watch', async () => {
  const file = write('src/a.ts', '');
  const runs: string[][] = [];
  const errors: unknown[] = [];
  let end: (error?: Error) => void = () => undefined;
  const onChange = (changed: string[]) => {
    runs.push(changed);
    return new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve());
    });
  };
  const close = watchFiles(root, onChange, (error) => errors.push(error));
  try {
    // The watch of a folder begins a moment after the call.
    await waitForValue('the first run', () => {
      writeFileSync(file, String(Math.random()));
      return runs[0];
    });
    const other = write('src/b.ts', '1');
    write('src/.a.ts.swp', '1');
    const failure = new Error('wrong');
    expect(runs).toHaveLength(1);
    await waitForValue('the second run', () => {
      end(failure);
      return runs[1];
    });
    expect(errors[0]).toBe(failure);
    expect(runs.flat()).toContain(other);
    expect(runs.flat().every((path) => [file, other].includes(path))).toBe(true);
    end();
  } finally {
    close();
  }
});
