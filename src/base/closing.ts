/** What was opened is closed last in, first out; one failure does not keep the others open. */
export type Closing = {
  add(name: string, close: () => unknown): void;
  /** Runs each release once; later calls wait for the first. Returns the failures by name. */
  closeAll(): Promise<readonly { name: string; error: unknown }[]>;
};

export function createClosing(): Closing {
  const releases: { name: string; close: () => unknown }[] = [];
  let closed: Promise<readonly { name: string; error: unknown }[]> | undefined;

  async function run(): Promise<readonly { name: string; error: unknown }[]> {
    const failures: { name: string; error: unknown }[] = [];
    for (const { name, close } of releases.reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push({ name, error });
      }
    }
    return failures;
  }

  return {
    add: (name, close) => void releases.push({ name, close }),
    closeAll: () => (closed ??= run()),
  };
}
