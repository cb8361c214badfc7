// promtool, which checks rules and metrics of Prometheus: the one on the PATH, or that of the system's package.
import { findOnPath } from '../paths.mjs';
import { aptInstall, brewInstall, canUseApt } from './package-manager.mjs';
import { step, StepError } from '../output.mjs';

/** @returns {Promise<string>} its path */
export async function findOrInstallPromtool() {
  const found = findOnPath('promtool');
  if (found) return found;
  await step('Installing Prometheus with the package manager', installPrometheus);
  const installed = findOnPath('promtool');
  if (installed) return installed;
  throw missing();
}

async function installPrometheus() {
  if (await canUseApt()) return aptInstall('prometheus');
  if (findOnPath('brew')) return brewInstall('prometheus');
  throw missing();
}

const missing = () =>
  new StepError('There is no promtool on this machine, and none could be installed.', {
    tried: ['promtool on the PATH', 'apt-get (needs root or a sudo without password)', 'brew'],
    advice: ['install it: sudo apt-get install prometheus, or brew install prometheus'],
  });
