/** What commands read: standard input, and the answers of a person. Secrets are never arguments. */
import { readFileSync } from 'node:fs';
import { CommandFailure, misuse } from './failure.ts';
import { note, printable } from './output.ts';

/** Beyond this a request is too large in any case. */
const maxInputBytes = 16 * 1_024 * 1_024;

export const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

export async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxInputBytes) throw misuse('Standard input is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

export function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw misuse(`The file ${path} cannot be read.`);
  }
}

let lines: string[] | undefined;

/** Asks a person without showing the answer, or reads the next line of standard input; empty at its end. */
export async function readSecret(question: string): Promise<string> {
  if (!isInteractive()) {
    lines ??= (await readInput()).toString('utf8').split('\n');
    return lines.shift()?.trim() ?? '';
  }
  const { password, isCancel } = await import('@clack/prompts');
  const answer = await password({ message: question });
  if (isCancel(answer)) throw new CommandFailure('Cancelled.', 'cancelled');
  return answer.trim();
}

/** Throws unless a person agrees, or `isSure`. */
export async function confirm(question: string, isSure = false): Promise<void> {
  if (isSure) return;
  if (!isInteractive()) {
    note(question);
    throw new CommandFailure('The input is not a terminal. Repeat with --yes.', 'cancelled');
  }
  const { confirm: ask } = await import('@clack/prompts');
  const message = printable(question);
  const answer = await ask({ message, initialValue: false, output: process.stderr });
  if (answer !== true) throw new CommandFailure('Nothing was changed.', 'cancelled');
}
