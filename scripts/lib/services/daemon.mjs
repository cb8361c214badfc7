// One database process over one data folder, in a separate session so that Ctrl-C reaches only this process.
// Promises: at most one over a folder; one that a killed predecessor left is taken over or stopped,
// identified by its command line and never by its id alone; a start that fails shows the log's end.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findProcess, isAlive, stopProcess } from '../process/processes.mjs';
import { StepError } from '../output.mjs';

/**
 * @typedef {object} Daemon
 * @property {string} name for a person
 * @property {string} program
 * @property {string[]} args
 * @property {string[]} marks arguments that only this process has on its command line
 * @property {string} log file that its output goes to
 * @property {NodeJS.ProcessEnv} [env]
 * @property {() => Promise<boolean>} answers whether it serves, and not another process on its port
 */

/**
 * Starts it, or takes over the one that still runs, and waits until it answers.
 * @param {Daemon} daemon
 * @param {(pid: number) => void} [began] called at once, so that a start can be cancelled
 * @returns {Promise<{ pid: number, wasRunning: boolean }>}
 */
export async function startDaemon(daemon, began) {
  const left = await findProcess(daemon.marks);
  if (left !== undefined) {
    began?.(left);
    if (await answersWithin(daemon, left, 5_000)) return { pid: left, wasRunning: true };
    await stopProcess(left);
  }
  const { pid, ended } = launch(daemon);
  began?.(pid);
  if (await answersWithin(daemon, pid, 60_000)) return { pid, wasRunning: false };
  await stopProcess(pid);
  const cause = (await ended) === portTakenCode ? 'Address already in use.' : '';
  throw new StepError(`${daemon.name} did not start. ${cause}\n  ${endOf(daemon.log)}`, {
    tried: [`${daemon.program} ${daemon.args.join(' ')}`],
    advice: [`read ${daemon.log}`],
  });
}

/** Of mongod, whose last lines do not say it. */
const portTakenCode = 48;

/** @param {Daemon} daemon */
function launch(daemon) {
  mkdirSync(dirname(daemon.log), { recursive: true });
  const isLarge = existsSync(daemon.log) && statSync(daemon.log).size > 10_000_000;
  const log = openSync(daemon.log, isLarge ? 'w' : 'a');
  const child = spawn(daemon.program, daemon.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...daemon.env },
  });
  /** Its code; an error is handled as a process that does not answer. @type {Promise<number | null>} */
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  child.unref();
  closeSync(log);
  return { pid: child.pid ?? 0, ended };
}

/** @param {Daemon} daemon @param {number} pid @param {number} withinMs */
async function answersWithin(daemon, pid, withinMs) {
  const deadline = Date.now() + withinMs;
  while (pid !== 0 && isAlive(pid) && Date.now() < deadline) {
    if (await daemon.answers()) return true;
    await pause(50);
  }
  return false;
}

/** @param {string} log */
const endOf = (log) => lastLinesOf(log).slice(-5).join('\n  ');

const maxTailBytes = 65_536;

/** The lines at the end of a log, of at most 64 KiB: a log may be larger than a string can be. @param {string} path */
export function lastLinesOf(path) {
  if (!existsSync(path)) return [];
  const file = openSync(path, 'r');
  try {
    const start = Math.max(0, fstatSync(file).size - maxTailBytes);
    const tail = Buffer.alloc(maxTailBytes);
    const length = readSync(file, tail, 0, maxTailBytes, start);
    return tail.toString('utf8', 0, length).trim().split('\n');
  } finally {
    closeSync(file);
  }
}
