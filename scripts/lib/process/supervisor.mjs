// Keeps one server and some workers running. The workers start once the server has created the collections: two processes that
// create the same collection at once conflict.
// Promises: a child that ends starts again after a pause that grows; none starts once the stop has begun; each child is asked
// once to drain, and killed after a time limit. Children run in sessions of their own, so that Ctrl-C reaches them only through
// this process, once.
import { fork } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../paths.mjs';
import { warn } from '../output.mjs';

/**
 * @typedef {object} Ready what a child sends once it serves
 * @property {'ready'} type
 * @property {'server' | 'worker'} role
 * @property {string} [url]
 * @property {string} [opsUrl]
 * @property {string} [adminToken]
 * @property {string} [adminTokenFile] in production
 */

/**
 * @typedef {object} Slot a child's place, which outlives the child
 * @property {string} name for a person
 * @property {string} script
 * @property {import('node:child_process').ChildProcess} [child]
 * @property {Ready} [ready]
 * @property {number} startedAt
 * @property {number} pauseMs before the next start
 */

/**
 * @typedef {object} SupervisorOptions
 * @property {{ name: string, script: string }[]} children the server first
 * @property {() => void} onRefused the server ended with code 78: its configuration is not right
 */

/**
 * @typedef {object} StartOptions
 * @property {NodeJS.ProcessEnv} env
 * @property {(server: Ready) => void} onServerReady called at each of its starts
 * @property {(server: Ready) => void} onAllReady called once
 */

const configurationError = 78;
const shortestPauseMs = 500;
const longestPauseMs = 30_000;
const steadyAfterMs = 60_000;
const metricsWithinMs = 2_000;
const serverFirstMs = 15_000;

/** @param {SupervisorOptions} options */
export function createSupervisor({ children, onRefused }) {
  /** @type {Slot[]} */
  const slots = children.map((child) => ({ ...child, startedAt: 0, pauseMs: shortestPauseMs }));
  const metricsRequests = createMetricsRequests();
  let isStopping = false;
  let wasReady = false;
  let restarts = 0;
  /** @type {StartOptions} */
  let started = { env: {}, onServerReady: () => undefined, onAllReady: () => undefined };

  /** @param {Slot} slot */
  function launch(slot) {
    if (isStopping) return;
    const child = forkDetached(slot.script, started.env);
    Object.assign(slot, { child, startedAt: performance.now() });
    child.on('message', (message) => onMessage(slot, message));
    child.on('error', (error) => warn(`${slot.name}: ${error.message}`));
    child.once('exit', (code, signal) => comeBack(slot, { code, signal }));
  }

  /** Those that were never started. */
  function launchWorkers() {
    for (const slot of slots.slice(1)) if (slot.startedAt === 0) launch(slot);
  }

  /** @param {Slot} slot @param {unknown} message */
  function onMessage(slot, message) {
    if (typeof message !== 'object' || message === null || !('type' in message)) return;
    if (message.type === 'response' && 'id' in message && 'value' in message) {
      metricsRequests.receive(Number(message.id), /** @type {object} */ (message.value));
    }
    if (message.type !== 'ready') return;
    slot.ready = /** @type {Ready} */ (message);
    if (slot === slots[0]) {
      started.onServerReady(slot.ready);
      launchWorkers();
    }
    if (!wasReady && slots.every((each) => each.ready) && slots[0]?.ready) {
      wasReady = true;
      started.onAllReady(slots[0].ready);
    }
  }

  /** @param {Slot} slot @param {{ code: number | null, signal: string | null }} end */
  function comeBack(slot, { code, signal }) {
    slot.child = undefined;
    slot.ready = undefined;
    if (isStopping) return;
    if (slot === slots[0] && code === configurationError) return onRefused();
    const wasSteady = performance.now() - slot.startedAt > steadyAfterMs;
    const waitMs = wasSteady ? shortestPauseMs : slot.pauseMs;
    slot.pauseMs = Math.min(waitMs * 2, longestPauseMs);
    warn(`${slot.name} ended (${signal ?? `code ${code}`}); it starts again in ${waitMs / 1000} s`);
    restarts += 1;
    setTimeout(() => launch(slot), waitMs);
  }

  return {
    /** @param {StartOptions} options */
    start(options) {
      started = options;
      slots.slice(0, 1).forEach(launch);
      setTimeout(launchWorkers, serverFirstMs).unref();
    },
    /** Asks the children to drain; kills those that have not ended after `graceMs`. */
    async stop(graceMs = 30_000) {
      isStopping = true;
      await stopAll(slots, graceMs);
    },
    kill: () => signalAll(slots, 'SIGKILL'),
    /** Of the children that respond in time. */
    metrics: () => readMetrics(slots, metricsRequests.send),
    /** Of children, since this process started. */
    restarts: () => restarts,
    serverOpsUrl: () => slots[0]?.ready?.opsUrl,
  };
}

/** @param {string} script @param {NodeJS.ProcessEnv} env */
const forkDetached = (script, env) =>
  fork(script, [], { cwd: repository, env, execArgv: ['--enable-source-maps'], detached: true });

/** @param {Slot[]} slots @param {(slot: Slot) => Promise<object | undefined>} request */
async function readMetrics(slots, request) {
  const responses = await Promise.all(slots.map(request));
  return slots.flatMap(({ ready }, index) => {
    const metrics = responses[index];
    return metrics && ready ? [{ role: ready.role, metrics }] : [];
  });
}

/** Requests the metrics of children over IPC. A child that does not respond in time counts as one without metrics. */
function createMetricsRequests() {
  /** @type {Map<number, (metrics: object | undefined) => void>} */
  const pending = new Map();
  let lastId = 0;
  return {
    /** @param {number} id @param {object} metrics */
    receive: (id, metrics) => pending.get(id)?.(metrics),
    /** @param {Slot} slot @returns {Promise<object | undefined>} */
    send: ({ child }) =>
      new Promise((resolve) => {
        if (!child?.connected) return resolve(undefined);
        const id = (lastId += 1);
        const settle = (/** @type {object | undefined} */ metrics) => {
          clearTimeout(timer);
          pending.delete(id);
          resolve(metrics);
        };
        const timer = setTimeout(() => settle(undefined), metricsWithinMs);
        pending.set(id, settle);
        child.send({ type: 'request', name: 'metrics', id }, (error) => error && settle(undefined));
      }),
  };
}

/** @param {Slot[]} slots @param {NodeJS.Signals} name */
const signalAll = (slots, name) => slots.forEach(({ child }) => child?.kill(name));

/** @param {Slot[]} slots @param {number} graceMs */
async function stopAll(slots, graceMs) {
  const isAnyLeft = () => slots.some(({ child }) => child !== undefined);
  signalAll(slots, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (isAnyLeft() && performance.now() < deadline) await pause(20);
  if (isAnyLeft()) warn(`Not drained within ${graceMs / 1000} s; stopped as they are.`);
  while (isAnyLeft()) {
    signalAll(slots, 'SIGKILL');
    await pause(20);
  }
}
