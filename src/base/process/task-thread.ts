/**
 * Runs tasks in a thread of their own, one at a time: the event loop goes on.
 *
 * Promises: a task that takes longer than the deadline, or more memory than the thread may have, ends the thread and nothing else;
 * the next task starts another.
 * Limit: one task at a time. The caller queues.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker, type Transferable } from 'node:worker_threads';
import { withinTime } from '../clock.ts';

/** The first message of a thread: its start does not count as the time of a task. */
export type Ready = 'ready';

/** Returns the file of a thread: compiled or bundled in the folder, or its source. */
export const threadFile = (folder: string, name: string): string =>
  [`${name}.js`, `${name}.ts`].map((one) => join(folder, one)).find((file) => existsSync(file)) ??
  `${name}.js`;

/** It takes 0.1 s, and a few seconds on a busy machine. */
const maxStartMs = 30_000;
/** A thread holds about 30 MB. */
const defaultIdleMs = 60_000;

type Options = {
  /** For errors. */
  readonly name: string;
  /** The module that the thread runs. It posts `ready`, and then one reply for each message. */
  readonly file: string;
  readonly deadlineMs: number;
  readonly maxHeapMb: number;
  /** How long the thread stays without work. */
  readonly idleMs?: number | undefined;
};

type Pending<Reply> = {
  readonly resolve: (message: Reply | Ready) => void;
  readonly reject: (error: Error) => void;
};

export type TaskThread<Task, Reply> = {
  /** Rejects when the thread fails or the deadline passes. */
  readonly run: (task: Task, transferred?: readonly Transferable[]) => Promise<Reply>;
  /** Ends the thread. A task that it runs is rejected. */
  readonly close: () => Promise<void>;
};

export function createTaskThread<Task, Reply>({
  name,
  file,
  deadlineMs,
  maxHeapMb,
  idleMs = defaultIdleMs,
}: Options): TaskThread<Task, Reply> {
  let thread: Worker | undefined;
  let pending: Pending<Reply> | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(file, {
      // The environment holds secrets, and the options in it are not for threads.
      env: { NODE_OPTIONS: '' },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    started.unref();
    started.on('message', (message: Reply | Ready) => pending?.resolve(message));
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error(`The ${name} thread ended.`)));
    return started;
  }

  function fail(failed: Worker, error: Error): void {
    if (thread !== failed) return;
    thread = undefined;
    pending?.reject(error);
  }

  /** Resolves to the next message of the thread. */
  function nextMessage(withinMs: number): Promise<Reply | Ready> {
    const next = new Promise<Reply | Ready>((resolve, reject) => {
      pending = { resolve, reject };
    });
    return withinTime(withinMs, next, () => {
      void end();
      throw new Error(`The ${name} thread did not answer within ${withinMs} ms.`);
    });
  }

  async function ask(task: Task, transferred: readonly Transferable[]): Promise<Reply> {
    if (!thread) {
      thread = start();
      await nextMessage(maxStartMs);
    }
    // First: it throws for a task that cannot be cloned, and then nothing waits for a reply.
    thread?.postMessage(task, [...transferred]);
    const reply = await nextMessage(deadlineMs);
    if (reply === 'ready') throw new Error(`The ${name} thread started twice.`);
    return reply as Reply;
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  return {
    async run(task, transferred = []) {
      clearTimeout(idle);
      try {
        return await ask(task, transferred);
      } finally {
        pending = undefined;
        idle = setTimeout(() => void end(), idleMs).unref();
      }
    },
    async close() {
      clearTimeout(idle);
      pending?.reject(new Error(`The ${name} thread is closed.`));
      await end();
    },
  };
}
