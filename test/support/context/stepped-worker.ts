// A worker that pauses before every step of its set and continues step by step.
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import type { TestContext } from './test-context.ts';

export type SteppedWorker = {
  /** Lets the worker make its next step; resolves before the following step, or at the end. */
  step(): Promise<void>;
  toEnd(): Promise<void>;
  readonly isAtEnd: () => boolean;
  /** Whether it has written in its transaction, so that other writers of the same documents wait for its end. */
  readonly isLocking: () => boolean;
};

/** A worker that has taken these events and waits before its next step. */
export async function startSteppedWorker(
  context: TestContext,
  ids: readonly string[],
  over: Parameters<TestContext['newProcessing']>[0] = {},
): Promise<SteppedWorker> {
  let open = () => {};
  let arrive = () => {};
  let isAtEnd = false;
  const arrival = () => new Promise<void>((resolve) => (arrive = resolve));
  const first = arrival();
  let at: SetStep | null = null;
  const onStep = (step: SetStep): Promise<void> => {
    at = step;
    arrive();
    return new Promise((resolve) => (open = resolve));
  };
  const end = () => {
    isAtEnd = true;
    arrive();
  };
  const working = context.newProcessing({ random: () => 0, ...over, onStep })(ids);
  working.then(end, end);
  await first;
  async function step(): Promise<void> {
    const next = arrival();
    open();
    if (!isAtEnd) await next;
  }
  async function finish(): Promise<void> {
    while (!isAtEnd) await step();
    await working;
  }
  let ending: Promise<void> | undefined;
  return {
    step,
    isAtEnd: () => isAtEnd,
    isLocking: () => !isAtEnd && (at === 'outcomes' || at === 'commit'),
    toEnd: () => (ending ??= finish()),
  };
}
