/**
 * Runs one command of the driver. Every command of the stores passes here.
 *
 * Promises: a command ends within a time limit, is measured, and rejects with `unavailable` when the database is away.
 */
import type { MongodbCommand } from '../../base/observability/metrics.ts';
import type { Connection, Session } from './connection.ts';
import { maxCommandMs, withDeadline } from './deadline.ts';
import { mapUnavailable } from './errors.ts';
import { observeCommand } from './observe-commands.ts';

export type CommandTarget = {
  readonly connection: Connection;
  readonly session?: Session;
  /** Of a caller that bounds the command itself, for example by `withDeadline`. */
  readonly signal?: AbortSignal;
  /** Default: `maxCommandMs`. */
  readonly withinMs?: number;
};

/** The options that bound a command, in a transaction or outside one. */
export type CommandBounds = { readonly signal: AbortSignal; readonly session?: Session };

/**
 * Ends also a command that the driver never ends: it does not bound the wait until the socket has taken a large command, and a
 * connection that is closed in this wait rejects no command (driver 7.8, `Connection.writeCommand`). The outcome of a command
 * that is ended, or that rejects with `unavailable`, is unknown.
 *
 * In a transaction the errors of the driver stay as they are, because their labels decide what is repeated.
 */
export const runCommand = <Result>(
  target: CommandTarget,
  command: MongodbCommand,
  run: (bounds: CommandBounds) => Promise<Result>,
): Promise<Result> =>
  target.session?.inTransaction()
    ? runRaw(target, command, run)
    : mapUnavailable(() => runRaw(target, command, run));

/** As `runCommand`, with the errors of the driver. */
export const runRaw = <Result>(
  { connection, session, signal, withinMs = maxCommandMs }: CommandTarget,
  command: MongodbCommand,
  run: (bounds: CommandBounds) => Promise<Result>,
): Promise<Result> =>
  observeCommand(
    connection,
    command,
    signal
      ? run({ signal, session })
      : withDeadline((abort) => run({ ...abort, session }), withinMs),
  );
