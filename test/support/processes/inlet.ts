// Runs `npm start` for end-to-end tests, with its output and its living processes. Each run has a mark in its environment,
// which all its processes inherit.
import { randomUUID } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../../../scripts/lib/paths.mjs';
import {
  commandLine,
  processesWithVariable,
  sendSignal as send,
} from '../../../scripts/lib/process/processes.mjs';

import { freePort, startOnFreePort } from '../../../scripts/lib/process/ports.mjs';

export { freePort };

export type Inlet = {
  readonly output: () => string;
  /** The last ready block's addresses. */
  readonly url: () => string;
  readonly opsUrl: () => string;
  readonly adminToken: () => string | undefined;
  /** The process ids of this run, including its own. */
  readonly alive: (part?: string) => number[];
  /** Signals the npm process. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** The exit code, once npm has ended. */
  readonly ended: Promise<number | null>;
  /** Waits for the text in the output; fails with the output when the run ends or takes too long. */
  readonly says: (what: string | RegExp, withinMs?: number) => Promise<void>;
  /** For clean-up: ends all processes of this run. */
  readonly destroy: () => Promise<void>;
};

/** The environment without the variables of the test run. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours = (name: string) =>
    /^(INLET_|MONGODB_URL$|REDIS_URL$|npm_|NODE_ENV$|JEST_)/.test(name);
  const kept = Object.entries(process.env).filter(([name]) => !ours(name));
  const run = process.env.INLET_TEST_RUN;
  return { ...Object.fromEntries(kept), ...(run ? { INLET_TEST_RUN: run } : {}) };
}

/** Starts `npm start`; `env` comes on top of a clean environment. */
export function startInlet(env: NodeJS.ProcessEnv, folder = repository): Inlet {
  const mark = randomUUID();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...env, INLET_TEST_MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { output, ended } = follow(child);
  const find = (pattern: RegExp) => [...output().matchAll(pattern)].at(-1)?.[1];
  const alive = (part = '') =>
    processesWithVariable(`INLET_TEST_MARK=${mark}`).filter((pid) =>
      commandLine(pid).includes(part),
    );

  async function says(what: string | RegExp, withinMs = 150_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    const isSaid = () => (typeof what === 'string' ? output().includes(what) : what.test(output()));
    while (!isSaid()) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`It did not say ${String(what)}, but:\n${output()}`);
      }
      await pause(50);
    }
  }

  async function destroy(): Promise<void> {
    while (alive().length > 0) {
      for (const pid of alive()) send(pid, 'SIGKILL');
      await pause(50);
    }
  }

  return {
    output,
    ended,
    alive,
    says,
    destroy,
    url: () => find(/Console\s+(\S+)/g) ?? '',
    opsUrl: () => find(/Operations\s+(\S+)/g) ?? '',
    adminToken: () => find(/Admin token \(shown once\): (\S+)/g),
    signal: (name) => void child.kill(name),
  };
}

/** Starts it on two free ports, and resolves to them and the run once it has said `what`. */
export const startOnFreePorts = (env: NodeJS.ProcessEnv, what: string) =>
  startOnFreePort(async (port) => {
    const ports = { INLET_PORT: String(port), INLET_OPS_PORT: String(await freePort()) };
    const inlet = startInlet({ ...env, ...ports });
    try {
      await inlet.says(what);
      return { inlet, ports };
    } catch (error) {
      await inlet.destroy();
      throw error;
    }
  });

function follow(child: ChildProcess): { output: () => string; ended: Promise<number | null> } {
  let text = '';
  const add = (chunk: string) => (text += chunk);
  child.stdout?.setEncoding('utf8').on('data', add);
  child.stderr?.setEncoding('utf8').on('data', add);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { output: () => text, ended };
}

/** A temporary data folder. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'inlet-test-data-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
