/** Time limits of commands. */
import { AppError } from '../../base/errors.ts';

/** Of one command with its retry after a socket timeout. The driver's `timeoutMS` has no effect since version 7. */
const promptMs = 6_000;

/** The type of the session makes it fit the options of every command. */
type Abort = { readonly signal: AbortSignal; readonly session?: undefined };

/**
 * Runs commands with an abort signal, which every command accepts although some types lack it. After `withinMs` the commands
 * are aborted and the function rejects with `unavailable`. The connection is closed, and the outcome is unknown.
 */
export const withDeadline = <Result>(
  run: (abort: Abort) => Promise<Result>,
  withinMs = promptMs,
): Promise<Result> => abortAfter(new AbortController(), run, withinMs);

async function abortAfter<Result>(
  controller: AbortController,
  run: (abort: Abort) => Promise<Result>,
  withinMs: number,
): Promise<Result> {
  const { signal } = controller;
  const internal = `MongoDB did not answer within ${withinMs} ms.`;
  // The cause says that the database did not report the result, so that an Idempotency-Key stays locked.
  const error = () =>
    new AppError('unavailable', { retryAfterMs: 5_000, internal, cause: new Error(internal) });
  const timer = setTimeout(() => controller.abort(error()), withinMs);
  try {
    return await run({ signal });
  } catch (error) {
    // The driver rejects with the abort reason. For a bulk it wraps the reason in another error.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Longer than the driver's own limits of a command and its retry: 10 s for a connection, 30 s for an answer, twice. */
export const maxCommandMs = 90_000;

/** The methods that resolve to the answer of a command, with its name in metrics, and where their options are. */
export const commands = {
  insertOne: { command: 'insert', optionsAt: 1 },
  insertMany: { command: 'insert', optionsAt: 1 },
  findOne: { command: 'find', optionsAt: 1 },
  updateOne: { command: 'update', optionsAt: 2 },
  updateMany: { command: 'update', optionsAt: 2 },
  replaceOne: { command: 'update', optionsAt: 2 },
  deleteOne: { command: 'delete', optionsAt: 1 },
  deleteMany: { command: 'delete', optionsAt: 1 },
  findOneAndUpdate: { command: 'findAndModify', optionsAt: 2 },
  findOneAndReplace: { command: 'findAndModify', optionsAt: 2 },
  findOneAndDelete: { command: 'findAndModify', optionsAt: 1 },
  bulkWrite: { command: 'bulk', optionsAt: 1 },
  countDocuments: { command: 'aggregate', optionsAt: 1 },
  distinct: { command: 'distinct', optionsAt: 2 },
} as const;
/** The methods that return a cursor. Each batch that the cursor fetches is bounded, for `toArray` and for iteration. */
export const queries = {
  find: { command: 'find', optionsAt: 1 },
  aggregate: { command: 'aggregate', optionsAt: 1 },
} as const;

export type AnyMethod = (...args: unknown[]) => unknown;

/**
 * Ends a command that the driver never ends: it does not bound the wait until the socket has taken a large command, and a
 * connection that is closed in this wait rejects no command (driver 7.8, `Connection.writeCommand`).
 */
export function withBoundedCommands<Target extends object>(
  collection: Target,
  withinMs = maxCommandMs,
): Target {
  replaceMethods(collection, commands, (method, { optionsAt }) => (...args) => {
    const { hasSignal, withSignal } = readArguments(args, optionsAt);
    if (hasSignal) return method(...args);
    const run = ({ signal }: Abort) => method(...withSignal(signal)) as Promise<unknown>;
    return abortAfter(new AbortController(), run, withinMs);
  });
  replaceMethods(collection, queries, (method, { optionsAt }) => (...args) => {
    const { hasSignal, withSignal } = readArguments(args, optionsAt);
    if (hasSignal) return method(...args);
    const controller = new AbortController();
    return boundBatches(method(...withSignal(controller.signal)) as Cursor, controller, withinMs);
  });
  return collection;
}

type Cursor = { bufferedCount(): number };

/** `toArray` and iteration both call `next`, which fetches a batch when none is buffered. */
function boundBatches(cursor: Cursor, controller: AbortController, withinMs: number): Cursor {
  replaceMethods(cursor, { next: null }, (method) => () => {
    const next = () => method() as Promise<unknown>;
    return cursor.bufferedCount() > 0 ? next() : abortAfter(controller, next, withinMs);
  });
  return cursor;
}

function readArguments(args: readonly unknown[], optionsAt: number) {
  const options = args[optionsAt] as Partial<Abort> | undefined;
  const before = Array.from({ length: optionsAt }, (_none, index) => args[index]);
  const withSignal = (signal: AbortSignal) => [...before, { ...options, signal }];
  return { hasSignal: options?.signal !== undefined, withSignal };
}

/** Replaces the named methods of an object. `replace` gets the method, bound to the object, and the value of its name. */
export function replaceMethods<Value>(
  target: object,
  values: Readonly<Record<string, Value>>,
  replace: (method: AnyMethod, value: Value) => AnyMethod,
): void {
  for (const [name, value] of Object.entries(values)) {
    const method = (Reflect.get(target, name) as AnyMethod).bind(target);
    Reflect.set(target, name, replace(method, value));
  }
}
