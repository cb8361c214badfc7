/**
 * Keeps a number of like child processes running.
 *
 * Promises: the first child starts alone, and the others once it is ready. A child that ends starts again after a pause that
 * grows while it keeps ending. When the first child ends before any was ready, nothing starts again: the start has failed.
 */
import type { ChildProcess } from 'node:child_process';
import type { ProcessMessage, ReadyMessage } from './process.ts';

/** How a child ended. */
export type ChildEnd = {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly restartInMs: number;
};

type SuperviseOptions = {
  readonly count: number;
  readonly launch: () => ChildProcess;
  /** Called for each child that ends by itself after the start. */
  readonly onEnded: (child: ChildProcess, end: ChildEnd) => void;
};

export type Supervision = ReturnType<typeof supervise>;

/** The place of a child, which outlives the child. */
type Slot = {
  child: ChildProcess | null;
  isReady: boolean;
  startedMs: number;
  pauseMs: number;
  timer: NodeJS.Timeout | undefined;
};

const shortestPauseMs = 500;
const longestPauseMs = 30_000;
const steadyAfterMs = 60_000;

export function supervise(options: SuperviseOptions) {
  const slots = Array.from({ length: options.count }, newSlot);
  let wasReady = false;
  let isStopping = false;
  let settleStart: (outcome: ReadyMessage | number) => void = () => undefined;

  function launch(slot: Slot): void {
    if (isStopping || slot.child) return;
    const child = options.launch();
    Object.assign(slot, { child, isReady: false, startedMs: performance.now() });
    child.on('message', (message) => hear(slot, message as ProcessMessage));
    child.once('exit', (code, signal) => restart(slot, { child, code, signal }));
    // A child that could not be started emits no `exit`. Another one may not have got a message.
    child.on('error', () => {
      if (child.pid === undefined) restart(slot, { child, code: null, signal: null });
    });
  }

  function hear(slot: Slot, message: ProcessMessage): void {
    if (message.type === 'draining') slot.isReady = false;
    if (message.type !== 'ready') return;
    slot.isReady = true;
    if (wasReady) return;
    wasReady = true;
    for (const other of slots) launch(other);
    settleStart(message);
  }

  function restart(
    slot: Slot,
    { child, ...end }: Pick<ChildEnd, 'code' | 'signal'> & { readonly child: ChildProcess },
  ): void {
    slot.child = null;
    slot.isReady = false;
    if (isStopping) return;
    if (!wasReady) {
      isStopping = true;
      settleStart(end.code ?? 1);
      return;
    }
    const wasSteady = performance.now() - slot.startedMs > steadyAfterMs;
    const restartInMs = wasSteady ? shortestPauseMs : slot.pauseMs;
    slot.pauseMs = Math.min(restartInMs * 2, longestPauseMs);
    slot.timer = setTimeout(() => launch(slot), restartInMs);
    options.onEnded(child, { pid: child.pid, ...end, restartInMs });
  }

  return {
    /** Resolves to the message of the first child that is ready, or to the exit code of a start that failed. */
    start: () =>
      new Promise<ReadyMessage | number>((resolve) => {
        settleStart = resolve;
        slots.slice(0, 1).forEach(launch);
      }),

    /** The children that are ready and do not drain. */
    ready: (): readonly ChildProcess[] =>
      slots.flatMap(({ child, isReady }) => (child && isReady ? [child] : [])),

    /** All children that run. */
    running: (): readonly ChildProcess[] => slots.flatMap(({ child }) => child ?? []),

    /** Sends SIGTERM, and SIGKILL to those that still run after `withinMs`. Rejects if one did not end with code 0. */
    async stop(withinMs: number): Promise<void> {
      isStopping = true;
      for (const { timer } of slots) clearTimeout(timer);
      const ends = slots.flatMap(({ child }) => (child ? [untilEnd(child)] : []));
      for (const { child } of slots) child?.kill('SIGTERM');
      const killing = setTimeout(kill, withinMs);
      const codes = await Promise.all(ends).finally(() => clearTimeout(killing));
      if (codes.some((code) => code !== 0)) throw new Error('A child process did not drain.');
    },
  };

  function kill(): void {
    for (const { child } of slots) child?.kill('SIGKILL');
  }
}

const newSlot = (): Slot => ({
  child: null,
  isReady: false,
  startedMs: 0,
  pauseMs: shortestPauseMs,
  timer: undefined,
});

/** Resolves to the exit code, null after a signal. The child must run. */
const untilEnd = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)));
