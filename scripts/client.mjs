// `npm run client`: builds the package @inlet/client into dist/client, with the version of the repository. `npm pack dist/client` or
// `npm publish dist/client` takes it from there.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { exitCodeOf, print, printError, StepError } from './lib/output.mjs';
import { repository } from './lib/paths.mjs';
import { runCommand } from './lib/process/run-command.mjs';

const target = join(repository, 'dist/client');
const readJson = (/** @type {string} */ path) =>
  JSON.parse(readFileSync(join(repository, path), 'utf8'));

async function buildClient() {
  readArguments('npm run client');
  rmSync(target, { recursive: true, force: true });
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', join(repository, 'client')];
  const { code, output } = await runCommand(process.execPath, args, { cwd: repository });
  if (code !== 0) throw new StepError(`The client does not compile.\n${output.trim()}`);
  const manifest = {
    ...readJson('client/package.json'),
    version: readJson('package.json').version,
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(repository, 'client/README.md'), join(target, 'README.md'));
  copyFileSync(join(repository, 'LICENSE'), join(target, 'LICENSE'));
  print('The package is in dist/client.');
}

try {
  await buildClient();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
