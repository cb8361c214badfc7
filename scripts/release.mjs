// `npm run release -- VERSION`: makes a release of a clean working tree in two commits. The first one sets the version and dates the
// changelog; the second one records the first in releases.json, because no commit can hold its own name, and sets the version of
// the development after it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeOf, print, printError, StepError } from './lib/output.mjs';
import { repository } from './lib/paths.mjs';
import { runCommand } from './lib/process/run-command.mjs';
import {
  dateChangelog,
  developmentVersionAfter,
  isLater,
  readReleases,
  releasesText,
} from './lib/releases.mjs';

const kubernetesExample = 'deploy/kubernetes/example/kustomization.yaml';
const chart = 'deploy/helm/inlet/Chart.yaml';

const read = (/** @type {string} */ name) => readFileSync(join(repository, name), 'utf8');
const write = (/** @type {string} */ name, /** @type {string} */ text) =>
  writeFileSync(join(repository, name), text);

/** @param {string[]} args @returns {Promise<string>} */
async function git(...args) {
  const { code, output, stdout } = await runCommand('git', args, { cwd: repository });
  if (code !== 0) throw new StepError(`git ${args[0]} failed.\n${output.trim()}`);
  return stdout.trim();
}

/** @param {string} name @param {string} version */
function setVersion(name, version) {
  const text = read(name);
  const before = JSON.parse(text).version;
  const quoted = `"version": "${before}"`;
  // package-lock.json has it twice: for itself, and for the package at its root.
  const own = text.indexOf('"packages"') > 0 ? 2 : 1;
  let changed = text;
  for (let n = 0; n < own; n += 1) changed = changed.replace(quoted, `"version": "${version}"`);
  write(name, changed);
}

/** @param {string} version */
function setVersions(version) {
  setVersion('package.json', version);
  setVersion('package-lock.json', version);
  write(kubernetesExample, read(kubernetesExample).replace(/newTag: .*/, `newTag: ${version}`));
  write(chart, read(chart).replaceAll(/^(version|appVersion): .*/gm, `$1: ${version}`));
}

async function release() {
  const [version = ''] = process.argv.slice(2);
  const releases = readReleases();
  const last = releases.at(-1)?.version ?? '0.0.0';
  if (!isLater(version, last))
    throw new StepError(`Name a version after ${last}: npm run release -- MAJOR.MINOR.PATCH`);
  if ((await git('status', '--porcelain')) !== '')
    throw new StepError('The working tree has changes.', { advice: ['commit or stash them'] });
  const date = new Date().toISOString().slice(0, 10);
  write('CHANGELOG.md', dateChangelog(read('CHANGELOG.md'), { version, date }));
  setVersions(version);
  await git('commit', '--all', '--message', `chore(release): ${version}`);
  const commit = await git('rev-parse', 'HEAD');
  write('releases.json', releasesText([...releases, { version, commit, date }]));
  setVersions(developmentVersionAfter(version));
  await git('commit', '--all', '--message', `chore(release): record ${version}`);
  print(`Released ${version} as ${commit}.`);
}

try {
  await release();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
