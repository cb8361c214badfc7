/**
 * Questions that a parent process asks its children over IPC, such as for their metrics.
 *
 * Promises: a question ends within its limit, also when the child hangs or ends.
 */
import type { ChildProcess } from 'node:child_process';

type Question = { readonly type: 'question'; readonly id: number; readonly name: string };
type Answer = { readonly type: 'answer'; readonly id: number; readonly value: unknown };

const isMessage = (message: unknown, type: string): boolean =>
  typeof message === 'object' && (message as { type?: unknown } | null)?.type === type;

/** Answers the questions of the parent, by name. A question that fails, or has another name, gets no answer. */
export function answerQuestions(answers: Readonly<Record<string, () => unknown>>): void {
  async function answer({ id, name }: Question): Promise<void> {
    const value = await answers[name]?.();
    if (process.connected) process.send?.({ type: 'answer', id, value } satisfies Answer);
  }
  process.on('message', (message: unknown) => {
    if (isMessage(message, 'question')) answer(message as Question).catch(() => undefined);
  });
}

/** Resolves to the answer; undefined when there is none within the limit. The type is a promise of the child. */
export function ask<Value>(
  child: ChildProcess,
  name: string,
  withinMs: number,
): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const id = nextId();
    function settle(value?: Value): void {
      clearTimeout(timer);
      child.off('message', hear);
      resolve(value);
    }
    function hear(message: unknown): void {
      if (isMessage(message, 'answer') && (message as Answer).id === id)
        settle((message as Answer).value as Value);
    }
    const timer = setTimeout(() => settle(), withinMs);
    if (!child.connected) return settle();
    child.on('message', hear);
    child.send({ type: 'question', id, name } satisfies Question, (error) => {
      if (error) settle();
    });
  });
}

let lastId = 0;
const nextId = () => (lastId += 1);
