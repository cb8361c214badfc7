// Runs the built `inlet` command as a person or a program does: with arguments, an environment and standard input.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';

const commandFile = join(repository, 'dist/cli/inlet.js');

type CommandOptions = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly execPath?: string;
};

type CommandResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

type RunningCommand = {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly interrupt: () => void;
  readonly ended: Promise<CommandResult>;
};

/** Starts it. Its only variables are PATH, HOME (the folder) and those given. */
export function startCommand(args: readonly string[], options: CommandOptions): RunningCommand {
  const { cwd, env = {}, input = '', execPath = process.execPath } = options;
  const child = spawn(execPath, [commandFile, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    interrupt: () => void child.kill('SIGINT'),
    ended,
  };
}

export const runCommandLine = (
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> => startCommand(args, options).ended;
