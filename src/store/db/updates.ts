/**
 * Unordered updates by plain `update` commands.
 *
 * The driver's bulk is a retryable write, for which MongoDB keeps a record of each statement: that costs a third more of its CPU.
 * Here no statement is repeated after a lost answer, so that nothing is counted twice.
 */
import mongoose from 'mongoose';
import { concerns, databaseOf, type Connection } from './connection.ts';
import { runCommand } from './command.ts';

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

const { calculateObjectSize } = mongoose.mongo.BSON;

export const maxStatements = 500;
/** A command has at most 16 MB. */
const maxBytes = 12_000_000;
const duplicateKey = 11_000;
/** Those of the connection, which a plain command does not inherit. */
const bsonOptions = { ignoreUndefined: true, enableUtf8Validation: false };

/** Sends the statements, up to `maxStatements` in a command. Rejects at the first command that may have left out a statement. */
export async function sendUpdates(
  connection: Connection,
  collection: string,
  statements: readonly UpdateStatement[],
): Promise<void> {
  for (const part of partsOf(statements)) await sendPart(connection, collection, part);
}

function partsOf(statements: readonly UpdateStatement[]): UpdateStatement[][] {
  const parts: UpdateStatement[][] = [];
  let part: UpdateStatement[] = [];
  let bytes = 0;
  for (const statement of statements) {
    const size = calculateObjectSize(statement);
    if (parts.length === 0 || part.length === maxStatements || bytes + size > maxBytes) {
      part = [];
      bytes = 0;
      parts.push(part);
    }
    part.push(statement);
    bytes += size;
  }
  return parts;
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
  const answer = (await runCommand({ connection }, 'update', (bounds) =>
    databaseOf(connection).command(command, { ...bounds, ...bsonOptions }),
  )) as unknown as Answer;
  const { writeErrors = [], writeConcernError } = answer;
  if (writeConcernError) {
    throw new Error(`The write concern was not met, with code ${writeConcernError.code}.`);
  }
  return writeErrors;
}
