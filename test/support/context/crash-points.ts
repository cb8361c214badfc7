// A worker that dies at a step of its set: the step never begins, nor does what waits for it, and its transaction stays open.
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';

/** The steps of a set of new people in their order, after the set was taken. */
export const setSteps = [
  'taken',
  'begin',
  'identities',
  'contacts',
  'chats',
  'write',
  'outcomes',
  'commit',
  'committed',
] as const satisfies readonly SetStep[];

const never = () => new Promise<never>(() => {});

/** `died` resolves at the crash. `passes`: how often the step is passed before. */
export function dyingAt(step: SetStep, passes = 0) {
  let die = () => {};
  let passed = 0;
  const died = new Promise<void>((resolve) => (die = resolve));
  async function onStep(reached: SetStep): Promise<void> {
    if (reached !== step || (passed += 1) <= passes) return;
    die();
    await never();
  }
  return { onStep, died };
}
