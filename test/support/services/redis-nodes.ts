// Redis processes with options of their own: secured ones, sentinels, and the nodes of a cluster.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { startOnFreePort } from '../../../scripts/lib/process/ports.mjs';
import { waitForValue } from '../processes/client.ts';
import { requiredEnv } from './services.ts';

export type RedisNode = Awaited<ReturnType<typeof startRedisNode>>;

type NodeOptions = {
  /** Options of the server after those of its port and folder; a sentinel has its file here. */
  readonly args: (place: { readonly port: number; readonly folder: string }) => readonly string[];
  /** For the connection of the test. */
  readonly connect?: RedisOptions;
};

export const startRedisNode = (options: NodeOptions) =>
  startOnFreePort((port) => startNodeOn(port, options));

async function startNodeOn(port: number, { args, connect = {} }: NodeOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'inlet-test-redis-'));
  const options = [...args({ port, folder })];
  const client = new Redis({
    host: '127.0.0.1',
    port,
    ...connect,
    retryStrategy: () => 100,
    maxRetriesPerRequest: 1,
  });
  client.on('error', () => {});
  function launch() {
    const launched = spawn(requiredEnv('INLET_TEST_REDIS_SERVER'), options, {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    launched.stdout.on('data', (chunk) => (output = (output + String(chunk)).slice(-2_000)));
    return launched;
  }
  let output = '';
  let child = launch();
  /** It is this process that answers: another one on its port lets it end. */
  async function answers(): Promise<void> {
    const state = await waitForValue(`Redis at ${port} answers`, async () => {
      if (child.exitCode !== null) return 'ended';
      const info = await client.info('server');
      return info.includes(`process_id:${child.pid}`) ? 'answers' : undefined;
    });
    if (state === 'ended') throw new Error(`Redis ended:\n${output}`);
  }

  async function kill(): Promise<void> {
    const ended = once(child, 'close');
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await ended;
  }
  async function close(): Promise<void> {
    client.disconnect();
    child.kill('SIGCONT');
    await kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  await answers().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    port,
    client,
    kill,
    close,
    async restart(): Promise<void> {
      await kill();
      child = launch();
      await answers();
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

/** A server with a durable queue that evicts nothing. */
export const durableArgs = (folder: string): readonly string[] => [
  '--dir',
  folder,
  '--bind',
  '127.0.0.1',
  '--appendonly',
  'yes',
  '--save',
  '',
  '--maxmemory-policy',
  'noeviction',
];
