// Builds another commit in a git worktree outside the repository, so that its processes run beside those of this tree.
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies, isInstalled } from '../install/dependencies.mjs';
import { repository } from '../paths.mjs';
import { lastLines, runCommand } from '../process/run-command.mjs';
import { StepError } from '../output.mjs';

/** @typedef {import('../services/temporary-services.mjs').Releases} Releases */

/** @param {readonly string[]} args */
const git = (args) => runCommand('git', ['-C', repository, ...args]);

/** Resolves to the short hash of a commit, or null when there is none of that name. @param {string} name */
export async function resolveCommit(name) {
  const { code, stdout } = await git([
    'rev-parse',
    '--short',
    '--verify',
    '-q',
    `${name}^{commit}`,
  ]);
  return code === 0 ? stdout.trim() : null;
}

/**
 * The worktree is in `folder`, and is removed by `releases`. It has the packages of this tree, or its own when it needs others.
 * @param {string} revision
 * @param {{ folder: string, releases: Releases }} options
 */
export async function buildCommit(revision, { folder, releases }) {
  releases.add(async () => {
    await git(['worktree', 'remove', '--force', folder]);
  });
  const { code, output } = await git(['worktree', 'add', '--detach', folder, revision]);
  if (code !== 0) throw new StepError(`The commit was not checked out.\n  ${lastLines(output)}`);
  const packages = join(folder, 'node_modules');
  symlinkSync(join(repository, 'node_modules'), packages);
  if (!isInstalled(folder)) {
    unlinkSync(packages);
    await installDependencies(folder);
  }
  const built = await runCommand(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  if (built.code !== 0)
    throw new StepError(`The build of ${revision} failed.\n  ${lastLines(built.output)}`);
}
