/** Entry points of processes, and the error that ends a process before it is ready. */
import { exitCodes } from './process.ts';

type StartupErrorOptions = { readonly exitCode?: number; readonly cause?: unknown };

/** The process cannot start. The message is for the operator and says what to change. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly exitCode: number;

  /** Default exit code: `exitCodes.configuration`. */
  constructor(
    message: string,
    { exitCode = exitCodes.configuration, cause }: StartupErrorOptions = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/**
 * Runs an entry point. If it rejects, prints the message of a `StartupError` or the stack of another error, and exits
 * with its exit code or `exitCodes.failed`.
 */
export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isStartupError = error instanceof StartupError;
    const text = isStartupError ? error.message : String((error as Error)?.stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exit(isStartupError ? error.exitCode : exitCodes.failed);
  });
}
