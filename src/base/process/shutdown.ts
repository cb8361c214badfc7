/**
 * Shutdown sequence: runs release functions last in, first out. A release that fails or times out does not stop
 * the others.
 */
export type Shutdown = {
  /** `withinMs`: time limit of this release in milliseconds. */
  add(name: string, close: () => unknown, withinMs?: number): void;
  /** Runs each release once. Later calls wait for the first call. Returns the failures by name. */
  closeAll(): Promise<readonly Failure[]>;
};

type Failure = { readonly name: string; readonly error: unknown };
type Release = {
  readonly name: string;
  readonly close: () => unknown;
  readonly withinMs: number;
};

const defaultLimitMs = 2_000;

export function createShutdown(): Shutdown {
  const releases: Release[] = [];
  let closed: Promise<readonly Failure[]> | undefined;

  async function run(): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    for (const { name, close, withinMs } of releases.reverse()) {
      try {
        await withTimeLimit(withinMs, close);
      } catch (error) {
        failures.push({ name, error });
      }
    }
    return failures;
  }

  return {
    add: (name, close, withinMs = defaultLimitMs) => void releases.push({ name, close, withinMs }),
    closeAll: () => (closed ??= run()),
  };
}

/** The timer keeps the process alive until a release that hangs times out. */
async function withTimeLimit(ms: number, close: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    const error = new Error(`It did not close within ${ms / 1_000} s.`);
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    await Promise.race([close(), expired]);
  } finally {
    clearTimeout(timer);
  }
}
