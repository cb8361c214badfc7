/** Time limits of commands. */
import { AppError } from '../../base/errors.ts';

/** Of one command with its retry after a socket timeout. The driver's `timeoutMS` has no effect since version 7. */
const promptMs = 6_000;

/** Longer than the driver's own limits of a command and its retry: 10 s for a connection, 30 s for an answer, twice. */
export const maxCommandMs = 90_000;

/** The type of the session makes it fit the options of every command. */
type Abort = { readonly signal: AbortSignal; readonly session?: undefined };

/**
 * Runs commands with an abort signal, which every command accepts although some types lack it. After `withinMs` the commands
 * are aborted and the function rejects with `unavailable`. The connection is closed, and the outcome is unknown.
 */
export const withDeadline = <Result>(
  run: (abort: Abort) => Promise<Result>,
  withinMs = promptMs,
): Promise<Result> => {
  const controller = new AbortController();
  return abortAfter(controller, () => run({ signal: controller.signal }), withinMs);
};

/** As `withDeadline`, for a part of what the controller aborts. */
export async function abortAfter<Result>(
  controller: AbortController,
  run: () => Promise<Result>,
  withinMs: number,
): Promise<Result> {
  const { signal } = controller;
  const internal = `MongoDB did not answer within ${withinMs} ms.`;
  // The cause says that the database did not report the result, so that an Idempotency-Key stays locked.
  const error = () =>
    new AppError('unavailable', { retryAfterMs: 5_000, internal, cause: new Error(internal) });
  const timer = setTimeout(() => controller.abort(error()), withinMs);
  try {
    return await run();
  } catch (error) {
    // The driver rejects with the abort reason. For a bulk it wraps the reason in another error.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
