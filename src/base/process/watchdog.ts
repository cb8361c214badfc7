/**
 * Ends a process whose event loop hangs: no signal, no health check and no lease can reach it any more.
 *
 * Promises: a thread of its own counts how often the event loop has been silent in a row. The count, and not a clock, decides:
 * where the machine or the process was paused, the thread was paused too. It ends the process with SIGKILL after one line in
 * the log. A process that is debugged is never ended.
 */
import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

type WatchdogOptions = {
  /** How long the event loop may be silent. */
  readonly limitMs: number;
  /** The role of this process, for the log. */
  readonly role: string;
};

const checksPerLimit = 20;
const logMessage = 'process.hung';

/** Indexes of the memory that both threads share. */
const beats = 0;
const isDebugged = 1;

/** Starts the thread. It does not keep the process alive. */
export function startWatchdog({ limitMs, role }: WatchdogOptions) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const stepMs = limitMs / checksPerLimit;
  const { pid } = process;
  const thread = new Worker(threadSource, {
    eval: true,
    // The options of this process, such as modules to load first, are not for the thread.
    execArgv: [],
    env: { NODE_OPTIONS: '' },
    workerData: {
      shared,
      stepMs,
      checksPerLimit,
      line: { role, pid, silentMs: limitMs, msg: logMessage },
    },
  });
  thread.unref();
  const timer = setInterval(beat, stepMs / 2);
  timer.unref();

  function beat(): void {
    Atomics.add(shared, beats, 1);
    Atomics.store(shared, isDebugged, inspectorUrl() === undefined ? 0 : 1);
  }

  return {
    close(): Promise<unknown> {
      clearInterval(timer);
      return thread.terminate();
    },
  };
}

/** Plain JavaScript, so that it runs from the sources and from the bundle alike. */
const threadSource = `
const { workerData } = require('node:worker_threads');
const { write } = require('node:fs');
const { shared, stepMs, checksPerLimit, line } = workerData;
let seen = Atomics.load(shared, ${beats});
let silent = 0;
const timer = setInterval(() => {
  const now = Atomics.load(shared, ${beats});
  silent = now !== seen || Atomics.load(shared, ${isDebugged}) === 1 ? 0 : silent + 1;
  seen = now;
  if (silent < checksPerLimit) return;
  clearInterval(timer);
  // When standard output is not read, the write below never ends.
  const end = () => process.kill(line.pid, 'SIGKILL');
  setTimeout(end, 1_000);
  const time = new Date().toISOString();
  write(1, JSON.stringify({ level: 'fatal', time, ...line }) + '\\n', end);
}, stepMs);
`;
