/**
 * Standard output as the destination of log lines.
 *
 * Promises: a write returns at once, also while nobody reads the output; the lines that wait are bounded, and further ones
 * are dropped and counted; an error of the output never ends the process; at the exit of the process the lines that wait are
 * written, unless the reader is blocked.
 */
import { pino } from 'pino';

type LogDestinationOptions = {
  /** Length of the lines that wait, in characters. */
  readonly maxLength?: number;
};

const defaultMaxLength = 8 * 1024 ** 2;
/** A reader that takes nothing for so long is blocked. */
const blockedMs = 1_000;

export function createLogDestination({ maxLength = defaultMaxLength }: LogDestinationOptions = {}) {
  let waiting = 0;
  let waitingSinceMs = 0;
  let dropped = 0;
  let isReaderGone = false;
  // Registered first: it runs before the listener of the library, which waits until all is written.
  process.on('exit', endIfBlocked);
  const out = pino.destination({ dest: 1, sync: false, maxLength });
  out.on('write', () => {
    waitingSinceMs = performance.now();
  });
  out.on('drain', () => {
    waiting = 0;
  });
  out.on('drop', () => {
    dropped += 1;
  });
  // Without this listener a full disk or a reader that is gone would end the process.
  out.on('error', ({ code }: NodeJS.ErrnoException) => {
    isReaderGone ||= code === 'EPIPE';
    waiting = 0;
    dropped += 1;
  });

  /** A write that a thread has begun keeps the process from exiting, so it is killed. */
  function endIfBlocked(): void {
    if (waiting > 0 && performance.now() - waitingSinceMs > blockedMs)
      process.kill(process.pid, 'SIGKILL');
  }

  return {
    write(line: string): void {
      if (isReaderGone) return;
      if (waiting === 0) waitingSinceMs = performance.now();
      waiting += 1;
      out.write(line);
    },
    /** Calls `report` with the number of dropped lines, once the reader has caught up. */
    onDropped(report: (lines: number) => void): void {
      out.on('drain', () => {
        const lines = dropped;
        dropped = 0;
        if (lines > 0) report(lines);
      });
    },
  };
}
