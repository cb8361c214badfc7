/**
 * Shutdown sequence: runs release functions last in, first out. A release that fails or times out does not stop
 * the others.
 */
import { withinTime } from '../clock.ts';

type Failure = { readonly name: string; readonly error: unknown };
const defaultLimitMs = 2_000;

export type Shutdown = ReturnType<typeof createShutdown>;

export function createShutdown() {
  const releases: { name: string; close: () => unknown; withinMs: number }[] = [];
  let closed: Promise<readonly Failure[]> | undefined;

  async function run(): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    for (const { name, close, withinMs } of releases.reverse()) {
      try {
        await withinTime(withinMs, Promise.resolve(close()), () => {
          throw new Error(`It did not close within ${withinMs / 1_000} s.`);
        });
      } catch (error) {
        failures.push({ name, error });
      }
    }
    return failures;
  }

  return {
    /** `withinMs`: time limit of this release in milliseconds. */
    add(name: string, close: () => unknown, withinMs = defaultLimitMs): void {
      releases.push({ name, close, withinMs });
    },
    /** Runs each release once. Later calls wait for the first call. Returns the failures by name. */
    closeAll: (): Promise<readonly Failure[]> => (closed ??= run()),
  };
}
