// A server with two receivers on one port: they share the load, and one may end while senders post.
import { Agent, request } from 'node:http';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { leadMapping } from '../../support/context/test-context.ts';
import { waitForValue, type Webhook } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';

jest.setTimeout(240_000);

type Server = Awaited<ReturnType<Deployment['start']>>;

let inlet: Deployment;
let server: Server;
let webhook: Webhook;
let accepted = 0;

beforeAll(async () => {
  inlet = await createDeployment('several_receivers', {
    env: { INLET_SERVERS: '2', INLET_DRAIN_DELAY_MS: '1500' },
  });
  server = await inlet.start('server');
  await waitForValue(
    'two receivers are ready',
    async () => (await readyReceivers()) === 2 || undefined,
  );
  webhook = await inlet.client.addActiveWebhook(leadMapping);
});
afterAll(() => inlet.close());

type Line = { readonly msg: string; readonly role: string; readonly pid: number };

const linesOf = (output: string): Line[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as Line) : []));

/** The process ids of the receivers, in the order in which they started. */
const receiverPids = () =>
  linesOf(server.output()).flatMap(({ msg, role, pid }) =>
    msg === 'server.ready' && role === 'server' ? pid : [],
  );

async function metric(series: string): Promise<number> {
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1));
}
const readyReceivers = () => metric('inlet_receivers{state="ready"}');
const received = () => metric('inlet_events_received_total{mode="event"}');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const isDraining = (one: number): boolean =>
  linesOf(server.output()).some(({ msg, pid }) => msg === 'process.draining' && pid === one);

type Answered = { readonly status: number; readonly eventId: string };

/** Between the header and the body. Without it the senders would take the processors from what they wait for. */
const bodyAfterMs = 15;

/** Posts on the sender's own connection: one of a pool may be closed while it is idle, which no server can tell in time. */
function postAs(agent: Agent, id: string): Promise<Answered> {
  const path = new URL(`/v1/webhook/${webhook.key}`, server.url);
  const body = JSON.stringify({ id, lead: { id, name: id } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(path, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { data } = JSON.parse(text) as { data: { eventId: string } };
        resolve({ status: response.statusCode ?? 0, eventId: data.eventId });
      });
    });
    sent.on('error', reject);
    // A sender that is never answered must fail the test.
    const unanswered = Object.assign(new Error('no answer'), { code: 'NO_ANSWER' });
    sent.setTimeout(30_000, () => sent.destroy(unanswered));
    sent.flushHeaders();
    const ending = setTimeout(() => sent.end(body), bodyAfterMs);
    sent.on('close', () => clearTimeout(ending));
  });
}

/** Posts events until it is stopped, one after the other for each sender, without a time in which its connection is idle. */
function startSenders(senders: number, { keepAlive = true } = {}) {
  const ids: string[] = [];
  const failures: string[] = [];
  let isStopped = false;
  async function post(agent: Agent, id: string): Promise<void> {
    try {
      const { status, eventId } = await postAs(agent, id);
      if (status === 200) ids.push(eventId);
      else failures.push(`${status}`);
    } catch (error) {
      failures.push((error as { code?: string }).code ?? String(error));
    }
  }
  const mark = `${performance.now()}`;
  const done = Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const agent = new Agent({ keepAlive, maxSockets: 1 });
      for (let n = 0; !isStopped; n += 1) await post(agent, `${mark}-${sender}-${n}`);
      agent.destroy();
    }),
  );
  const grown = (more: number) => {
    const wanted = ids.length + more;
    return waitForValue('events arrive', () => ids.length >= wanted || undefined);
  };
  return {
    grown,
    /** Resolves to the ids of the acknowledged events, and to what else the senders saw. */
    async stop() {
      isStopped = true;
      await done;
      accepted += ids.length;
      return { ids, failures };
    },
  };
}

const storedOf = (ids: readonly string[]) =>
  inlet.db.collection<{ _id: string }>('events').countDocuments({ _id: { $in: [...ids] } });

test('both receivers take requests, and the metrics show the sum', async () => {
  const senders = startSenders(8, { keepAlive: false });
  await senders.grown(200);
  const { ids, failures } = await senders.stop();
  expect(failures).toEqual([]);
  expect(await storedOf(ids)).toBe(ids.length);
  const pids = linesOf(server.output()).flatMap(({ msg, pid }) =>
    msg === 'event.received' ? pid : [],
  );
  expect(new Set(pids)).toEqual(new Set(receiverPids()));
  await waitForValue('both answer for the sum', async () =>
    (await received()) === accepted ? true : undefined,
  );
  expect(await metric('inlet_limit{of="in_flight"}')).toBe(4_000);
  const openMetrics = await fetch(`${server.opsUrl}/metrics`, {
    headers: { accept: 'application/openmetrics-text' },
  });
  expect(await openMetrics.text()).toContain(
    `inlet_events_received_total{mode="event"} ${accepted}`,
  );
});

test('a receiver that is killed under load loses no acknowledged event, and the port stays open', async () => {
  const [killed = 0, other = 0] = receiverPids();
  const before = await received();
  const senders = startSenders(8);
  await senders.grown(100);
  process.kill(killed, 'SIGKILL');
  await senders.grown(100);
  expect(isRunning(other)).toBe(true);
  expect(await received()).toBeGreaterThanOrEqual(before);
  await waitForValue('it is ready', async () =>
    (await fetch(`${server.opsUrl}/readyz`)).status === 200 ? true : undefined,
  );
  await waitForValue(
    'it is started again',
    async () => (await readyReceivers()) === 2 || undefined,
  );
  const { ids, failures } = await senders.stop();
  expect(await storedOf(ids)).toBe(ids.length);
  // Connections of the killed receiver break. No new one is refused.
  expect(failures.filter((failure) => !['ECONNRESET', 'EPIPE'].includes(failure))).toEqual([]);
  expect(failures.length).toBeLessThanOrEqual(8);
  expect(await metric('inlet_receiver_restarts_total')).toBe(1);
  expect(linesOf(server.output())).toContainEqual(
    expect.objectContaining({ msg: 'receiver.ended', receiver: killed, signal: 'SIGKILL' }),
  );
});

test('receivers that are restarted one after the other answer every request', async () => {
  const senders = startSenders(4);
  for (const pid of receiverPids().slice(-2)) {
    await senders.grown(50);
    process.kill(pid, 'SIGTERM');
    // Read from the log: its end may come before the next look at the metrics.
    await waitForValue('it drains', () => isDraining(pid) || undefined);
    expect((await fetch(`${server.opsUrl}/readyz?scope=self`)).status).toBe(200);
    await waitForValue('it has ended', () => !isRunning(pid) || undefined);
    await waitForValue(
      'it is started again',
      async () => (await readyReceivers()) === 2 || undefined,
    );
  }
  await senders.grown(50);
  const { ids, failures } = await senders.stop();
  expect(failures).toEqual([]);
  expect(await storedOf(ids)).toBe(ids.length);
});

test('a signal to the server drains all receivers', async () => {
  await server.kill();
  // The senders of this process must have stopped before the port closes.
  server = await inlet.start('server', { INLET_DRAIN_DELAY_MS: '15000' });
  await waitForValue(
    'two receivers are ready',
    async () => (await readyReceivers()) === 2 || undefined,
  );
  const pids = receiverPids().slice(-2);
  const senders = startSenders(4);
  await senders.grown(20);
  server.signal('SIGTERM');
  await waitForValue('it is not ready', async () =>
    (await fetch(`${server.opsUrl}/readyz`)).status === 503 ? true : undefined,
  );
  const { ids, failures } = await senders.stop();
  expect(failures).toEqual([]);
  expect(await server.ended).toBe(0);
  expect(pids.map(isRunning)).toEqual([false, false]);
  expect(await storedOf(ids)).toBe(ids.length);
});

test('a start that fails ends the server with the exit code of the receiver', async () => {
  const taken = await inlet.start('server', { INLET_SERVERS: '1' });
  const { port } = new URL(taken.url ?? '');
  const refused = inlet.launch('server', { INLET_PORT: port });
  expect(await refused.ended).toBe(78);
  expect(refused.output()).toContain('another program uses it');
  await taken.kill();
});

test('receivers end when their server is killed', async () => {
  server = await inlet.start('server', { INLET_PORT: String(await freePort()) });
  await waitForValue(
    'two receivers are ready',
    async () => (await readyReceivers()) === 2 || undefined,
  );
  const pids = receiverPids();
  server.signal('SIGKILL');
  await waitForValue('they have ended', () => pids.every((pid) => !isRunning(pid)) || undefined);
  expect(linesOf(server.output())).toContainEqual(
    expect.objectContaining({ msg: 'process.draining', reason: 'disconnect' }),
  );
});
