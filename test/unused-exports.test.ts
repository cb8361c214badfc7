/** Everything has a user: files, exports and packages (knip.config.js). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../scripts/lib/paths.mjs';
import { runCommand } from '../scripts/lib/process/run-command.mjs';

jest.setTimeout(180_000);

function findUnused(options: readonly string[], folder = repository) {
  const knip = join(repository, 'node_modules/knip/bin/knip.js');
  const args = [knip, '--no-progress', ...options];
  return runCommand(process.execPath, args, { cwd: folder });
}

/** An entry of the configuration that matches nothing is an error. */
const staleEntries = '--treat-config-hints-as-errors';

test('every file, export and package is used', async () => {
  expect(await findUnused([staleEntries])).toMatchObject({ code: 0, output: '' });
});

test('nothing of the product exists only for tests', async () => {
  expect(await findUnused(['--production', staleEntries])).toMatchObject({ code: 0, output: '' });
});

describe('with a module that nothing imports, and an export that only a test imports', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'inlet-unused-'));
    const files = {
      'package.json': '{ "name": "planted", "type": "module" }',
      'knip.config.js': `export { default } from ${JSON.stringify(join(repository, 'knip.config.js'))};`,
      'src/server.ts': `import { used } from './module.ts';\nused();\n`,
      'src/module.ts': 'export const used = () => 1;\nexport const tested = () => 2;\n',
      'src/alone.ts': 'export const alone = 3;\n',
      'test/module.test.ts': `import { tested } from '../src/module.ts';\ntested();\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('both are found', async () => {
    const all = await findUnused(['--no-config-hints'], folder);
    expect(all.output).toMatch(/^src\/alone\.ts\s*$/m);
    expect(all.output).not.toMatch(/^tested\b/m);
    expect((await findUnused(['--production', '--no-config-hints'], folder)).output).toMatch(
      /^tested\s.*src\/module\.ts/m,
    );
  });
});
