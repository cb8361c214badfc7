// Mutations that each break one guarantee, which the checker must detect. They wrap the stores of the processes with
// CHAOS_MUTATION.
import { randomUUID } from 'node:crypto';

/**
 * @typedef {Record<string, Record<string, (...args: any[]) => any>>} Stores
 * @typedef {{ getClient(): { db(name: string): any }, name: string }} Connection
 * @typedef {object} Mutation
 * @property {'server' | 'worker' | 'any'} role whose stores are broken
 * @property {(stores: Stores, connection: Connection) => Stores} [stores]
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
  'no fence': {
    role: 'worker',
    stores: (stores, connection) =>
      withStore(stores, 'events', ({ finish }) => ({
        finish: async (/** @type {any[]} */ finishes) => {
          const lost = await finish?.(finishes);
          const events = connection.getClient().db(connection.name).collection('events');
          for (const { event, outcome } of finishes) {
            if (!lost.has(event._id) || outcome.kind === 'retry') continue;
            const { kind: state, reason = null, effects = null } = outcome;
            await events.updateOne(
              { _id: event._id },
              { $set: { state, reason, effects, finishedAt: new Date() }, $unset: { open: 1 } },
            );
          }
          return new Set();
        },
      })),
  },
  'no unique index': {
    role: 'server',
    indexes: (specs) =>
      specs.map((spec) => (spec.name === 'dedup' ? { ...spec, unique: undefined } : spec)),
  },
  'finish before messages': {
    role: 'worker',
    stores(stores) {
      /** @type {unknown[]} */
      let unsaid = [];
      const silent = withStore(stores, 'messages', () => ({
        insert: async (/** @type {unknown[]} */ records) => {
          unsaid.push(...records);
          return [];
        },
      }));
      return withStore(silent, 'events', ({ finish }) => ({
        finish: async (/** @type {unknown[]} */ ...args) => {
          const lost = await finish?.(...args);
          const records = unsaid;
          unsaid = [];
          if (records.length > 0) later(() => stores.messages?.insert?.(records));
          return lost;
        },
      }));
    },
  },
  'sweeper off': {
    role: 'any',
    stores: (stores) =>
      withStore(stores, 'events', () => ({
        takeDueEvents: async () => ({ due: [], hasMore: false }),
      })),
  },
  'fan-out not idempotent': {
    role: 'worker',
    stores: (stores) =>
      withStore(stores, 'events', ({ insert }) => ({
        insert: (/** @type {any[]} */ records) =>
          insert?.(
            records.map(({ dedupKeys: _keys, ...record }) => ({ ...record, _id: randomUUID() })),
          ),
      })),
  },
  'alone not exclusive': {
    role: 'any',
    stores: (stores) =>
      withStore(stores, 'events', ({ claim, takeDueEvents }) => ({
        claim: (/** @type {string[]} */ ids, /** @type {object} */ terms) =>
          claim?.(ids, { ...terms, alone: true }),
        takeDueEvents: async (/** @type {unknown} */ terms) => {
          const taken = await takeDueEvents?.(terms);
          const due = taken.due.map((/** @type {object} */ one) => ({ ...one, alone: false }));
          return { ...taken, due };
        },
      })),
  },
};

/** @typedef {keyof typeof mutations} MutationName */
/** Detected on a replica set only. @typedef {'write concern 1'} ReplicaSetMutationName */
