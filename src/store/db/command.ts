/** Runs one command of the driver: bounds its time and measures it. For stores that call the driver directly. */
import type { MongodbCommand } from '../../base/observability/metrics.ts';
import { databaseOf, type Connection, type Session } from './connection.ts';
import { maxCommandMs, withDeadline } from './deadline.ts';
import { asUnavailable } from './errors.ts';
import { observeCommand } from './observe-commands.ts';

/** The options that bound a command, in a transaction or outside one. */
type CommandOptions = { readonly signal: AbortSignal; readonly session?: Session };

/** Returns the native driver's collection, without limits and measurement of its own. */
export const nativeCollection = <Doc extends { _id: string }>(
  connection: Connection,
  name: string,
) => databaseOf(connection).collection<Doc>(name);

/** Rejects with `unavailable` after the longest time that a command may take. Its outcome is unknown then. */
export const runCommand = <Result>(
  { connection, session }: { readonly connection: Connection; readonly session?: Session },
  command: MongodbCommand,
  run: (options: CommandOptions) => Promise<Result>,
): Promise<Result> =>
  observeCommand(
    connection,
    command,
    withDeadline(({ signal }) => run({ signal, ...(session && { session }) }), maxCommandMs),
  );

/** Runs a command outside a transaction. Throws `unavailable` when the database is away; its outcome is unknown then. */
export async function runSingle<Result>(
  target: Parameters<typeof runCommand>[0],
  command: MongodbCommand,
  run: (options: CommandOptions) => Promise<Result>,
): Promise<Result> {
  try {
    return await runCommand(target, command, run);
  } catch (cause) {
    throw asUnavailable(cause);
  }
}
