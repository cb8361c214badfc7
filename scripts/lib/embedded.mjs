// MongoDB and Redis under one data folder, for who has none of their own.
// Promises: real servers with durable data; the ports are chosen free once and kept (a replica set's
// member keeps its address); found again at the next start; stopped last in, first out.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMongod } from './embedded-mongo.mjs';
import { startRedisServer } from './embedded-redis.mjs';
import { obtainMongodb } from './find-mongodb.mjs';
import { obtainRedis } from './find-redis.mjs';
import { findProcess } from './processes.mjs';
import { freePort, isPortFree } from './ports.mjs';

/**
 * @typedef {object} Service
 * @property {string} url
 * @property {string} program path of what runs
 * @property {string} about a few words for a person
 */

/** @typedef {'mongodb' | 'redis'} Name */
const kinds = {
  mongodb: { obtain: obtainMongodb, start: startMongod, folder: 'mongodb', mark: '--dbpath' },
  redis: { obtain: obtainRedis, start: startRedisServer, folder: 'redis', mark: '--dir' },
};

/**
 * @param {string} root a data folder, made when it is not there
 * @param {(stop: () => Promise<void>) => void} began gets what stops each service, as it begins
 */
export function createEmbedded(root, began) {
  mkdirSync(root, { recursive: true });
  const folder = realpathSync(root);

  /** @param {Name} name @returns {Promise<Service>} */
  async function start(name) {
    const kind = kinds[name];
    const { path: program, version, source } = await kind.obtain();
    const port = await keptPort(name);
    const { url, wasRunning } = await kind.start({ program, folder, port, began });
    const how = wasRunning ? 'taken over from an earlier run' : 'started';
    return { url, program, about: `${how} here, version ${version} (${source})` };
  }

  const file = join(folder, 'ports.json');
  /** @returns {Partial<Record<Name, number>>} */
  const ports = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

  /** The port of the last time, unless a stranger has it now. @param {Name} name */
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
