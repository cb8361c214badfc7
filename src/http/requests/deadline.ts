/** A deadline for the server's share of a request: it is paused while the server waits for the sender. */
import { AppError } from '../../base/errors.ts';

type Deadline = {
  /** Rejects with `unavailable` when the time is over. Never resolves. */
  readonly passed: Promise<never>;
  run(): void;
  halt(): void;
};

const retryAfterMs = 5_000;

export function createDeadline(withinMs: number): Deadline {
  let leftMs = withinMs;
  let sinceMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let reject: (error: AppError) => void;
  const passed = new Promise<never>((_resolve, fail) => (reject = fail));
  const end = () =>
    reject(
      new AppError('unavailable', { retryAfterMs, internal: 'It could not be stored in time.' }),
    );
  return {
    passed,
    run() {
      sinceMs = performance.now();
      timer = setTimeout(end, leftMs);
    },
    halt() {
      clearTimeout(timer);
      leftMs -= performance.now() - sinceMs;
    },
  };
}
