// A local MongoDB over a folder: a replica set of one, or one member of a larger set, WiredTiger, on loopback.
// Promises: a set of one has a primary when the start returns; it gets a shutdown command before a signal;
// Wine's processes end with it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { startDaemon } from './daemon.mjs';
import { acceptsConnections } from '../process/ports.mjs';
import {
  isAlive,
  processesWithVariable,
  sendSignal,
  stopProcess,
  waitUntilGone,
} from '../process/processes.mjs';
import { StepError } from '../output.mjs';

export const replicaSetName = 'inlet';

/** @param {number} port */
const connectTo = (port) =>
  new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
    socketTimeoutMS: 30_000,
  }).connect();

/**
 * Whether the mongod of this folder serves there: another one may have the port. One that wants a password does not say.
 * @param {number} port
 * @param {string} data
 */
async function isServing(port, data) {
  if (!(await acceptsConnections(port))) return false;
  const client = await connectTo(port).catch(() => undefined);
  if (client === undefined) return false;
  try {
    const { argv } = await client.db('admin').command({ getCmdLineOpts: 1 });
    return argv.includes(data);
  } catch (error) {
    const unauthorized = 13;
    return /** @type {{ code?: number }} */ (error).code === unauthorized;
  } finally {
    await client.close();
  }
}

/**
 * @typedef {object} MongodOptions
 * @property {string[]} [more] further arguments
 * @property {number} [cacheGb] WiredTiger's cache
 * @property {boolean} [isStandalone] without a replica set
 */

/**
 * Starts a replica set of one and waits until it has a primary.
 * @param {import('./redis-server.mjs').EmbeddedOptions & MongodOptions} options
 * @returns {Promise<{ url: string, wasRunning: boolean, pid: number }>}
 */
export async function startMongod(options) {
  const started = await startMember(options);
  await becomePrimary(options.port);
  return {
    ...started,
    url: `mongodb://127.0.0.1:${options.port}/inlet?replicaSet=${replicaSetName}`,
  };
}

/**
 * Starts one member, which the caller adds to the set, or a standalone server.
 * @param {import('./redis-server.mjs').EmbeddedOptions & MongodOptions} options
 * @returns {Promise<{ wasRunning: boolean, pid: number }>}
 */
export async function startMember(options) {
  const { program, folder, port, began, more = [], cacheGb = 0.5, isStandalone = false } = options;
  const data = join(folder, 'mongodb');
  mkdirSync(data, { recursive: true });
  const prefix = join(folder, 'wine');
  const daemon = {
    name: 'MongoDB',
    program,
    // oxfmt-ignore
    args: [
      '--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', ...(isStandalone ? [] : ['--replSet', replicaSetName]),
      '--wiredTigerCacheSizeGB', String(cacheGb), '--quiet', ...more,
    ],
    marks: ['--dbpath', data],
    log: join(folder, 'logs/mongodb.log'),
    env: { INLET_WINEPREFIX: prefix },
    answers: () => isServing(port, data),
  };
  return startDaemon(daemon, (started) => began?.(() => stopMongod(started, port, prefix)));
}

/** @param {number} port */
async function becomePrimary(port) {
  const client = await connectTo(port);
  try {
    const admin = client.db('admin');
    await configureSet(admin, `127.0.0.1:${port}`);
    const deadline = Date.now() + 60_000;
    while ((await admin.command({ hello: 1 })).isWritablePrimary !== true) {
      if (Date.now() > deadline) throw new StepError('MongoDB did not become primary in 60 s.');
      await pause(50);
    }
  } finally {
    await client.close();
  }
}

/**
 * Makes the set when the data is new; renames the member when the data moved to another port.
 * @param {import('mongoose').mongo.Db} admin
 * @param {string} host
 */
async function configureSet(admin, host) {
  const notYet = 94;
  const config = await admin.command({ replSetGetConfig: 1 }).then(
    (answer) => answer.config,
    (error) => {
      if (error.code !== notYet) throw error;
    },
  );
  const members = [{ _id: 0, host }];
  if (config === undefined)
    return admin.command({ replSetInitiate: { _id: replicaSetName, members } });
  if (config.members[0]?.host === host) return undefined;
  const moved = { ...config, version: config.version + 1, members };
  return admin.command({ replSetReconfig: moved, force: true });
}

/**
 * @param {number} pid
 * @param {number} port
 * @param {string} prefix
 */
async function stopMongod(pid, port, prefix) {
  // Once it has ended, another one may have the port.
  const wasAsked = isAlive(pid) && (await askToShutDown(port));
  if (!wasAsked || !(await waitUntilGone(pid, 15_000))) await stopProcess(pid);
  // Wine's server lingers for a second or two; the prefix is this folder's own.
  const deadline = Date.now() + 5_000;
  const winePids = () => processesWithVariable(`WINEPREFIX=${prefix}`);
  while (winePids().length > 0 && Date.now() < deadline) await pause(50);
  for (const left of winePids()) sendSignal(left, 'SIGKILL');
}

/** Whether a server answered. @param {number} port */
async function askToShutDown(port) {
  if (!(await acceptsConnections(port))) return false;
  try {
    const client = await connectTo(port);
    try {
      await client.db('admin').command({ shutdown: 1, force: true, timeoutSecs: 0 });
    } finally {
      await client.close();
    }
  } catch {
    // The connection closes on success; otherwise the signal follows.
  }
  return true;
}
