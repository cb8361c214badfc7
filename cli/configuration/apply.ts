/**
 * Applies a plan, step by step.
 *
 * Promises: the secret URL of a new webhook is printed or written before the next step, so that a crash cannot lose it later. A
 * record that is not as the plan saw it is not changed.
 */
import { appendFileSync, closeSync, fchmodSync, openSync } from 'node:fs';
import { InletError } from '../../client/client.ts';
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure, misuse } from '../terminal/failure.ts';
import { printLine } from '../terminal/output.ts';
import { etagIfUnchanged, type Server } from './server.ts';
import { titleOf, type NewUrl, type Step } from './step.ts';

/** Appends secret URLs to a file that only its owner can read. Opened at once, so that a mistake shows before a change. */
function openUrlFile(path: string): (one: NewUrl) => void {
  const file = openSync(path, 'a', 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
  return (one) => appendFileSync(path, `${JSON.stringify(one)}\n`);
}

/** A secret URL must reach a person or a file. The log of a build is neither. */
export function urlReceiver(file: string | undefined, isNeeded: boolean): (one: NewUrl) => void {
  if (file !== undefined) return openUrlFile(file);
  if (!isNeeded || process.stdout.isTTY) return printLine;
  throw misuse('A new secret URL is given once. Name a file for it with --urls <file>.');
}

const changedOnServer = (step: Step): CommandFailure =>
  new CommandFailure(
    `"${titleOf(step)}" was not done: it changed on the server after the difference was shown. Apply again to see the new difference.`,
    'changed',
  );

type Hooks = { readonly deliverUrl: (one: NewUrl) => void; readonly onDone: (step: Step) => void };

/** The record must be what the plan saw, also at the moment of the change. */
export async function applyPlan(
  inlet: Inlet,
  { names, steps }: { readonly names: Server['names']; readonly steps: readonly Step[] },
  { deliverUrl, onDone }: Hooks,
): Promise<void> {
  for (const step of steps) {
    const tag = step.seen && (await etagIfUnchanged(inlet, step.seen, names));
    if (tag === null) throw changedOnServer(step);
    try {
      await step.run({ inlet, headers: tag === undefined ? {} : { 'if-match': tag }, deliverUrl });
    } catch (error) {
      const isChanged = error instanceof InletError && error.status === 412;
      throw isChanged ? changedOnServer(step) : error;
    }
    onDone(step);
  }
}
