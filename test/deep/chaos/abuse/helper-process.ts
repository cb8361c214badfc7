// A helper process of the harness: its load does not disturb what the harness itself measures. It runs until it is asked for
// its result.
import { fork } from 'node:child_process';
import { join } from 'node:path';

type HelperProcess<Result> = {
  /** Asks the process to end, and resolves to its result. Rejects when it ends without one. */
  stop(): Promise<Result>;
};

/** Starts `file` of this folder. It gets `options` as JSON in its first argument. */
export function startHelper<Result>(file: string, options: unknown): HelperProcess<Result> {
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(options)]);
  const result = new Promise<Result>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Result));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${String(code)}`)));
  });
  result.catch(() => undefined); // `stop` still rejects
  return {
    stop() {
      if (child.connected) child.send('stop', () => undefined);
      return result;
    },
  };
}

/** For the helper: runs `work` until the harness asks for its result, which `work` resolves to. */
export async function runHelper<Options, Result>(
  work: (options: Options, signal: AbortSignal) => Promise<Result>,
): Promise<void> {
  const stopping = new AbortController();
  process.once('message', () => stopping.abort());
  process.once('disconnect', () => process.exit(1));
  const result = await work(JSON.parse(process.argv[2] ?? '') as Options, stopping.signal);
  process.send?.(result, () => process.exit(0));
}
