// Overload: which requests are rejected, when, and that they leave nothing in memory.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sha256 } from '../../../src/base/ids.ts';
import { aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { until } from '../../support/processes/client.ts';
import { createDeployment } from '../../support/processes/roles.ts';
import { startMongo } from '../../support/services/services.ts';
import { leadMapping } from '../../support/context/test-context.ts';

const mebibyte = 1_048_576;

describe('admission limits', () => {
  let api: TestApi;
  let path: string;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    api = await createTestApi('overload', { maxInFlight: 3, maxPendingBytes: 1_000 });
    path = `/v1/webhook/${(await aWebhook(api)).key}`;
    // A key that was valid before never waits.
    await fetch(`${api.url}${path}`, { method: 'POST', body: '{}' });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await until('nothing is in flight', async () =>
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
    until(what, async () => ((await inFlight()) === what ? true : undefined));

  test('one request beyond the limit in flight is rejected at once, without waiting for its body', async () => {
    for (const _ of [1, 2, 3]) await begin('Content-Length: 100', '{');
    await expectInFlight('3 300');
    const socket = await begin('Content-Length: 100', '{');
    const answer = await reads(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^Retry-After: [1-9]/m);
    expect(answer).toMatch(/^Connection: close/m);
    expect(answer).toContain('"code":"overloaded"');
  });

  test('a Content-Length beyond the free bytes is rejected before the body arrives', async () => {
    await begin('Content-Length: 900', '{');
    await expectInFlight('1 900');
    expect(await reads(await begin('Content-Length: 101'))).toMatch(/^HTTP\/1\.1 503 /);
    await expectInFlight('1 900');
  });

  test('a chunked body is rejected when it exceeds the free bytes', async () => {
    await begin('Content-Length: 900', '{');
    await expectInFlight('1 900');
    const socket = await begin('Transfer-Encoding: chunked', `32\r\n${'x'.repeat(50)}\r\n`);
    await expectInFlight('2 950');
    socket.write(`64\r\n${'x'.repeat(100)}\r\n`);
    expect(await reads(socket)).toMatch(/^HTTP\/1\.1 503 /);
    await expectInFlight('1 900');
  });

  test('unknown keys take no admission slot, however long their lookup takes', async () => {
    const { webhooks } = api.stores;
    const usual = { ...webhooks };
    const good = sha256(path.split('/').at(-1) ?? '');
    let asked = 0;
    let answer: (found: null) => void = () => undefined;
    const later = new Promise<null>((resolve) => (answer = resolve));
    const post = (to: string) => fetch(`${api.url}${to}`, { method: 'POST', body: '{}' });
    try {
      const look: typeof usual.findByKeyHash = (hash, now) => {
        asked += hash === good ? 0 : 1;
        return hash === good ? usual.findByKeyHash(hash, now) : later;
      };
      Object.assign(webhooks, { findByKeyHash: look });
      const unknownKeys = Array.from({ length: 40 }, (_, n) => post(`/v1/webhook/unknown-${n}`));
      await until('they are being looked up', () => (asked === 16 ? true : undefined));
      expect(await inFlight()).toBe('0 0');
      await begin('Content-Length: 100', '{');
      await expectInFlight('1 100');
      answer(null);
      const statuses = (await Promise.all(unknownKeys)).map(({ status }) => status);
      expect([new Set(statuses), asked]).toEqual([new Set([401]), 40]);
    } finally {
      answer(null);
      Object.assign(webhooks, usual);
    }
  });

  test('a client that keeps sending after a rejection is disconnected', async () => {
    const socket = await begin('Content-Length: 1001');
    expect(await reads(socket)).toMatch(/^HTTP\/1\.1 503 /);
    await once(socket, 'close');
  });

  test('a client that disconnects releases its slot and bytes', async () => {
    const socket = await begin('Content-Length: 900', '{');
    await expectInFlight('1 900');
    socket.destroy();
    await expectInFlight('0 0');
  });
});

/** Posts bodies of 100 kB over this many connections until it is stopped. */
async function flood(send: (id: string) => Promise<{ status: number; hasTime: boolean }>) {
  const stored: string[] = [];
  const answers: { status: number; hasTime: boolean }[] = [];
  let isOver = false;
  const senders = Array.from({ length: 150 }, async (_, sender) => {
    for (let n = 0; !isOver; n += 1) {
      const id = `${sender}-${n}`;
      const answer = await send(id);
      if (answer.status === 200) stored.push(id);
      answers.push(answer);
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
    await until('many were answered', async () => {
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
    expect(pending).toBeGreaterThan(4 * mebibyte);
    expect(pending).toBeLessThanOrEqual(8 * mebibyte);
    expect(most - before).toBeLessThan(32 * 8 * mebibyte);
    expect(await series('inlet_receiving_pending_bytes')).toBe(0);
  } finally {
    await inlet.close();
    await mongo.close();
  }
});
