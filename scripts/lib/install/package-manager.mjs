// The system's package manager, used only where it works without a question: as root or with a
// sudo that needs no password (apt), or as oneself (brew).
import { findOnPath } from '../paths.mjs';
import { lastLines, runCommand } from '../process/run-command.mjs';
import { StepError } from '../output.mjs';

const quietly = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'l', LC_ALL: 'C' };

/** @returns {Promise<string[] | undefined>} the words before `apt-get`, none when we are root */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  if (!findOnPath('sudo')) return undefined;
  const { code } = await runCommand('sudo', ['-n', 'true'], { timeoutMs: 5_000 });
  return code === 0 ? ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND,NEEDRESTART_MODE'] : undefined;
}

/** Whether apt-get is there and may be used. */
export async function canUseApt() {
  return findOnPath('apt-get') !== undefined && (await rootPrefix()) !== undefined;
}

/**
 * Installs Debian packages, all or none; refreshes the package lists only when one is not found without.
 * @param {string[]} names
 */
export async function aptInstall(...names) {
  const name = names.join(' ');
  const prefix = await rootPrefix();
  if (prefix === undefined) {
    throw new StepError(`${name} is missing, and installing it needs root.`, {
      tried: ['sudo -n true'],
      advice: [`run: sudo apt-get install --no-install-recommends ${name}`],
    });
  }
  const install = ['install', '-y', '-q', '--no-install-recommends', ...names];
  const first = await apt(prefix, install);
  if (first.code === 0) return;
  await apt(prefix, ['update', '-q']);
  const second = await apt(prefix, install);
  if (second.code === 0) return;
  throw new StepError(`apt-get could not install ${name}.\n  ${lastLines(second.output)}`, {
    tried: [`apt-get install ${name}, before and after apt-get update`],
    advice: [`install ${name} yourself, then start again`],
  });
}

/** @param {string[]} prefix @param {string[]} args */
function apt(prefix, args) {
  const [command = 'apt-get', ...words] = [...prefix, ...(prefix.length > 0 ? ['apt-get'] : [])];
  const options = ['-o', 'DPkg::Lock::Timeout=120'];
  return runCommand(command, [...words, ...options, ...args], { env: quietly });
}

/** @param {string} name */
export async function brewInstall(name) {
  const env = { HOMEBREW_NO_AUTO_UPDATE: '1', NONINTERACTIVE: '1' };
  const { code, output } = await runCommand('brew', ['install', name], { env });
  if (code === 0) return;
  throw new StepError(`brew could not install ${name}.\n  ${lastLines(output)}`, {
    tried: [`brew install ${name}`],
    advice: [`install ${name} yourself, then start again`],
  });
}
