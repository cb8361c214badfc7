// Loaded before a server or worker by `node --import`: lets the harness kill or stop it at a named point, block its event
// loop, set its clock and break a guarantee of its stores. It acts only on IPC messages and environment variables.
import { mutations } from './mutations.mjs';
import { faultPoints, interceptedCalls } from './fault-points.mjs';
import { watchStalls } from './stalls.mjs';
import './routes.mjs';

/**
 * @typedef {import('./fault-points.mjs').PointName} PointName
 * @typedef {import('./mutations.mjs').MutationName} MutationName
 * @typedef {{ point: PointName, hit: number, signal: 'SIGKILL' | 'SIGSTOP' }} Arm
 * @typedef {{ type: 'chaos', arm?: Arm | null, blockMs?: number, skewMs?: number, mutation?: MutationName | null }} Order
 */

const role = process.argv[1]?.endsWith('server.js') ? 'server' : 'worker';

/** @type {Arm | null} */
let armed = null;
let hits = 0;

/** @param {string} call @param {'before' | 'half' | 'after'} when */
function isHit(call, when) {
  if (!armed) return false;
  const point = faultPoints[armed.point];
  if (point.call !== call || point.when !== when) return false;
  hits += 1;
  return hits >= armed.hit;
}

async function end() {
  const signal = armed?.signal ?? 'SIGKILL';
  armed = null;
  process.kill(process.pid, signal);
}

/** @param {any} result a sweep's events are its `due` */
function didNothing(result) {
  const records = result?.due ?? result;
  return records === null || (Array.isArray(records) && records.length === 0);
}

// Long enough for other claims of the same time to succeed; no event is finished during it.
const poisonMs = 500;
let isPoisoned = false;

const isPoison = (/** @type {{ state?: string, delivery?: { body: Buffer } }} */ event) =>
  event.state === 'processing' && event.delivery?.body.includes('"poison":true');

/** Kills the process if it has claimed a poisonous event. @param {unknown} claimed */
async function dieOfPoison(claimed) {
  if (!Array.isArray(claimed) || !claimed.some(isPoison)) return;
  isPoisoned = true;
  await new Promise((resolve) => setTimeout(resolve, poisonMs));
  process.kill(process.pid, 'SIGKILL');
}

/** @param {string} call @param {(...args: any[]) => Promise<any>} run */
const watched =
  (call, run) =>
  async (/** @type {any[]} */ ...args) => {
    if (isPoisoned && call === 'events.finish') await new Promise(() => undefined);
    if (isHit(call, 'before')) await end();
    const [records, ...rest] = args;
    if (Array.isArray(records) && records.length > 1 && isHit(call, 'half')) {
      await run(records.slice(0, Math.ceil(records.length / 2)), ...rest);
      await end();
    }
    const result = await run(...args);
    if (call === 'events.claim') await dieOfPoison(result);
    if (!didNothing(result) && isHit(call, 'after')) await end();
    return result;
  };

/** @type {MutationName | null} */
let mutationName = /** @type {MutationName | undefined} */ (process.env.CHAOS_MUTATION) ?? null;

/** @type {Record<MutationName, import('./mutations.mjs').Mutation>} */
const allMutations = mutations;

/**
 * The stores of each mutation of this role.
 * @param {import('./mutations.mjs').Stores} real @param {import('./mutations.mjs').Connection} connection
 */
const breakStores = (real, connection) =>
  Object.fromEntries(
    Object.entries(allMutations).flatMap(([name, mutation]) =>
      mutation.stores && (mutation.role === role || mutation.role === 'any')
        ? [[name, mutation.stores(real, connection)]]
        : [],
    ),
  );

globalThis.chaos = {
  indexes: (specs) => (mutationName && allMutations[mutationName].indexes?.(specs)) ?? specs,
  stores(real, connection) {
    const stores = { ...real };
    const broken = breakStores(real, connection);
    for (const changed of Object.values(broken)) {
      for (const [name, store] of Object.entries(changed)) {
        const calls = Object.keys(store).filter((call) => store[call] !== real[name]?.[call]);
        const switched = calls.map((call) => [
          call,
          // The mutation may change while the process runs.
          (/** @type {any[]} */ ...args) =>
            (broken[mutationName ?? ''] ?? real)[name]?.[call]?.(...args),
        ]);
        stores[name] = { ...stores[name], ...Object.fromEntries(switched) };
      }
    }
    for (const call of interceptedCalls) {
      const [name = '', run = ''] = call.split('.');
      const store = stores[name];
      const work = store?.[run];
      if (!store || !work) throw new Error(`There is no ${call} to watch.`);
      stores[name] = { ...store, [run]: watched(call, work) };
    }
    return stores;
  },
};

let skewMs = Number(process.env.CHAOS_SKEW_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + skewMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});

/** Blocks the event loop, without taking a processor. @param {number} ms */
function block(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

watchStalls((stall) => {
  if (process.connected) process.send?.({ type: 'stalled', ...stall });
});

process.on('message', (/** @type {Order} */ order) => {
  if (order?.type !== 'chaos') return;
  if (order.arm !== undefined) {
    armed = order.arm;
    hits = 0;
  }
  if (order.mutation !== undefined) mutationName = order.mutation;
  if (order.skewMs !== undefined) skewMs = order.skewMs;
  if (order.blockMs !== undefined) block(order.blockMs);
});
