// Servers behind a real nginx with the configuration of deploy/nginx.
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { waitForValue } from '../../support/processes/client.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { startNginx, type Nginx, type Replacement } from '../../support/services/nginx.ts';
import { createHttpsClient } from '../../support/services/tls-client.ts';

jest.setTimeout(240_000);

type IngressValues = { readonly controller: { readonly config: Readonly<Record<string, string>> } };

const json = { 'content-type': 'application/json' };
const opened: { close(): unknown }[] = [];
let inlet: Deployment;
let ports: [number, number];

beforeAll(async () => {
  inlet = await createDeployment('nginx', { env: { INLET_TRUST_PROXY: '127.0.0.1' } });
  ports = [await freePort(), await freePort()];
  for (const port of ports) await inlet.start('server', { INLET_PORT: String(port) });
});
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
afterAll(() => inlet.close());

async function open(backends: [number, number], replacements?: readonly Replacement[]) {
  const nginx = await startNginx(backends, replacements);
  opened.push(nginx);
  return { nginx, https: createHttpsClient(nginx) };
}

/** A backend that does something else than answering. Resolves to its port, and the connections so far. */
async function startBroken(behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return { port: (server.address() as AddressInfo).port, connections: () => sockets.size };
}

const lead = (id: string) =>
  JSON.stringify({ id, text: 'hello', lead: { id, name: `Person ${id}` } });

const post = (path: string, body: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n${more}` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

test('events pass over TLS, a dead server is passed over, and no event is there twice', async () => {
  const { id, key } = await inlet.client.addActiveWebhook(leadMapping);
  const { nginx, https } = await open([await freePort(), ports[0]]);
  for (let n = 0; n < 12; n += 1) {
    const answer = await https.send(`/v1/webhook/${key}`, {
      method: 'POST',
      headers: json,
      body: lead(`pass-${n}`),
    });
    expect([answer.status, JSON.parse(answer.text).data]).toMatchObject([
      200,
      { duplicate: false },
    ]);
  }
  expect(await inlet.db.collection('events').countDocuments({ webhookId: id })).toBe(12);
  await nginx.access(11);
  const lines = await nginx.accesses();
  expect(
    lines.filter(({ upstreamStatus }) => upstreamStatus === '502, 200').length,
  ).toBeGreaterThan(0);
});

test('a POST that a server has read is not sent to another one', async () => {
  const { id, key } = await inlet.client.addActiveWebhook(leadMapping);
  const broken = await startBroken((socket) => socket.once('data', () => socket.destroy()));
  const { https } = await open([broken.port, ports[0]]);
  const statuses: number[] = [];
  // The broken server gets every second request, until nginx leaves it out for two seconds.
  while (broken.connections() === 0 || statuses.length < 6) {
    const body = lead(`once-${statuses.length}`);
    const sent = await https.send(`/v1/webhook/${key}`, { method: 'POST', headers: json, body });
    statuses.push(sent.status);
    if (sent.status === 503) expect(sent.headers['retry-after']).toBe('5');
  }
  const accepted = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status === 503)).toHaveLength(broken.connections());
  expect(await inlet.db.collection('events').countDocuments({ webhookId: id })).toBe(accepted);
});

test('without any server, senders get 503 with Retry-After and the envelope', async () => {
  const { https } = await open([await freePort(), await freePort()]);
  const answer = await https.send('/v1/webhook/any', { method: 'POST', body: '{}' });
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  expect(JSON.parse(answer.text)).toMatchObject({
    status: false,
    data: { success: false, code: 'unavailable' },
  });
});

test('the operations port is not there', async () => {
  const { nginx, https } = await open(ports);
  for (const path of ['/metrics', '/healthz', '/readyz', '/readyz?scope=self']) {
    expect([path, (await https.send(path)).status]).toEqual([path, 404]);
  }
  await nginx.access(3);
  expect((await nginx.accesses()).map(({ upstream }) => upstream)).toEqual(['', '', '', '']);
});

test('bodies have the limits of Inlet, which shows what it refuses, and nginx has one beyond', async () => {
  const { id, key } = await inlet.client.addActiveWebhook(leadMapping);
  const { nginx, https } = await open(ports);
  const send = async (bytes: number) => {
    const body = JSON.stringify({ text: 'x'.repeat(bytes) });
    const answer = await https.send(`/v1/webhook/${key}`, { method: 'POST', headers: json, body });
    return answer.status;
  };
  expect(await send(1_000_000)).toBe(200);
  expect(await send(1_100_000)).toBe(413);
  expect(await nginx.access(1)).toMatchObject({ status: '413', upstreamStatus: '413' });
  expect(await send(2_200_000)).toBe(413);
  expect(await nginx.access(2)).toMatchObject({ status: '413', upstream: '' });
  const rejections = await waitForValue('the rejection is stored', async () => {
    const found = await inlet.db.collection('rejections').find({ webhookId: id }).toArray();
    return found.length > 0 ? found : undefined;
  });
  expect(rejections).toHaveLength(1);
});

test('allowlists see the address of the client, whatever it says of itself', async () => {
  const { id, key } = await inlet.client.addActiveWebhook(leadMapping);
  await inlet.client.call('updateWebhookSettings', {
    params: { id },
    body: { allowlist: ['127.0.0.5/32'] },
  });
  const { https } = await open(ports);
  const send = async (from: string, headers: Readonly<Record<string, string>> = {}) => {
    const terms = { method: 'POST', headers: { ...json, ...headers }, body: lead(from), from };
    return (await https.send(`/v1/webhook/${key}`, terms)).status;
  };
  // Servers cache the settings of a webhook for a moment.
  await waitForValue('others are refused', async () =>
    (await send('127.0.0.6')) === 403 ? true : undefined,
  );
  expect(await send('127.0.0.5')).toBe(200);
  const claim = { 'x-forwarded-for': '127.0.0.5', forwarded: 'for=127.0.0.5' };
  expect(await send('127.0.0.6', claim)).toBe(403);
});

test('the URL of a new webhook is the one that nginx serves', async () => {
  const { nginx, https } = await open(ports);
  const headers = { ...json, keyapi: adminToken };
  const { channelId } = await inlet.client.addWebhook();
  const body = JSON.stringify({ name: 'Of nginx', channelId });
  const answer = await https.send('/v1/admin/webhooks', { method: 'POST', headers, body });
  expect(JSON.parse(answer.text).data.url).toMatch(new RegExp(`^${nginx.url}/v1/webhook/`));
});

test('live events flow while the stream is open', async () => {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const { https } = await open(ports);
  const stream = https.stream('/v1/admin/events/live', { keyapi: adminToken });
  opened.push(stream);
  await waitForValue('the stream is open', () => (stream.text().length > 0 ? true : undefined));
  const answer = await https.send(`/v1/webhook/${key}`, {
    method: 'POST',
    headers: json,
    body: lead('live'),
  });
  const { eventId } = JSON.parse(answer.text).data as { eventId: string };
  await waitForValue('the event is in the stream', () =>
    stream.text().includes(eventId) ? true : undefined,
  );
});

describe('the key', () => {
  const key = 'inlet_wk_canary0123456789canary0123456789canary01';
  const paths = [
    `/v1/webhook/${key}`,
    `/v1/webhook/${key}/receipts/evt_1`,
    `/v1/webhook/${key}?token=${key}`,
    `//v1/webhook/${key}`,
    `/V1/WebHook/${key}`,
    `/${key}`,
  ];
  const quick: Replacement[] = [
    ['proxy_read_timeout 60s', 'proxy_read_timeout 1s'],
    ['client_body_timeout 10s', 'client_body_timeout 2s'],
    ['client_header_timeout 10s', 'client_header_timeout 2s'],
    ['keepalive_timeout 65s', 'keepalive_timeout 0'],
  ];
  const large = 'x'.repeat(2_200_000);

  type Client = Awaited<ReturnType<typeof open>>['https'];

  const requestsFor = (path: string): string[] => [
    post(path, '{}'),
    post(path, large),
    post(path, '{}', `Referer: https://localhost${path}\r\n`),
    `GET ${path} HTTP/1.0\r\n\r\n`,
    `GET https://localhost${path} HTTP/1.1\r\nHost: a b\r\n\r\n`,
    `${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET ${path} HTTP/9.9\r\nHost: localhost\r\n\r\n`,
    `GET ${path}%zz HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\nNot a header\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    `GET ${path}${'z'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `${post(path, '', 'Transfer-Encoding: chunked\r\n')}not a size\r\n`,
  ];
  /** These wait for a time limit: of a header, and of a body. */
  const slowRequestsFor = (path: string): string[] => [
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n`,
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{`,
  ];

  /** Whatever makes nginx write into its error log. A few at a time: the time limit of a header includes the handshake of TLS. */
  async function provoke(https: Client): Promise<void> {
    for (const path of paths)
      await Promise.all([
        ...requestsFor(path).map((bytes) => https.raw(bytes)),
        https.abort(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{`),
        https.abort(post(path, '{}')),
      ]);
    await Promise.all(paths.flatMap(slowRequestsFor).map((bytes) => https.raw(bytes)));
  }

  /** A request in clear text to the port of TLS. */
  const speakPlainly = ({ port }: Nginx) =>
    fetch(`http://127.0.0.1:${port}/v1/webhook/${key}`, { method: 'POST', body: '{}' });

  const backends: readonly (readonly [string, () => Promise<[number, number]>])[] = [
    ['nobody listens', async () => [await freePort(), await freePort()]],
    ['Inlet answers', async () => ports],
    [
      'servers hang up or send no HTTP',
      async () => [
        (await startBroken((socket) => socket.once('data', () => socket.destroy()))).port,
        (await startBroken((socket) => socket.end('no http\r\n\r\n'))).port,
      ],
    ],
    [
      'servers never answer',
      async () => [(await startBroken(() => {})).port, (await startBroken(() => {})).port],
    ],
  ];

  test.each(backends)('is in no file when %s', async (_name, listen) => {
    const { nginx, https } = await open(await listen(), quick);
    await provoke(https);
    await speakPlainly(nginx);
    await waitForValue('each refusal is in the access log', async () => {
      const statuses = new Set((await nginx.accesses()).map(({ status }) => status));
      return ['400', '408', '413', '414'].every((status) => statuses.has(status)) || undefined;
    });
    expect(await nginx.written()).not.toContain(key);
  });

  /** The directives that ingress-nginx writes for its settings. */
  function ingressLogs(errorLevel?: string): Replacement[] {
    const file = join(repository, 'deploy/kubernetes/ingress/nginx-values.yaml');
    const { config } = (parse(readFileSync(file, 'utf8')) as IngressValues).controller;
    const escape = config['log-format-escape-json'] === 'true' ? 'escape=json' : '';
    const format = `log_format ingress ${escape} '${config['log-format-upstream']}';\n`;
    const level = errorLevel ?? config['error-log-level'];
    return [
      ['log_format inlet ', `${format}log_format inlet `],
      ['access.log inlet;', 'access.log ingress;'],
      ['error_log /dev/null emerg;', `error_log /var/log/nginx/error.log ${level};`],
    ];
  }

  test.each(backends)('is in no log of an ingress controller when %s', async (_name, listen) => {
    const { nginx, https } = await open(await listen(), [...quick, ...ingressLogs()]);
    await provoke(https);
    await waitForValue('each refusal is in the access log', async () => {
      const statuses = new Set((await nginx.accesses()).map(({ status }) => status));
      return ['400', '408', '413', '414'].every((status) => statuses.has(status)) || undefined;
    });
    expect(await nginx.written()).not.toContain(key);
  });

  test('would be in the error log of an ingress controller with its default level', async () => {
    const backend: [number, number] = [await freePort(), ports[0]];
    const { nginx, https } = await open(backend, [...quick, ...ingressLogs('notice')]);
    await provoke(https);
    expect(await nginx.written()).toContain(key);
  });

  test('would be in the error log of nginx without the line that says so', async () => {
    const logged: Replacement = [
      'error_log /dev/null emerg;',
      'error_log /var/log/nginx/error.log info;',
    ];
    const { nginx, https } = await open([await freePort(), ports[0]], [...quick, logged]);
    await provoke(https);
    const lines = (await nginx.written()).split('\n').filter((line) => line.includes(key));
    for (const cause of ['Connection refused', 'too large body', 'invalid', 'timed out']) {
      expect([cause, lines.some((line) => line.includes(cause))]).toEqual([cause, true]);
    }
  });
});
