// Mutations that each break one guarantee, which the checker must detect. They wrap the stores of the processes with
// CHAOS_MUTATION, and the commands of the driver.
import { randomUUID } from 'node:crypto';

/**
 * @typedef {Record<string, Record<string, (...args: any[]) => any>>} Stores
 * @typedef {{ getClient(): { db(name: string): any, startSession(): any }, name: string }} Connection
 * @typedef {object} Mutation
 * @property {'server' | 'worker' | 'any'} role whose stores are broken
 * @property {(stores: Stores, connection: Connection) => Stores} [stores]
 * @property {Record<string, import('./driver.mjs').Surround>} [commands]
 * @property {(specs: any[]) => any[]} [indexes]
 */

// Long enough for a process to be killed in between, also on a slow machine.
const lateMs = 30_000;

const later = (/** @type {() => Promise<unknown>} */ work) =>
  setTimeout(() => void work().catch(() => undefined), lateMs);

/** @param {Stores} stores @param {string} name @param {(store: Stores[string]) => object} change */
const withStore = (stores, name, change) => {
  const store = stores[name] ?? {};
  const changed = change(store);
  const missing = Object.keys(changed).filter((call) => !(call in store));
  if (missing.length > 0) throw new Error(`The store ${name} has no ${missing.join(', ')}.`);
  return /** @type {Stores} */ ({ ...stores, [name]: { ...store, ...changed } });
};

/** @satisfies {Record<string, Mutation>} */
export const mutations = {
  'ack before insert': {
    role: 'server',
    stores: (stores) =>
      withStore(stores, 'events', ({ insert }) => ({
        insert: async (/** @type {unknown[]} */ records) => {
          later(() => insert?.(records));
          return records.map(() => 'inserted');
        },
      })),
  },
  'write concern 1': {
    role: 'server',
    stores: (stores, connection) =>
      withStore(stores, 'events', ({ insert }) => ({
        async insert(/** @type {unknown[]} */ records) {
          const events = connection.getClient().db(connection.name).collection('events');
          const options = { ordered: false, writeConcern: { w: 1 } };
          try {
            await events.insertMany([...records], options);
            return records.map(() => 'inserted');
          } catch {
            return insert?.(records);
          }
        },
      })),
  },
  /** A set that has ended is committed, and so are outcomes of events that were changed since they were taken. */
  'no fence': {
    role: 'worker',
    commands: {
      'sets.updateOne': async (run, args) => ({ ...(await run(...args)), matchedCount: 1 }),
      'sets.deleteOne': async (run, args, owner) => {
        const result = await run(...args);
        return owner === 'set' ? { ...result, deletedCount: 1 } : result;
      },
      'events.updateMany': (run, [{ state, fence, ...filter }, ...rest], owner) =>
        run(owner === 'set' ? filter : { state, fence, ...filter }, ...rest),
    },
  },
  'no unique index': {
    role: 'server',
    indexes: (specs) =>
      specs.map((spec) => (spec.name === 'dedup' ? { ...spec, unique: undefined } : spec)),
  },
  'outcomes before messages': {
    role: 'worker',
    commands: {
      'messages.insertMany': async (run, [records, options], owner) => {
        if (owner !== 'set') return run(records, options);
        later(() => run(records, {}));
        return { insertedCount: records.length };
      },
    },
  },
  'sweeper off': {
    role: 'any',
    stores: (stores) =>
      withStore(stores, 'events', () => ({
        takeDueEvents: async () => ({ due: [], hasMore: false }),
      })),
  },
  'sets do not expire': {
    role: 'any',
    commands: {
      'sets.find': (run, [filter, options]) =>
        run(Object.keys(filter).length === 0 ? { _id: 'none' } : filter, options),
    },
  },
  'fan-out not idempotent': {
    role: 'worker',
    commands: {
      'events.insertMany': (run, [records, options], owner) =>
        run(
          owner === 'set'
            ? records.map((/** @type {any} */ { dedupKeys: _keys, ...record }) => ({
                ...record,
                _id: randomUUID(),
              }))
            : records,
          options,
        ),
    },
  },
  'alone not exclusive': {
    role: 'any',
    commands: {
      'sets.insertOne': (run, [set, options]) => run({ ...set, alone: true }, options),
      'events.find': (run, [{ alone: _alone, ...filter } = {}, ...rest]) => {
        const cursor = run(filter, ...rest);
        const read = cursor.toArray.bind(cursor);
        cursor.toArray = async () =>
          (await read()).map((/** @type {any} */ { alone: _its, ...event }) => event);
        return cursor;
      },
    },
  },
};

/** @typedef {keyof typeof mutations} MutationName */
/** Detected on a replica set only. @typedef {'write concern 1'} ReplicaSetMutationName */
