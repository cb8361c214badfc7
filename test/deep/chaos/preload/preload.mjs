// Loaded before a server or worker by `node --import`: lets the harness kill or stop it at a named point, block its event
// loop, set its clock and break a guarantee of its stores. It acts only on IPC messages and environment variables.
import { mutations } from './mutations.mjs';
import { surroundDriver } from './driver.mjs';
import { faultPoints, interceptedCalls, stepsOf } from './fault-points.mjs';
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

// Long enough for other sets to be taken at the same time; none is committed during it.
const poisonMs = 500;
let isPoisoned = false;
/** @type {Set<string>} */
const poisonIds = new Set();

/** Notes the poisonous events that a worker reads to take them. @param {any} cursor */
function notePoison(cursor) {
  const read = cursor.toArray.bind(cursor);
  cursor.toArray = async () => {
    const events = await read();
    for (const { _id, delivery } of events)
      if (delivery?.body?.includes('"poison":true')) poisonIds.add(_id);
    return events;
  };
  return cursor;
}

/** Kills the process if it has taken a poisonous event. @param {{ eventIds: string[] }} set */
async function dieOfPoison({ eventIds }) {
  if (!eventIds.some((id) => poisonIds.has(id))) return;
  isPoisoned = true;
  await new Promise((resolve) => setTimeout(resolve, poisonMs));
  process.kill(process.pid, 'SIGKILL');
}

/** @param {string} call @param {(...args: any[]) => Promise<any>} run */
const watched =
  (call, run) =>
  async (/** @type {any[]} */ ...args) => {
    if (isHit(call, 'before')) await end();
    const [records, ...rest] = args;
    if (Array.isArray(records) && records.length > 1 && isHit(call, 'half')) {
      await run(records.slice(0, Math.ceil(records.length / 2)), ...rest);
      await end();
    }
    const result = await run(...args);
    if (!didNothing(result) && isHit(call, 'after')) await end();
    return result;
  };

/** Long enough for a command to be sent, and shorter than its answer takes. */
const sendMs = 1;

/** Makes a step of a set with what is to happen around it. @param {string[]} steps @param {() => Promise<any>} run */
async function withinStep(steps, run) {
  if (isPoisoned && steps.includes('set: commit')) await new Promise(() => undefined);
  for (const step of steps) if (isHit(step, 'before')) await end();
  const running = run();
  for (const step of steps) {
    if (!isHit(step, 'half')) continue;
    running.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, sendMs));
    await end();
  }
  const result = await running;
  for (const step of steps) if (isHit(step, 'after')) await end();
  return result;
}

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

/** @type {import('./driver.mjs').Watch['surround']} */
function surround(command, given) {
  const { args, owner } = given;
  const mutation = mutationName === null ? null : allMutations[mutationName];
  const isOfRole = mutation?.role === role || mutation?.role === 'any';
  const broken = isOfRole ? mutation?.commands?.[command] : undefined;
  const run = () => (broken ? broken(given.run, args, owner) : given.run(...args));
  if (command === 'events.find' && args[0]?.open === true) return notePoison(run());
  const steps = stepsOf(command, given);
  if (steps.length === 0) return run();
  return withinStep(steps, async () => {
    const result = await run();
    if (command === 'sets.insertOne') await dieOfPoison(args[0]);
    return result;
  });
}

let isSurrounded = false;

globalThis.chaos = {
  indexes: (specs) => (mutationName && allMutations[mutationName].indexes?.(specs)) ?? specs,
  stores(real, connection) {
    if (!isSurrounded) surroundDriver(connection, surround);
    isSurrounded = true;
    const stores = { ...real };
    const broken = breakStores(real, connection);
    for (const changed of Object.values(broken)) {
      for (const [name, store] of Object.entries(changed)) {
        // The connection among them is no store, and cannot be copied.
        if (store === real[name]) continue;
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
