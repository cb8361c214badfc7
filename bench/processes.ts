/** Starts measured processes with the probe, reads their usage, and stops them. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { requestMetrics } from './measure/request-metrics.ts';
import type { Usage } from './probe.ts';

/** The folder of the compiled code. */
const dist = join(import.meta.dirname, '..');
const answerWithinMs = 10_000;
/** The first start creates every index. */
const readyWithinMs = 60_000;

export type Ready = { readonly url?: string };
type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };
export type Series = {
  readonly name: string;
  readonly values: readonly (Sample & { readonly metricName?: string })[];
};

export type MeasuredProcess = {
  readonly ready: Ready;
  usage(): Promise<Usage>;
  /** Returns the metrics. Only Inlet's own processes have them. */
  series(): Promise<readonly Series[]>;
  stop(): Promise<void>;
};

function answerOf<Answer>(
  child: ChildProcess,
  { type, withinMs = answerWithinMs }: { type: string; withinMs?: number },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      if (error) reject(error);
    };
    const onMessage = (message: unknown) => {
      if ((message as { type?: unknown }).type !== type) return;
      settle();
      resolve(message as Answer);
    };
    const onExit = () => settle(new Error(`A measured process ended before it sent ${type}.`));
    const onTimeout = () => settle(new Error(`A measured process did not send ${type} in time.`));
    const timer = setTimeout(onTimeout, withinMs);
    child.on('message', onMessage).once('exit', onExit);
  });
}

/**
 * `script` is a path under `folder`, which is a folder of compiled code. Resolves when the process sends `ready` over its IPC
 * channel.
 */
export async function startProcess(
  script: string,
  env: NodeJS.ProcessEnv = {},
  folder = dist,
): Promise<MeasuredProcess> {
  const child = fork(join(folder, script), {
    execArgv: [...process.execArgv, '--import', join(dist, 'bench/probe.js')],
    env: {
      MALLOC_ARENA_MAX: '2',
      ...process.env,
      INLET_PORT: '0',
      INLET_OPS_PORT: '0',
      NODE_ENV: 'production',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ask = <Answer>(type: string) => {
    const answer = answerOf<Answer>(child, { type });
    child.send({ type });
    return answer;
  };
  return {
    ready: await answerOf<Ready>(child, { type: 'ready', withinMs: readyWithinMs }),
    usage: () => ask<Usage>('usage'),
    series: () => requestMetrics<readonly Series[]>(child, answerWithinMs),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The administration token of the servers of this run. */
export const adminToken = randomUUID();

export const startServer = (env: NodeJS.ProcessEnv = {}, folder = dist) =>
  startProcess('bin/server.js', { INLET_ADMIN_TOKEN: adminToken, ...env }, folder);
export const startWorker = (env: NodeJS.ProcessEnv = {}, folder = dist) =>
  startProcess('bin/worker.js', env, folder);
