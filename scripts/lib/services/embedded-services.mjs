// MongoDB and Redis under one data folder, for users without such servers.
// Promises: real servers with durable data; the ports are chosen free once and kept (a replica set's
// member keeps its address); found again at the next start; started again when they die.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lastLinesOf } from './daemon.mjs';
import { startMongod } from './mongod.mjs';
import { startRedisServer } from './redis-server.mjs';
import { findOrInstallMongodb } from '../install/mongodb.mjs';
import { findOrInstallRedis } from '../install/redis.mjs';
import { findProcess, isAlive } from '../process/processes.mjs';
import { freePort, isPortFree, startOnFreePort } from '../process/ports.mjs';
import { printError, warn } from '../output.mjs';

/**
 * @typedef {object} Service
 * @property {string} url
 * @property {string} program path of what runs
 * @property {string} about a few words for a person
 */

const shortestPauseMs = 500;
const longestPauseMs = 30_000;

/** @typedef {'mongodb' | 'redis'} Name */
const kinds = {
  mongodb: {
    name: 'MongoDB',
    obtain: findOrInstallMongodb,
    start: startMongod,
    folder: 'mongodb',
    mark: '--dbpath',
  },
  redis: {
    name: 'Redis',
    obtain: findOrInstallRedis,
    start: startRedisServer,
    folder: 'redis',
    mark: '--dir',
  },
};

/**
 * @param {string} root a data folder, made when it is not there
 * @param {(stop: () => Promise<void>) => void} began gets what stops each service, as it begins
 */
export function createEmbeddedServices(root, began) {
  const isNew = mkdirSync(root, { recursive: true, mode: 0o700 }) !== undefined;
  const folder = realpathSync(root);
  // Only a folder of Inlet is closed to other users; another one may be shared on purpose.
  if (!isNew && existsSync(join(folder, 'ports.json'))) closeToOthers(folder);

  /** @param {Name} name @returns {Promise<Service>} */
  async function start(name) {
    const kind = kinds[name];
    const { path: program, version, source } = await kind.obtain();
    let isClosed = false;
    /** @type {() => Promise<void>} */
    let undo = async () => undefined;
    const begun = (/** @type {() => Promise<void>} */ stop) => {
      if (isClosed) began(stop);
      undo = stop;
    };
    let port = 0;
    const launch = () => kind.start({ program, folder, port, began: begun });
    began(() => {
      isClosed = true;
      return undo();
    });
    const { url, wasRunning, pid } = await startOnFreePort(
      (free) => {
        port = free;
        return launch();
      },
      () => keptPort(name),
    );
    const log = join(folder, 'logs', `${name}.log`);
    void keepRunning(kind.name, { pid, log, launch, isClosed: () => isClosed });
    const how = wasRunning ? 'taken over from an earlier run' : 'started';
    return { url, program, about: `${how} here, version ${version} (${source})` };
  }

  const file = join(folder, 'ports.json');
  /** @returns {Partial<Record<Name, number>>} */
  const ports = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

  /** The port of the last time, unless another process has it now. @param {Name} name */
  async function keptPort(name) {
    const kept = ports()[name];
    const { folder: data, mark } = kinds[name];
    const isOurs = async () => (await findProcess([mark, join(folder, data)])) !== undefined;
    if (kept !== undefined && ((await isPortFree(kept)) || (await isOurs()))) return kept;
    const port = await freePort();
    writeFileSync(file, `${JSON.stringify({ ...ports(), [name]: port }, undefined, 2)}\n`);
    return port;
  }

  return { folder, start };
}

/** @param {string} folder */
function closeToOthers(folder) {
  try {
    chmodSync(folder, 0o700);
  } catch {
    warn(`Other users of this machine may read ${folder}`);
  }
}

/**
 * @typedef {object} Kept
 * @property {number} pid
 * @property {string} log
 * @property {() => Promise<{ pid: number }>} launch
 * @property {() => boolean} isClosed
 */

/** Looks twice a second. @param {string} name @param {Kept} kept */
async function keepRunning(name, { pid, log, launch, isClosed }) {
  for (let waitMs = shortestPauseMs; !isClosed();) {
    await pause(500, undefined, { ref: false });
    if (isClosed() || isAlive(pid)) continue;
    warn([`${name} ended by itself; it starts again`, ...fatalErrorsIn(log)].join('\n  '));
    try {
      ({ pid } = await launch());
      waitMs = shortestPauseMs;
    } catch (error) {
      if (!isClosed()) printError(error);
      await pause(waitMs, undefined, { ref: false });
      waitMs = Math.min(waitMs * 2, longestPauseMs);
    }
  }
}

/** The last errors that MongoDB calls fatal, shortened. @param {string} log */
const fatalErrorsIn = (log) =>
  lastLinesOf(log)
    .filter((line) => line.includes('"s":"F"'))
    .slice(-8)
    .map((line) => line.slice(0, 500));
