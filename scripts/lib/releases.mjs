// The releases, by their commits: tags may not travel with a clone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from './output.mjs';
import { repository } from './paths.mjs';
import { runCommand } from './process/run-command.mjs';

/** @typedef {{ version: string, commit: string, date: string }} Release `date` as YYYY-MM-DD */

const file = join(repository, 'releases.json');

/** @returns {Release[]} the oldest first */
export const readReleases = () => JSON.parse(readFileSync(file, 'utf8'));

/** @param {Release[]} releases */
export const releasesText = (releases) =>
  releases.length === 0 ? '[]\n' : `[\n${releases.map(lineOf).join(',\n')}\n]\n`;

/** @param {Release} release */
const lineOf = ({ version, commit, date }) =>
  `  { "version": "${version}", "commit": "${commit}", "date": "${date}" }`;

/** @param {string} version @param {string} than @returns {boolean} false for what is no version */
export function isLater(version, than) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return false;
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}

/**
 * The version of the sources between this release and the next, so that its processes are told apart from those of a release.
 * @param {string} version of a release
 */
export function developmentVersionAfter(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  return `${major}.${minor}.${(patch ?? 0) + 1}-dev`;
}

/**
 * Moves what is unreleased to a section of the version.
 * @param {string} changelog
 * @param {Pick<Release, 'version' | 'date'>} release
 */
export function dateChangelog(changelog, { version, date }) {
  const head = '## [Unreleased]\n';
  const [before, after] = changelog.split(head);
  if (before === undefined || after === undefined || after.split('\n## ')[0]?.trim() === '')
    throw new StepError('CHANGELOG.md has nothing under [Unreleased].');
  return `${before}${head}\n## [${version}] - ${date}\n${after}`;
}

/**
 * Builds a release from its commit. Takes about a minute.
 * @param {Pick<Release, 'version' | 'commit'>} release
 * @param {string} folder an empty one
 * @param {() => Promise<void>} [change] changes the sources before the build
 */
export async function buildRelease({ version, commit }, folder, change) {
  const run = async (/** @type {string} */ command, /** @type {string[]} */ args, cwd = folder) => {
    const { code, output } = await runCommand(command, args, { cwd, timeoutMs: 300_000 });
    if (code !== 0)
      throw new StepError(
        `Release ${version} could not be built: ${command} ${args[0]}\n${output.trim()}`,
      );
  };
  const { code } = await runCommand('git', ['cat-file', '-e', `${commit}^{commit}`], {
    cwd: repository,
  });
  if (code !== 0)
    throw new StepError(`This clone lacks the commit of release ${version}.`, {
      advice: ['fetch the whole history: git fetch --unshallow'],
    });
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', '--output', archive, commit], repository);
  await run('tar', ['-xf', archive]);
  await change?.();
  await run('npm', [
    'ci',
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ]);
  await run(process.execPath, ['scripts/build.mjs']);
}
