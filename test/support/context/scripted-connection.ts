// A connection without a database: a function of the test answers the commands. For what depends on time alone.
import type { Connection } from '../../../src/store/db/connection.ts';

/** `name`: of the collection and the driver's method, as `sets.insertOne`. */
type Answer = (name: string, given: readonly unknown[]) => unknown;

const cursors = new Set(['find', 'aggregate']);

export function scriptedConnection(answer: Answer): Connection {
  const collection = (name: string) =>
    new Proxy(
      {},
      {
        get(_own, method) {
          const run = async (...given: unknown[]) => answer(`${name}.${String(method)}`, given);
          return cursors.has(String(method))
            ? (...given: unknown[]) => ({ toArray: () => run(...given) })
            : run;
        },
      },
    );
  const session = {
    inTransaction: () => true,
    withTransaction: (work: (own: unknown) => unknown) => work(session),
  };
  const client = {
    db: () => ({ collection }),
    withSession: (work: (own: unknown) => unknown) => work(session),
  };
  return { name: 'scripted', getClient: () => client } as unknown as Connection;
}
