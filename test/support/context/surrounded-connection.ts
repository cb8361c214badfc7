// A connection whose commands on the driver's collections, and whose commits, go through a function of the test: it can fail them, lose
// their answers, or do something between two of them.
import type { Connection, Session } from '../../../src/store/db/connection.ts';

/**
 * `name`: of the collection and the driver's method, as `sets.insertOne`; `command` for a command of the database, `commit` for the
 * commit of a transaction.
 */
export type Around = (
  name: string,
  run: () => Promise<unknown>,
  given: readonly unknown[],
) => Promise<unknown>;

type Method = (...given: unknown[]) => unknown;

/** Replaces methods of an object; `null` leaves a method as it is. The others keep the object as their `this`. */
const replacing = <Target extends object>(
  target: Target,
  replace: (name: string, method: Method) => Method | null,
): Target =>
  new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name, own);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      const method = (value as Method).bind(own);
      return replace(name, method) ?? method;
    },
  });

const cursors = new Set(['find', 'aggregate']);
const commands = new Set([
  'insertOne',
  'insertMany',
  'findOne',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
  'countDocuments',
  'findOneAndUpdate',
  'findOneAndDelete',
]);

export function surroundedConnection(connection: Connection, around: Around): Connection {
  const collectionNamed = (name: string, collection: object) =>
    replacing(collection, (method, run) => {
      const call = `${name}.${method}`;
      if (commands.has(method)) return (...given) => around(call, async () => run(...given), given);
      if (!cursors.has(method)) return null;
      return (...given) =>
        replacing(run(...given) as object, (step, read) =>
          step === 'toArray' ? () => around(call, async () => read(), given) : null,
        );
    });
  const database = (db: object) =>
    replacing(db, (method, run) => {
      if (method === 'command')
        return (...given) => around(method, async () => run(...given), given);
      if (method !== 'collection') return null;
      return (name, ...rest) => collectionNamed(String(name), run(name, ...rest) as object);
    });
  const client = replacing(connection.getClient(), (method, run) => {
    if (method === 'db') return (...given) => database(run(...given) as object);
    if (method !== 'startSession') return null;
    return (...given) => {
      const session = run(...given) as Session;
      const commit = session.commitTransaction.bind(session);
      // The driver looks into its sessions, so this one is changed.
      return Object.assign(session, { commitTransaction: () => around('commit', commit, []) });
    };
  });
  return replacing(connection, (method) => (method === 'getClient' ? () => client : null));
}
