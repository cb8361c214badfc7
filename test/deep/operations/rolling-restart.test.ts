// A rolling restart of two servers and two workers behind a real load balancer, while senders post.
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment, type RoleName } from '../../support/processes/roles.ts';
import { startBalancer } from '../../support/services/balancer.ts';
import { leadMapping } from '../../support/context/test-context.ts';

jest.setTimeout(240_000);

let inlet: Deployment;
let balancer: Awaited<ReturnType<typeof startBalancer>>;
const environments: NodeJS.ProcessEnv[] = [];
const running: Record<RoleName, Awaited<ReturnType<Deployment['start']>>[]> = {
  server: [],
  worker: [],
};

beforeAll(async () => {
  // The balancer needs two failed checks, which take their time on a busy machine.
  const env = { INLET_DRAIN_DELAY_MS: '12000' };
  inlet = await createDeployment('rolling', { env });
  for (let n = 0; n < 2; n += 1) {
    const [port, opsPort] = [await freePort(), await freePort()];
    environments.push({ INLET_PORT: String(port), INLET_OPS_PORT: String(opsPort) });
    running.server.push(await inlet.start('server', environments[n]));
    running.worker.push(await inlet.start('worker'));
  }
  balancer = await startBalancer(
    environments.map(({ INLET_PORT: port, INLET_OPS_PORT: opsPort }) => ({
      port: Number(port),
      opsPort: Number(opsPort),
    })),
  );
});
afterAll(async () => {
  await balancer.close();
  await inlet.close();
});

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

/** Without pauses the senders would take the processors from what they restart. */
const betweenMs = 200;

/** Posts events, one after the other for each sender, until it is stopped. */
function startSenders(key: string, senders: number) {
  const answers: { readonly status: number | string; readonly eventId?: string }[] = [];
  let isStopped = false;
  async function send(sender: number): Promise<void> {
    for (let n = 0; !isStopped; n += 1) {
      const body = JSON.stringify({
        id: `roll-${sender}-${n}`,
        text: 'hello',
        lead: { id: `${sender}-${n}`, name: `Person ${sender} ${n}` },
      });
      const headers = { 'content-type': 'application/json' };
      try {
        const response = await fetch(`${balancer.url}/v1/webhook/${key}`, {
          method: 'POST',
          headers,
          body,
        });
        const { data } = (await response.json()) as { data: { eventId?: string } };
        answers.push({ status: response.status, ...data });
      } catch (error) {
        answers.push({ status: String(error) });
      }
      await pause(betweenMs);
    }
  }
  const done = Promise.all(Array.from({ length: senders }, (_, at) => send(at)));
  return {
    answers,
    stop: async () => {
      isStopped = true;
      await done;
    },
  };
}

test('no request is answered by other than 2xx, and no acknowledged event is lost or acts twice', async () => {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  for (const n of [0, 1]) await balancer.waitUntil(n, 'UP');
  const senders = startSenders(key, 4);
  const count = () => senders.answers.length;
  await waitForValue('events arrive', () => Promise.resolve(count() > 20 || undefined));
  for (const n of [0, 1]) {
    const [server, worker] = [running.server[n], running.worker[n]];
    expect(await server?.stop()).toBe(0);
    running.server[n] = await inlet.start('server', environments[n]);
    expect(await worker?.stop()).toBe(0);
    running.worker[n] = await inlet.start('worker');
    // The balancer takes the server in again before the other one leaves.
    await balancer.waitUntil(n, 'UP');
    const before = count();
    await waitForValue('events arrive', () => Promise.resolve(count() > before + 20 || undefined));
  }
  await senders.stop();
  const { answers } = senders;
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const ids = answers.flatMap(({ eventId }) => eventId ?? []);
  expect(ids).toHaveLength(answers.length);
  const events = inlet.db.collection<{ _id: string; state: string }>('events');
  const isDone = () => events.countDocuments({ _id: { $in: ids }, state: 'done' });
  await waitForValue('all are done', async () =>
    (await isDone()) === ids.length ? true : undefined,
  );
  const messages = inlet.db.collection<{ _id: string }>('messages');
  expect(await messages.countDocuments({ _id: { $in: ids } })).toBe(ids.length);
});

test('a server that drains is not ready at once, and serves on until its delay has passed', async () => {
  const [port, opsPort] = [await freePort(), await freePort()];
  const server = await inlet.start('server', {
    INLET_PORT: String(port),
    INLET_OPS_PORT: String(opsPort),
    // This process asks several times before it has passed.
    INLET_DRAIN_DELAY_MS: '12000',
  });
  const ops = `http://127.0.0.1:${opsPort}`;
  for (const end of ['?scope=self', ''])
    await waitForValue(`/readyz${end} is 200`, async () =>
      (await statusOf(`${ops}/readyz${end}`)) === 200 ? true : undefined,
    );
  server.signal('SIGTERM');
  await waitForValue('it is not ready', async () =>
    (await statusOf(`${ops}/readyz?scope=self`)) === 503 ? true : undefined,
  );
  expect(await statusOf(`${ops}/readyz`)).toBe(503);
  expect(await statusOf(`${ops}/healthz`)).toBe(200);
  const served = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`);
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  await served.arrayBuffer();
  expect(await server.ended).toBe(0);
});
