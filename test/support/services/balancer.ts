// A real HAProxy in front of servers, configured as docs/deployment.md says.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { waitForValue } from '../processes/client.ts';
import { requiredEnv } from './services.ts';

type Backend = { readonly port: number; readonly opsPort: number };

const checkIntervalMs = 200;

/** No retries: what a client sees is what the servers answer. */
const configurationOf = (
  { port, statsPort }: { readonly port: number; readonly statsPort: number },
  backends: readonly Backend[],
): string => `
global
  maxconn 1000
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 5s
frontend stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
frontend public
  bind 127.0.0.1:${port}
  default_backend inlet
backend inlet
  balance roundrobin
  option httpchk GET /readyz?scope=self
  default-server check inter ${checkIntervalMs}ms fall 2 rise 2
${backends.map((one, at) => `  server s${at} 127.0.0.1:${one.port} check port ${one.opsPort}`).join('\n')}
`;

const isOpen = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (found?: true) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end());
  });

/** Resolves when its port is open. */
export async function startBalancer(backends: readonly Backend[]) {
  const folder = await mkdtemp(join(tmpdir(), 'inlet-test-balancer-'));
  const [port, statsPort] = [await freePort(), await freePort()];
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configurationOf({ port, statsPort }, backends));
  const child = spawn(requiredEnv('INLET_TEST_HAPROXY'), ['-db', '-q', '-f', file], {
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  await waitForValue('the balancer listens', () => isOpen(port));

  async function statsOf(proxy: string, name: string): Promise<Readonly<Record<string, string>>> {
    const text = await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text();
    const [head = '', ...lines] = text.replace('# ', '').split('\n');
    const values = lines.find((line) => line.startsWith(`${proxy},${name},`))?.split(',') ?? [];
    return Object.fromEntries(head.split(',').map((key, at) => [key, values[at] ?? '']));
  }

  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves when the balancer sends requests to the backend, or no longer does. */
    waitUntil: (index: number, state: 'UP' | 'DOWN') =>
      waitForValue(`backend ${index} is ${state}`, async () =>
        (await statsOf('inlet', `s${index}`)).status === state ? true : undefined,
      ),
    /** Returns how many requests it answered with 5xx, those of the servers included. */
    serverErrors: async () => Number((await statsOf('public', 'FRONTEND')).hrsp_5xx),
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
