// A worker that pauses before every write and read of its stores and continues step by step.
import type { Stores } from '../../../src/store/stores.ts';
import type { TestContext } from './test-context.ts';

/** The store calls of a worker after its claim. */
const steps = {
  identities: ['findOwners', 'claim', 'repoint'],
  contacts: ['getMany', 'applyChanges', 'insertTombstone', 'recordConflicts'],
  messages: ['getMany', 'insert', 'move'],
  chats: ['getMany', 'findOpen', 'applyChanges', 'open', 'raiseLastMessageAt'],
  events: ['finish'],
} as const satisfies { readonly [S in keyof Stores]?: readonly (keyof Stores[S])[] };

type Call = (...given: unknown[]) => Promise<unknown>;

function withGates(stores: Stores, pass: (name: string) => Promise<void>): Stores {
  const gated = Object.entries(steps).map(([store, calls]) => {
    const target = stores[store as keyof typeof steps] as unknown as Record<string, Call>;
    const own = calls.map((call): [string, Call] => [
      call,
      async (...given) => {
        await pass(`${store}.${call}`);
        return target[call]?.(...given);
      },
    ]);
    return [store, { ...target, ...Object.fromEntries(own) }];
  });
  return { ...stores, ...Object.fromEntries(gated) };
}

export type SteppedWorker = {
  /** Lets the worker make its next call; resolves before the following call, or at the end. */
  step(): Promise<void>;
  toEnd(): Promise<void>;
  readonly isAtEnd: () => boolean;
};

/** A worker that has claimed these events and waits before its first call. */
export async function startSteppedWorker(
  context: TestContext,
  ids: readonly string[],
): Promise<SteppedWorker> {
  let open = () => {};
  let arrive = () => {};
  let isAtEnd = false;
  const arrival = () => new Promise<void>((resolve) => (arrive = resolve));
  const first = arrival();
  const stores = withGates(context.stores, () => {
    arrive();
    return new Promise((resolve) => (open = resolve));
  });
  const end = () => {
    isAtEnd = true;
    arrive();
  };
  const working = context.newProcessing({ stores })(ids);
  working.then(end, end);
  await first;
  async function step(): Promise<void> {
    const next = arrival();
    open();
    if (!isAtEnd) await next;
  }
  return {
    step,
    isAtEnd: () => isAtEnd,
    async toEnd() {
      while (!isAtEnd) await step();
      await working;
    },
  };
}
