// Overload: which requests are rejected, when, and that they leave nothing in memory.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '../../../src/base/ids.ts';
import { aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment } from '../../support/processes/roles.ts';
import { startMongo } from '../../support/services/services.ts';
import { leadMapping } from '../../support/context/test-context.ts';

const mebibyte = 1_048_576;

describe('admission limits', () => {
  let api: TestApi;
  let path: string;
  let otherPath: string;
  const sockets: Socket[] = [];

  let lookUp = (run: () => Promise<unknown>, _pipeline: string) => run();
  beforeAll(async () => {
    // No lookup waits for too long.
    const clock = { now: () => new Date(), elapsedMs: () => 1 };
    api = await createTestApi('overload', {
      clock,
      maxInFlight: 6,
      maxPendingBytes: 1_000,
      around: (name, run, given) =>
        name === 'keys.aggregate' ? lookUp(run, JSON.stringify(given)) : run(),
    });
    path = `/v1/webhook/${(await aWebhook(api)).key}`;
    otherPath = `/v1/webhook/${(await aWebhook(api)).key}`;
    // A key that was valid before never waits.
    await fetch(`${api.url}${path}`, { method: 'POST', body: '{}' });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitForValue('nothing is in flight', async () =>
      (await inFlight()) === '0 0' ? true : undefined,
    );
  });
  afterAll(() => api.close());

  const inFlight = async () => {
    const { metrics } = api;
    const [requests, bytes] = await Promise.all([
      metrics.inFlight.get(),
      metrics.pendingBytes.get(),
    ]);
    return `${requests.values[0]?.value ?? 0} ${bytes.values[0]?.value ?? 0}`;
  };

  /** Writes the head and a part of the body. */
  async function begin(head: string, part = ''): Promise<Socket> {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const type = 'Content-Type: application/json';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${type}\r\n${head}\r\n\r\n${part}`);
    return socket;
  }
  const reads = async (socket: Socket) => String((await once(socket, 'data'))[0]);
  const expectInFlight = (what: string) =>
    waitForValue(what, async () => ((await inFlight()) === what ? true : undefined));

  test('one request beyond the share of its webhook is rejected at once, without waiting for its body', async () => {
    for (const _ of [1, 2, 3]) await begin('Content-Length: 100', '{');
    await expectInFlight('3 3');
    const socket = await begin('Content-Length: 100', '{');
    const answer = await reads(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^Retry-After: [1-9]/m);
    expect(answer).toMatch(/^Connection: close/m);
    expect(answer).toContain('"code":"overloaded"');
  });

  test('slow uploads of one webhook leave places and bytes to the others', async () => {
    for (const _ of [1, 2, 3]) await begin('Content-Length: 300', '{');
    await expectInFlight('3 3');
    const post = () => fetch(`${api.url}${otherPath}`, { method: 'POST', body: '{"n":1}' });
    for (const _ of [1, 2, 3]) expect((await post()).status).toBe(200);
  });

  test('a Content-Length beyond the free bytes is rejected before the body arrives', async () => {
    await begin('Content-Length: 900', '{'.repeat(400));
    await expectInFlight('1 400');
    expect(await reads(await begin('Content-Length: 301'))).toMatch(/^HTTP\/1\.1 503 /);
    await expectInFlight('1 400');
  });

  test('a chunked body is rejected when it exceeds the free bytes', async () => {
    await begin('Content-Length: 900', '{'.repeat(400));
    await expectInFlight('1 400');
    const socket = await begin('Transfer-Encoding: chunked', `32\r\n${'x'.repeat(50)}\r\n`);
    await expectInFlight('2 450');
    socket.write(`64\r\n${'x'.repeat(100)}\r\n`);
    expect(await reads(socket)).toMatch(/^HTTP\/1\.1 503 /);
    await expectInFlight('1 400');
  });

  test('unknown keys take no admission slot, however long their lookup takes', async () => {
    const good = sha256(path.split('/').at(-1) ?? '');
    let statements = 0;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const post = (to: string) => fetch(`${api.url}${to}`, { method: 'POST', body: '{}' });
    try {
      lookUp = async (run, given) => {
        if (!given.includes(good)) {
          statements += 1;
          await answered;
        }
        return run();
      };
      const unknownKeys = Array.from({ length: 40 }, (_, n) => post(`/v1/webhook/unknown-${n}`));
      await waitForValue('they are being looked up', () => (statements === 2 ? true : undefined));
      expect(await inFlight()).toBe('0 0');
      await begin('Content-Length: 100', '{');
      await expectInFlight('1 1');
      answer();
      const statuses = (await Promise.all(unknownKeys)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([401]));
      expect(statements).toBeLessThan(10);
    } finally {
      answer();
      lookUp = (run) => run();
    }
  });

  test('a client that keeps sending after a rejection is disconnected', async () => {
    const socket = await begin('Content-Length: 1001');
    expect(await reads(socket)).toMatch(/^HTTP\/1\.1 503 /);
    await once(socket, 'close');
  });

  test('a client that disconnects releases its slot and bytes', async () => {
    const socket = await begin('Content-Length: 900', '{');
    await expectInFlight('1 1');
    socket.destroy();
    await expectInFlight('0 0');
  });
});

test('a webhook that sends more bytes than its rate is rejected before its body is read, others are not', async () => {
  const clock = { now: () => new Date(), elapsedMs: () => 1 };
  const api = await createTestApi('byte_rate', { clock });
  try {
    const [heavy, other] = [await aWebhook(api), await aWebhook(api)];
    // Bodies without a signature take no time to decode, which is limited too.
    const signature = { scheme: 'github', secrets: ['secret'] };
    for (const { path } of [heavy, other])
      expect((await api.ask('PATCH', `${path}/settings`, { body: { signature } })).status).toBe(
        200,
      );
    const raw = 'x'.repeat(mebibyte);
    const post = ({ key }: { key: string }) =>
      api.ask('POST', `/v1/webhook/${key}`, { token: null, raw });
    const codes = [];
    for (let n = 0; n < 130; n += 1) codes.push((await post(heavy)).body.data.code);
    expect(new Set(codes.slice(0, 129))).toEqual(new Set(['invalid_signature']));
    expect(codes[129]).toBe('rate_limited');
    const answer = await post(heavy);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await post(other)).status).toBe(401);
  } finally {
    await api.close();
  }
});

/** Between a rejection and the next request of a sender: 150 of them still send far more than MongoDB stores. */
const retryMs = 50;

/** Posts bodies of 100 kB over this many connections until it is stopped. */
async function flood(send: (id: string) => Promise<{ status: number; hasTime: boolean }>) {
  const stored: string[] = [];
  const answers: { status: number; hasTime: boolean }[] = [];
  let isOver = false;
  const senders = Array.from({ length: 150 }, async (_, sender) => {
    for (let n = 0; !isOver; n += 1) {
      const id = `${sender}-${n}`;
      const answer = await send(id);
      answers.push(answer);
      if (answer.status === 200) stored.push(id);
      else await pause(retryMs);
    }
  });
  return {
    stored,
    answers,
    stop: async () => {
      isOver = true;
      await Promise.all(senders);
    },
  };
}

test('a flood ten times faster than MongoDB keeps memory flat; each request is stored or rejected with Retry-After', async () => {
  const mongo = await startMongo();
  const env = { MONGODB_URL: mongo.url, INLET_MAX_PENDING_BYTES: String(8 * mebibyte) };
  const inlet = await createDeployment('flood', { env });
  try {
    const { opsUrl } = await inlet.start('server');
    const { key } = await inlet.client.addActiveWebhook(leadMapping);
    const rest = 'x'.repeat(100_000);
    const send = async (id: string) => {
      const { status, headers } = await inlet.client.deliver(key, { id, rest });
      return { status, hasTime: Number(headers.get('retry-after')) > 0 };
    };
    const series = async (name: string) => {
      const text = await (await fetch(`${opsUrl}/metrics`)).text();
      return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1]);
    };
    const before = await series('process_resident_memory_bytes');
    await mongo.fail({ failCommands: ['insert'], blockConnection: true, blockTimeMS: 500 });
    const { stored, answers, stop } = await flood(send);
    let [most, pending] = [0, 0];
    await waitForValue('many were answered', async () => {
      most = Math.max(most, await series('process_resident_memory_bytes'));
      pending = Math.max(pending, await series('inlet_receiving_pending_bytes'));
      return answers.length > 1_500 && stored.length > 100 ? true : undefined;
    });
    await stop();
    await mongo.heal();
    const rejected = answers.filter(({ status }) => status !== 200);
    expect(rejected.filter(({ status, hasTime }) => status !== 503 || !hasTime)).toEqual([]);
    expect(rejected.length).toBeGreaterThan(100);
    const there = await inlet.db.collection('events').distinct('externalId');
    expect(stored.filter((id) => !there.includes(id))).toEqual([]);
    // One webhook takes at most half.
    expect(pending).toBeGreaterThan(2 * mebibyte);
    expect(pending).toBeLessThanOrEqual(4 * mebibyte);
    expect(most - before).toBeLessThan(32 * 8 * mebibyte);
    await waitForValue('nothing is pending', async () =>
      (await series('inlet_receiving_pending_bytes')) === 0 ? true : undefined,
    );
  } finally {
    await inlet.close();
    await mongo.close();
  }
});
