// Finds and stops processes by their command line, so that a reused process id is never mistaken. A zombie counts as ended.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from './run-command.mjs';

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  return stateOf(pid) !== 'Z';
}

/** The state letter of /proc/pid/stat, empty where there is none. @param {number} pid */
function stateOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
  } catch {
    return '';
  }
}

/** Whether a signal has stopped the process (Linux only). @param {number} pid */
export const isStopped = (pid) => stateOf(pid) === 'T';

/** Distinguishes two processes with the same id. @param {number} pid */
export function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * The living process whose command line has every one of these words as an argument of its own.
 * @param {string[]} words
 * @returns {Promise<number | undefined>}
 */
export async function findProcess(words) {
  for (const { pid, command } of await listProcesses()) {
    const isOurs = words.every((word) => command.includes(` ${word} `));
    if (isOurs && pid !== process.pid && isAlive(pid)) return pid;
  }
  return undefined;
}

/** @returns {Promise<{ pid: number, command: string }[]>} */
async function listProcesses() {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), command: commandOf(name) }));
  }
  const { stdout } = await runCommand('ps', ['-axww', '-o', 'pid=,command='], { timeoutMs: 5_000 });
  return stdout.split('\n').map((line) => {
    const [, pid = '0', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), command: ` ${command} ` };
  });
}

/**
 * The living processes that have this in their environment (Linux only, elsewhere none).
 * @param {string} variable NAME=value
 * @returns {number[]}
 */
export function processesWithVariable(variable) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(variable))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAlive(pid));
}

/** @param {string} pid @returns {string[]} */
function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // ended, or of another user
  }
}

/** Empty when it has gone. @param {number} pid */
export const commandLine = (pid) => commandOf(String(pid));

/** @param {string} pid */
function commandOf(pid) {
  try {
    return ` ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')} `;
  } catch {
    return '';
  }
}

/** @param {number} pid @param {number} withinMs @returns {Promise<boolean>} */
export async function waitUntilGone(pid, withinMs) {
  const deadline = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await pause(50);
  }
  return true;
}

/**
 * Sends SIGTERM, then SIGKILL to processes that do not end in time.
 * @param {number} pid
 * @param {number} [graceMs]
 */
export async function stopProcess(pid, graceMs = 10_000) {
  sendSignal(pid, 'SIGTERM');
  if (await waitUntilGone(pid, graceMs)) return;
  sendSignal(pid, 'SIGKILL');
  await waitUntilGone(pid, 5_000);
}

/** @param {number} pid @param {NodeJS.Signals} name */
export function sendSignal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}
