// Programs that tests need beside the databases and the browser: each is the one on the PATH, or the system's package.
import { findOnPath } from '../paths.mjs';
import { shellPackage, systemBrowsers } from './chromium.mjs';
import { findOrInstallMongodb, needsWine } from './mongodb.mjs';
import { aptInstall, brewInstall, canUseApt } from './package-manager.mjs';
import { step, StepError } from '../output.mjs';
import { hasWine, winePackage } from './wine-mongod.mjs';

/**
 * @typedef {object} Tool
 * @property {string} variable of the environment, by which tests find it
 * @property {string} program on the PATH
 * @property {string} package of apt and of brew
 * @property {string} [brew] its package, where it has another name
 */

/** @type {Tool[]} */
export const tools = [
  { variable: 'INLET_TEST_HAPROXY', program: 'haproxy', package: 'haproxy' },
  { variable: 'INLET_TEST_PROMTOOL', program: 'promtool', package: 'prometheus' },
  { variable: 'INLET_TEST_PROMETHEUS', program: 'prometheus', package: 'prometheus' },
  { variable: 'INLET_TEST_NGINX', program: 'nginx', package: 'nginx' },
  { variable: 'INLET_TEST_OPENSSL', program: 'openssl', package: 'openssl' },
  {
    variable: 'INLET_TEST_KUBECTL',
    program: 'kubectl',
    package: 'kubernetes-client',
    brew: 'kubernetes-cli',
  },
  // It renders the templates of the Helm chart.
  { variable: 'INLET_TEST_GO', program: 'go', package: 'golang-go', brew: 'go' },
  // Linux only.
  { variable: 'INLET_TEST_BUILDAH', program: 'buildah', package: 'buildah' },
  { variable: 'INLET_TEST_SYSTEMD', program: 'systemd-analyze', package: 'systemd' },
  { variable: 'INLET_TEST_MMDEBSTRAP', program: 'mmdebstrap', package: 'mmdebstrap' },
];

/**
 * What the files of a test run need.
 * @typedef {object} Needs
 * @property {boolean} services MongoDB and Redis
 * @property {boolean} browser
 * @property {boolean} build `dist/`
 * @property {Tool[]} tools
 */

/**
 * Installs what apt has of a run's needs and the machine lacks by one command, which takes a third of the time of one for each;
 * then MongoDB for Wine, where it needs that. What it could not install, the steps for the single programs install or report.
 * @param {Needs} needs
 */
export async function installPackages({ services, browser, tools: wanted }) {
  const missing = wanted.filter(({ program }) => !findOnPath(program)).map((one) => one.package);
  if (services && !findOnPath('redis-server')) missing.push('redis-server');
  if (browser && !process.env.INLET_TEST_CHROMIUM && !systemBrowsers.some(findOnPath)) {
    missing.push(shellPackage);
  }
  const underWine = services && (await needsWine());
  if (underWine && !hasWine()) missing.push(winePackage);
  if (missing.length > 0 && (await canUseApt())) {
    await step(`Installing ${missing.join(', ')} with apt-get`, () =>
      aptInstall(...missing).catch(() => undefined),
    );
  }
  if (underWine) await findOrInstallMongodb().catch(() => undefined);
}

/**
 * One after the other: a package manager runs once at a time.
 * @param {Tool[]} wanted
 * @returns {Promise<NodeJS.ProcessEnv>} the path of each, by its variable
 */
export async function findOrInstallTools(wanted) {
  /** @type {NodeJS.ProcessEnv} */
  const found = {};
  for (const tool of wanted) found[tool.variable] = await findOrInstall(tool);
  return found;
}

/** @param {Tool} tool */
async function findOrInstall(tool) {
  const found = findOnPath(tool.program);
  if (found) return found;
  await step(`Installing ${tool.package} with the package manager`, () => install(tool));
  const installed = findOnPath(tool.program);
  if (installed) return installed;
  throw missing(tool);
}

/** @param {Tool} tool */
async function install(tool) {
  if (await canUseApt()) return aptInstall(tool.package);
  if (findOnPath('brew')) return brewInstall(tool.brew ?? tool.package);
  throw missing(tool);
}

/** @param {Tool} tool */
const missing = ({ program, package: name, brew = name }) =>
  new StepError(`There is no ${program} on this machine, and none could be installed.`, {
    tried: [`${program} on the PATH`, 'apt-get (needs root or a sudo without password)', 'brew'],
    advice: [`install it: sudo apt-get install ${name}, or brew install ${brew}`],
  });
