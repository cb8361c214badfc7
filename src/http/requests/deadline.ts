/** A bound on our own share of a request's time: it does not run while the sender is waited for. */
import { AppError } from '../../base/errors.ts';

export type Deadline = {
  /** Rejects with `unavailable` once the time is over; never resolves. */
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
