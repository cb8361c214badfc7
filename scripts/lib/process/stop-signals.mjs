// Stop signals, and the cleanups that run after one.
import { performance } from 'node:perf_hooks';
import { warn } from '../output.mjs';

const doubleWithinMs = 1_000;

/**
 * Listens for the signals that mean stop. npm and Ctrl-C deliver one twice, within a moment: that is one;
 * a later one means at once. `fail` ends the wait with what went wrong.
 */
export function listenForStopSignals() {
  /** @type {(signal: string) => void} */
  let request = () => undefined;
  /** @type {(error: unknown) => void} */
  let fail = () => undefined;
  /** @type {(signal: string) => void} */
  let force = () => undefined;
  /** @type {Promise<string>} */
  const requested = new Promise((resolve, reject) => ([request, fail] = [resolve, reject]));
  /** @type {Promise<string>} */
  const forced = new Promise((resolve) => (force = resolve));
  let firstAt = 0;
  const onSignal = (/** @type {string} */ signal) => {
    const now = performance.now();
    if (firstAt !== 0 && now - firstAt > doubleWithinMs) force(signal);
    firstAt ||= now;
    request(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => onSignal(signal));
  return { requested, forced, fail, isRequested: () => firstAt > 0 };
}

/** Runs the cleanups in reverse order; a failure does not prevent the others. */
export function createCleanups() {
  /** @type {(() => Promise<void> | void)[]} */
  const releases = [];
  return {
    /** @param {() => Promise<void> | void} release */
    add: (release) => void releases.push(release),
    async run() {
      for (let release = releases.pop(); release; release = releases.pop()) {
        try {
          await release();
        } catch (error) {
          warn(`While stopping: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    },
  };
}
