// TypeScript and the console to dist/, only when a source changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAssets } from './assets.mjs';
import { withLock } from '../process/lock.mjs';
import { lockPath, repository } from '../paths.mjs';
import { runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

const sources = ['src', 'workers', 'config', 'web', 'client'];
const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** A hash over everything that the build reads. @param {string} root */
export function sourceHash(root) {
  const hash = createHash('sha256');
  const files = sources.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
      : [],
  );
  for (const file of [...files.sort(), ...settings.map((name) => join(root, name))]) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** @param {string} root */
function isBuilt(root) {
  const stamp = join(root, 'dist/.source-hash');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(root);
}

export async function buildIfChanged(root = repository) {
  if (isBuilt(root)) return;
  await withLock(lockPath(root, 'build'), 'building', async () => {
    if (isBuilt(root)) return;
    await step('Building', () => build(root));
  });
}

/** @param {string} root */
async function build(root) {
  const hash = sourceHash(root); // before the build: what changes meanwhile is built next time
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { code, output } = await runCommand(
    process.execPath,
    [compiler, '-p', 'tsconfig.build.json'],
    {
      cwd: root,
    },
  );
  if (code !== 0) throw new StepError(`The build failed.\n${output.trim()}`);
  await buildAssets(root);
  writeFileSync(join(root, 'dist/.source-hash'), hash);
}
