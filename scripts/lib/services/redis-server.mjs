// A local Redis over a folder: durable (append-only file), never evicting, on loopback.
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon } from './daemon.mjs';
import { sendLine } from '../process/ports.mjs';
import { stopProcess } from '../process/processes.mjs';

/**
 * @typedef {object} EmbeddedOptions
 * @property {string} program
 * @property {string} folder an absolute path
 * @property {number} port
 * @property {(stop: () => Promise<void>) => void} [began] gets what undoes the start, at once
 */

/**
 * @param {EmbeddedOptions} options
 * @returns {Promise<{ url: string, wasRunning: boolean, pid: number }>}
 */
export async function startRedisServer({ program, folder, port, began }) {
  const data = join(folder, 'redis');
  mkdirSync(data, { recursive: true });
  const daemon = {
    name: 'Redis',
    program,
    // oxfmt-ignore
    args: [
      '--port', String(port), '--bind', '127.0.0.1', '--dir', data,
      '--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction',
      '--set-proc-title', 'no', // the command line identifies it
    ],
    marks: ['--dir', data],
    log: join(folder, 'logs/redis.log'),
    // Another Redis may have the port.
    answers: async () =>
      (await sendLine(port, 'CONFIG GET dir'))?.includes(realpathSync(data)) ?? false,
  };
  const { pid, wasRunning } = await startDaemon(daemon, (started) =>
    began?.(() => stopProcess(started)),
  );
  return { url: `redis://127.0.0.1:${port}`, wasRunning, pid };
}
