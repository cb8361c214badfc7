// An haproxy for the tests behind a load balancer: the one on the PATH, or the system's package.
import { findOnPath } from '../paths.mjs';
import { aptInstall, brewInstall, canUseApt } from './package-manager.mjs';
import { step, StepError } from '../output.mjs';

/** @returns {Promise<string>} its path */
export async function findOrInstallHaproxy() {
  const found = findOnPath('haproxy');
  if (found) return found;
  await step('Installing HAProxy with the package manager', installHaproxy);
  const installed = findOnPath('haproxy');
  if (installed) return installed;
  throw missing();
}

async function installHaproxy() {
  if (await canUseApt()) return aptInstall('haproxy');
  if (findOnPath('brew')) return brewInstall('haproxy');
  throw missing();
}

const missing = () =>
  new StepError('There is no HAProxy on this machine, and none could be installed.', {
    tried: ['haproxy on the PATH', 'apt-get (needs root or a sudo without password)', 'brew'],
    advice: ['install it: sudo apt-get install haproxy, or brew install haproxy'],
  });
