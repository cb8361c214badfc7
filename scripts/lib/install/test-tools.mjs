// Programs that tests need beside the databases and the browser: each is the one on the PATH, or the system's package.
import { findOnPath } from '../paths.mjs';
import { aptInstall, brewInstall, canUseApt } from './package-manager.mjs';
import { step, StepError } from '../output.mjs';

/**
 * @typedef {object} Tool
 * @property {string} program on the PATH
 * @property {string} package of apt and of brew
 */

/** @type {Tool} */
export const haproxy = { program: 'haproxy', package: 'haproxy' };
/** @type {Tool} */
export const promtool = { program: 'promtool', package: 'prometheus' };

/** @param {Tool} tool @returns {Promise<string>} its path */
export async function findOrInstallTool(tool) {
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
  if (findOnPath('brew')) return brewInstall(tool.package);
  throw missing(tool);
}

/** @param {Tool} tool */
const missing = ({ program, package: name }) =>
  new StepError(`There is no ${program} on this machine, and none could be installed.`, {
    tried: [`${program} on the PATH`, 'apt-get (needs root or a sudo without password)', 'brew'],
    advice: [`install it: sudo apt-get install ${name}, or brew install ${name}`],
  });
