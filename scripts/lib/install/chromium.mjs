// A Chromium for the tests of the console, of any make: the one that INLET_TEST_CHROMIUM names, the machine's own, one that
// Playwright has downloaded, or the system's package. A file that cannot print its version is skipped: Ubuntu's
// `chromium-browser` may be a script that only asks for a snap. The headless shell comes first: it has the same engine, and
// draws no window around each page.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findOnPath, isExecutableFile } from '../paths.mjs';
import { aptInstall, brewInstall, canUseApt } from './package-manager.mjs';
import { runCommand } from '../process/run-command.mjs';
import { step, StepError } from '../output.mjs';

/** @typedef {import('./redis.mjs').Program} Program */

/** The console's colours need `light-dark()`, which came with it. */
const oldestMajor = 123;

/** Debian's package of the headless shell. */
export const shellPackage = 'chromium-headless-shell';
/** Names on the PATH. */
export const systemBrowsers = [
  shellPackage,
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];
const applications = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

/** Paths of system browsers, the most likely first. */
function places() {
  const onPath = systemBrowsers.map(findOnPath);
  const ofMac = ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
    applications.map((name) => join(folder, `${name}.app/Contents/MacOS/${name}`)),
  );
  return [...onPath, ...ofMac, ...ofPlaywright()].filter((path) => path !== undefined);
}

/** Browsers of `npx playwright-core install chromium`, the newest first. */
function ofPlaywright() {
  const caches = [
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
  ];
  const inside = [
    'chrome-linux/headless_shell',
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  ];
  return caches.filter(existsSync).flatMap((cache) =>
    readdirSync(cache)
      .filter((name) => /^chromium(?:_headless_shell)?-\d+$/.test(name))
      .sort()
      .reverse()
      .flatMap((name) => inside.map((path) => join(cache, name, path))),
  );
}

/** @param {string} path @returns {Promise<string | undefined>} */
async function versionOf(path) {
  if (!isExecutableFile(path)) return undefined;
  const { code, output } = await runCommand(path, ['--version'], { timeoutMs: 30_000 });
  return code === 0 ? /(\d+(?:\.\d+){2,3})/.exec(output)?.[1] : undefined;
}

/** @param {string | undefined} version */
const isNewEnough = (version) => Number.parseInt(version ?? '0', 10) >= oldestMajor;

/** @returns {Promise<Program | undefined>} */
async function findChromium() {
  const named = process.env.INLET_TEST_CHROMIUM?.trim();
  if (named) return useNamed(named);
  for (const path of new Set(places())) {
    const version = await versionOf(path);
    if (version !== undefined && isNewEnough(version))
      return { path, version, source: 'installed' };
  }
  return undefined;
}

/** @param {string} path @returns {Promise<Program>} */
async function useNamed(path) {
  const version = await versionOf(path);
  if (version !== undefined && isNewEnough(version)) {
    return { path, version, source: 'INLET_TEST_CHROMIUM' };
  }
  throw new StepError(
    version === undefined
      ? `INLET_TEST_CHROMIUM names ${path}, which is no Chromium that runs.`
      : `INLET_TEST_CHROMIUM names ${path}, which is version ${version}; ${oldestMajor} is needed.`,
    { advice: ['correct it, or leave it empty'] },
  );
}

/** In CI the headless shell is installed beside another browser. @returns {Promise<Program>} */
export async function findOrInstallChromium() {
  const found = await findChromium();
  if (found && !(await lacksShellInCi(found))) return found;
  await step('Installing Chromium with the package manager', installChromium);
  const installed = await findChromium();
  if (installed) return installed;
  throw missing(['the package manager installed it, but none of version 123 or newer runs']);
}

/** @param {Program} found */
const lacksShellInCi = async ({ path, source }) =>
  process.env.CI === 'true' &&
  source === 'installed' &&
  !/headless.shell/.test(path) &&
  (await canUseApt());

async function installChromium() {
  if (await canUseApt()) return installWithApt();
  if (findOnPath('brew')) return brewInstall('google-chrome');
  throw missing([
    `${systemBrowsers.join(', ')} on the PATH`,
    `${applications.join(', ')} among the applications`,
    'apt-get (needs root or a sudo without password)',
    'brew',
  ]);
}

/** Debian has the shell as a package of its own; other systems with apt may not. */
async function installWithApt() {
  try {
    await aptInstall(shellPackage);
  } catch {
    await aptInstall('chromium');
  }
}

/** @param {string[]} tried */
function missing(tried) {
  return new StepError('There is no Chromium on this machine, and none could be installed.', {
    tried,
    advice: [
      'install Chromium, Chrome or Edge, 123 or newer: sudo apt-get install chromium, brew install google-chrome',
      'or run: npx playwright-core install --with-deps chromium',
      'or set INLET_TEST_CHROMIUM to the program of one',
      'or leave out the tests that need it: npm test -- test/unit/ test/integration/ test/promises/',
    ],
  });
}
