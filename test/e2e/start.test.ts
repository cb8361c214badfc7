// `npm start`: first start, restart after crashes, takeover of its databases, and shutdown without remaining processes.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, waitForValue } from '../support/processes/client.ts';
import { freePort, startInlet, temporaryFolder, type Inlet } from '../support/processes/inlet.ts';

jest.setTimeout(240_000);

const readyText = 'Inlet is ready';
const running: Inlet[] = [];

async function start(data: string, more: NodeJS.ProcessEnv = {}): Promise<Inlet> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const inlet = startInlet({
    INLET_DATA_DIR: data,
    INLET_PORT: String(port),
    INLET_OPS_PORT: String(opsPort),
    ...more,
  });
  running.push(inlet);
  return inlet;
}

const whoIs = ({ url }: Inlet, token: string) =>
  createClient({ url, token }).call('getCurrentToken', {});

/** Throws when no such process is alive: a signal to pid 0 would reach the process group of the tests. */
function pidOf(inlet: Inlet, part: string): number {
  const [pid] = inlet.alive(part);
  if (pid === undefined) throw new Error(`No process of ${part} is alive.`);
  return pid;
}

async function isGone(inlet: Inlet): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (inlet.alive().length > 0 && Date.now() < deadline) await pause(50);
  expect(inlet.alive()).toEqual([]);
}

describe('npm start', () => {
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    data = await temporaryFolder();
  });
  afterEach(async () => {
    for (const inlet of running.splice(0)) await inlet.destroy();
  });
  afterAll(() => data.remove());
  const ports = () => readFileSync(join(data.path, 'ports.json'), 'utf8');

  test('gets ready, gives a token once, keeps its data, and leaves nothing behind', async () => {
    const first = await start(data.path);
    await first.says('Admin token (shown once)');
    await first.says('To stop');
    expect((await fetch(`${first.opsUrl()}/readyz`)).status).toBe(200);
    const url = first.url();
    const [, api, description] = /API\s+(\S+), described at (\S+)/.exec(first.output()) ?? [];
    expect([api, description]).toEqual([`${url}/v1`, `${url}/docs/api`]);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`${url}/docs/api`)).status).toBe(200);
    const token = first.adminToken() ?? '';
    const administrator = await whoIs(first, token);
    expect(administrator.scopes).toEqual(['admin']);
    const kept = ports();
    first.signal('SIGTERM');
    expect(await first.ended).toBe(0);
    await isGone(first);

    const second = await start(data.path);
    await second.says('To stop');
    await pause(500);
    expect(second.adminToken()).toBeUndefined();
    expect((await whoIs(second, token)).id).toBe(administrator.id);
    expect(ports()).toBe(kept);
    second.signal('SIGINT');
    expect(await second.ended).toBe(0);
    await isGone(second);
  });

  async function restartsWorker(inlet: Inlet): Promise<void> {
    const worker = pidOf(inlet, 'dist/bin/worker.js');
    process.kill(worker, 'SIGKILL');
    await inlet.says(/Worker 1 ended \(SIGKILL\)/);
    const both = [
      'inlet_processes{role="server"} 1',
      'inlet_processes{role="worker"} 1',
      'inlet_process_restarts_total 1',
    ];
    const text = await waitForValue('another worker is counted', async () => {
      const metrics = await (await fetch(`${inlet.opsUrl()}/metrics`)).text();
      const [own, ...more] = inlet.alive('dist/bin/worker.js');
      const isAnother = own !== undefined && own !== worker && more.length === 0;
      const lines = metrics.split('\n');
      return isAnother && both.every((line) => lines.includes(line)) ? metrics : undefined;
    });
    expect(text).toContain('inlet_events_received_total');
    expect(inlet.alive('dist/bin/server.js')).toHaveLength(1);
  }

  async function restartsDatabase(inlet: Inlet): Promise<void> {
    for (const pid of inlet.alive('--dbpath')) process.kill(pid, 'SIGKILL');
    await inlet.says('MongoDB ended by itself; it starts again');
    await pause(1_000);
    await waitForValue('it is ready', async () =>
      (await fetch(`${inlet.opsUrl()}/readyz`)).status === 200 ? true : undefined,
    );
  }

  async function isTakenOver(killed: Inlet): Promise<void> {
    process.kill(pidOf(killed, 'scripts/start.mjs'), 'SIGKILL');
    await killed.ended;
    const next = await start(data.path);
    await next.says('taken over from an earlier run');
    next.signal('SIGTERM');
    await next.ended;
    await isGone(next);
    await isGone(killed);
  }

  test('starts a killed worker and a database that died again; the next run takes over the databases of one that was killed', async () => {
    const inlet = await start(data.path);
    await inlet.says('To stop');
    await restartsWorker(inlet);
    await restartsDatabase(inlet);
    await isTakenOver(inlet);
  });

  test('shows the first token also when a worker does not get ready, because Redis is not there', async () => {
    const own = await temporaryFolder();
    const inlet = await start(own.path, { REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    await inlet.says('Admin token (shown once)');
    inlet.signal('SIGTERM');
    expect(await inlet.ended).toBe(0);
    expect(inlet.output()).not.toContain(readyText);
    await isGone(inlet);
    await own.remove();
  });

  test('says in one sentence that a port is taken, and ends', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const taken = String(address !== null && typeof address === 'object' ? address.port : 0);
    const ops = await start(data.path, { INLET_OPS_PORT: taken });
    expect(await ops.ended).toBe(1);
    expect(ops.output()).toContain(`The operations port 127.0.0.1:${taken} is taken`);
    const server = await start(data.path, { INLET_PORT: taken });
    expect(await server.ended).toBe(78);
    expect(server.output()).toContain(taken);
    expect(server.output()).not.toContain(readyText);
    await isGone(ops);
    await isGone(server);
    other.close();
  });
});
