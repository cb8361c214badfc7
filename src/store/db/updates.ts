/**
 * Unordered updates by plain `update` commands.
 *
 * The driver's bulk is a retryable write, for which MongoDB keeps a record of each statement: that costs a third more of its CPU.
 * Here no statement is repeated after a lost answer, so that nothing is counted twice.
 */
import { concerns, databaseOf, type Connection } from './connection.ts';
import { maxCommandMs, withDeadline } from './deadline.ts';
import { observeCommand } from './observe-commands.ts';

export type UpdateStatement = {
  readonly q: { readonly _id: string } & Readonly<Record<string, unknown>>;
  readonly u: Readonly<Record<string, unknown>>;
  readonly upsert?: true;
};

type Failed = { readonly index: number; readonly code: number };
type Answer = {
  readonly n: number;
  readonly writeErrors?: readonly Failed[];
  readonly writeConcernError?: { readonly code: number };
};

/** A statement has at most 30 kB, and a command at most 16 MB. */
export const maxStatements = 500;
const duplicateKey = 11_000;

/** Sends the statements, `maxStatements` in a command. Rejects at the first command that may have left out a statement. */
export async function sendUpdates(
  connection: Connection,
  collection: string,
  statements: readonly UpdateStatement[],
): Promise<void> {
  for (let from = 0; from < statements.length; from += maxStatements) {
    await sendPart(connection, collection, statements.slice(from, from + maxStatements));
  }
}

/** Sends again what failed as a duplicate, because another process inserted the document at the same time. */
async function sendPart(
  connection: Connection,
  collection: string,
  part: readonly UpdateStatement[],
): Promise<void> {
  const failed = await send(connection, collection, part);
  const again = failed.flatMap(({ index, code }) => {
    const statement = part[index];
    return statement && code === duplicateKey ? [statement] : [];
  });
  const left = again.length > 0 ? await send(connection, collection, again) : [];
  const [first] = [...failed.filter(({ code }) => code !== duplicateKey), ...left];
  if (first) throw new Error(`An update of ${collection} failed with code ${first.code}.`);
}

/** Returns the failed statements. Rejects when the write concern was not met. */
async function send(
  connection: Connection,
  collection: string,
  updates: readonly UpdateStatement[],
): Promise<readonly Failed[]> {
  const { writeConcern } = concerns;
  const command = {
    update: collection,
    updates,
    ordered: false,
    writeConcern: { w: writeConcern.w, j: writeConcern.j, wtimeout: writeConcern.wtimeoutMS },
  };
  const sent = withDeadline(
    (abort) => databaseOf(connection).command(command, abort) as Promise<unknown>,
    maxCommandMs,
  );
  const answer = (await observeCommand(connection, 'update', sent)) as Answer;
  const { writeErrors = [], writeConcernError } = answer;
  if (writeConcernError) {
    throw new Error(`The write concern was not met, with code ${writeConcernError.code}.`);
  }
  return writeErrors;
}
