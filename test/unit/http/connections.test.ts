// The limits of connections, with real sockets. Only the order of eviction is tested on sockets without a peer.
import { once } from 'node:events';
import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createConnections, type ConnectionLimits } from '../../../src/http/server/connections.ts';
import { listen, type Listening } from '../../../src/http/server/listen.ts';
import {
  getRequest,
  openRawClient,
  waitUntil,
  type RawClient,
} from '../../support/context/raw-client.ts';

type Over = Parameters<typeof listen>[2];
type Asked = { readonly path: string; readonly response: ServerResponse };

let server: Listening | undefined;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.leave();
  await server?.close();
  server = undefined;
});

/** Serves with a handler that keeps its responses, which the test answers. */
async function serve(over: Over = {}, trustProxy: string[] = []) {
  const metrics = createMetrics();
  const asked: Asked[] = [];
  const closed: string[] = [];
  const handler: RequestListener = ({ url: path = '' }, response) => {
    asked.push({ path, response });
    response.once('close', () => closed.push(path));
  };
  const terms = { host: '127.0.0.1', port: 0, metrics, trustProxy };
  const { url } = (server = await listen(handler, terms, { heldCheckInterval: 10, ...over }));
  return {
    asked,
    closed,
    open: async (options?: { isReading: boolean }) => {
      const client = await openRawClient(url, options);
      clients.push(client);
      return client;
    },
    value: async (name: string, reason?: string) => {
      const { values } = (await metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
      const found = values.find(({ labels }) => reason === undefined || labels.reason === reason);
      return found?.value ?? 0;
    },
  };
}

const pathsOf = (asked: readonly Asked[]) => asked.map(({ path }) => path);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);
const pipelined = (count: number) =>
  numbered(count)
    .map((path) => getRequest(path))
    .join('');

describe('pipelined requests', () => {
  test('are handled one after the other, and answered in order', async () => {
    const { asked, open } = await serve();
    const client = await open();
    client.send(pipelined(17));
    for (let n = 0; n < 17; n += 1) {
      await waitUntil('the request is handled', () => asked.length > n);
      expect(pathsOf(asked)).toEqual(numbered(n + 1));
      asked[n]?.response.end(`answer ${n}.`);
    }
    const text = await client.until('answer 16.');
    expect(text.match(/answer \d+/g)).toEqual(
      numbered(17).map((path) => `answer ${path.slice(1)}`),
    );
  });

  test('beyond sixteen waiting close the connection, and none of them was handled', async () => {
    const { asked, closed, open, value } = await serve();
    const client = await open();
    client.send(pipelined(400));
    await client.received();
    await waitUntil('the response is closed', () => closed.length > 0);
    expect([pathsOf(asked), closed]).toEqual([['/0'], ['/0']]);
    expect(await value('inlet_http_connections_closed_total', 'pipelined')).toBe(1);
  });

  test('of a client that leaves are not handled, and the response in progress is closed', async () => {
    const { asked, closed, open, value } = await serve();
    const client = await open();
    client.send(pipelined(10));
    await waitUntil('they are counted', async () => (await value('inlet_http_held_bytes')) > 0);
    client.leave();
    await waitUntil('the response is closed', () => closed.length === 1);
    expect(pathsOf(asked)).toEqual(['/0']);
    await waitUntil('it is counted', async () => (await value('inlet_http_held_bytes')) === 0);
  });

  test('with bodies get their own body', async () => {
    const { asked, open } = await serve();
    const client = await open();
    const post = (body: string) =>
      `POST /${body} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    client.send(['first', 'second', 'third'].map(post).join(''));
    for (let n = 0; n < 3; n += 1) {
      await waitUntil('the request is handled', () => asked.length > n);
      const { path, response } = asked[n] as Asked;
      let body = '';
      for await (const chunk of response.req) body += chunk;
      expect(`/${body}`).toBe(path);
      response.end(`answer ${n}.`);
    }
    await client.until('answer 2.');
  });

  test('that wait are counted as held bytes, and beyond the limit connections are closed', async () => {
    const { asked, open, value } = await serve({ maxHeldBytesOfNetwork: 600_000 });
    const long = `X-Long: ${'x'.repeat(10_000)}`;
    const many = numbered(16)
      .map((path) => getRequest(path, [long]))
      .join('');
    const opened = [await open(), await open(), await open(), await open(), await open()];
    for (const client of opened) client.send(many);
    await waitUntil('connections are closed', () => opened.some(({ state }) => state.isClosed));
    await waitUntil('all have arrived', () => asked.length === 5);
    // Each holds about 15 × 14,000 bytes.
    await waitUntil(
      'the others stay',
      () => opened.filter(({ state }) => state.isClosed).length === 3,
    );
    expect(await value('inlet_http_held_bytes')).toBeLessThanOrEqual(600_000);
    expect(await value('inlet_http_held_bytes')).toBeGreaterThan(300_000);
    expect(await value('inlet_http_connections_closed_total', 'unread')).toBe(3);
  });
});

describe('an answer that is not read', () => {
  // More than the buffers of both ends hold.
  const large = Buffer.alloc(24_000_000);

  test('is dropped with its connection after a time without progress', async () => {
    const { asked, closed, open, value } = await serve({ unreadTimeout: 50 });
    const client = await open({ isReading: false });
    client.send(getRequest('/large'));
    await waitUntil('it is handled', () => asked.length === 1);
    asked[0]?.response.end(large);
    await waitUntil('the response is closed', () => closed.length === 1);
    expect(await value('inlet_http_connections_closed_total', 'unread')).toBe(1);
  });

  test('has its timeout again after Node has set another one', async () => {
    const { asked, open } = await serve();
    const client = await open({ isReading: false });
    client.send(getRequest('/large'));
    await waitUntil('it is handled', () => asked.length === 1);
    const { response } = asked[0] as Asked;
    const { socket } = response.req;
    response.end(large);
    await waitUntil('the timeout is set', () => socket.timeout === 30_000);
    // As Node does with the next request of a kept-alive connection.
    socket.setTimeout(0);
    await waitUntil('the timeout is set again', () => socket.timeout === 30_000);
  });

  test('has no effect on a client that reads it later', async () => {
    const { asked, closed, open, value } = await serve();
    const client = await open({ isReading: false });
    client.send(getRequest('/large') + getRequest('/next'));
    await waitUntil('it is handled', () => asked.length === 1);
    asked[0]?.response.end(large);
    await waitUntil('it is counted', async () => (await value('inlet_http_held_bytes')) > 0);
    expect(pathsOf(asked)).toEqual(['/large']);
    client.read();
    await waitUntil('the next is handled', () => asked.length === 2);
    expect(closed).toEqual(['/large']);
    asked[1]?.response.end('the next answer');
    await client.until('the next answer');
  });

  test('beyond the limit of all closes the connections that have held the most for the longest', async () => {
    const over = { maxHeldBytesOfNetwork: 1_000_000_000, maxHeldBytes: 60_000_000 };
    const { asked, open, value } = await serve(over);
    const first = await open({ isReading: false });
    first.send(getRequest('/first'));
    await waitUntil('it is handled', () => asked.length === 1);
    asked[0]?.response.end(Buffer.alloc(40_000_000));
    await waitUntil('it is counted', async () => (await value('inlet_http_held_bytes')) > 0);
    const second = await open({ isReading: false });
    second.send(getRequest('/second'));
    await waitUntil('it is handled', () => asked.length === 2);
    asked[1]?.response.end(Buffer.alloc(40_000_000));
    await waitUntil('the first is closed', () => asked[0]?.response.destroyed === true);
    expect(asked[1]?.response.destroyed).toBe(false);
  });

  test('of the only client may be larger than the limit', async () => {
    const { asked, open, value } = await serve({ maxHeldBytesOfNetwork: 1, maxHeldBytes: 2 });
    const client = await open({ isReading: false });
    client.send(getRequest('/large'));
    await waitUntil('it is handled', () => asked.length === 1);
    asked[0]?.response.end(Buffer.concat([large, Buffer.from('the end')]));
    await waitUntil('it is counted', async () => (await value('inlet_http_held_bytes')) > 0);
    client.read();
    await client.until('the end');
  });
});

describe('while the server closes', () => {
  test('a connection that was just opened may send its first request, and is closed after the answer', async () => {
    const { asked, open } = await serve({ firstRequestGrace: 600_000 });
    const [used, opened] = [await open(), await open()];
    used.send(getRequest('/used'));
    await waitUntil('it is handled', () => asked.length === 1);
    const closing = server?.close();
    opened.send(getRequest('/first'));
    await waitUntil('it is handled', () => asked.length === 2);
    for (const { path, response } of asked) response.end(path);
    for (const client of [used, opened])
      expect(await client.received()).toMatch(/connection: close/i);
    await closing;
  });
});

describe('beyond the limit of connections', () => {
  const two = { maxConnectionsOfNetwork: 2 };

  test('the oldest without a request makes room', async () => {
    const { asked, open, value } = await serve({ ...two, firstRequestGrace: 0 });
    const used = await open();
    used.send(getRequest('/used'));
    await waitUntil('it is handled', () => asked.length === 1);
    asked[0]?.response.end('used');
    await used.until('used');
    const silent = await open();
    const late = await open();
    late.send(getRequest('/late'));
    await waitUntil('it is handled', () => asked.length === 2);
    await silent.received();
    expect(used.state.isClosed).toBe(false);
    expect(await value('inlet_http_connections_closed_total', 'evicted')).toBe(1);
  });

  test('an idle one makes room before one that was just opened', async () => {
    const { asked, open } = await serve({ ...two, firstRequestGrace: 600_000 });
    const idle = await open();
    idle.send(getRequest('/idle'));
    await waitUntil('it is handled', () => asked.length === 1);
    asked[0]?.response.end('idle');
    await idle.until('idle');
    const opened = [await open(), await open()];
    for (const client of opened) client.send(getRequest('/new'));
    await waitUntil('both are handled', () => asked.length === 3);
    await waitUntil('the idle one is closed', () => idle.state.isClosed);
  });

  test('an idle one makes room, and one with a request in progress does not', async () => {
    const { asked, open, value } = await serve(two);
    const [busy, idle] = [await open(), await open()];
    busy.send(getRequest('/busy'));
    idle.send(getRequest('/idle'));
    await waitUntil('both are handled', () => asked.length === 2);
    asked.find(({ path }) => path === '/idle')?.response.end('idle');
    await idle.until('idle');
    const third = await open();
    third.send(getRequest('/third'));
    await waitUntil('it is handled', () => asked.length === 3);
    await idle.received();
    const fourth = await open();
    await fourth.received();
    expect([busy.state.isClosed, third.state.isClosed]).toEqual([false, false]);
    expect(await value('inlet_http_connections_closed_total', 'rejected')).toBe(1);
  });

  test('one whose answer is not read makes room', async () => {
    const { asked, closed, open } = await serve({ maxConnections: 1 });
    const unread = await open({ isReading: false });
    unread.send(getRequest('/unread'));
    await waitUntil('it is handled', () => asked.length === 1);
    asked[0]?.response.end(Buffer.alloc(24_000_000));
    const next = await open();
    next.send(getRequest('/next'));
    await waitUntil('it is handled', () => asked.length === 2);
    expect(closed).toEqual(['/unread']);
  });

  test('a trusted proxy may have as many as the server', async () => {
    const { asked, open } = await serve(two, ['127.0.0.0/8']);
    const opened = [await open(), await open(), await open()];
    for (const client of opened) client.send(getRequest('/x'));
    await waitUntil('all are handled', () => asked.length === 3);
  });
});

describe('a registry of connections', () => {
  /** Accepts sockets without a peer, at a time that the test sets. */
  function register(over: Partial<ConnectionLimits>) {
    const clock = { nowMs: 10_000 };
    const limits = { maxConnections: 9, maxConnectionsOfNetwork: 9, maxWaiting: 9 };
    const connections = createConnections({
      ...limits,
      firstRequestGrace: 2_000,
      ...over,
      trustProxy: [],
      handler: () => undefined,
      onClose: () => undefined,
      now: () => clock.nowMs,
    });
    const sockets = new Map<string, Socket>();
    return {
      clock,
      accept: (name: string) => {
        const remoteAddress = { value: '192.0.2.1' };
        const socket = Object.defineProperty(new Socket(), 'remoteAddress', remoteAddress);
        sockets.set(name, socket);
        connections.accept(socket);
      },
      answer: (name: string) => {
        const response = new ServerResponse(new IncomingMessage(sockets.get(name) as Socket));
        connections.serve(response.req, response);
        response.emit('close');
      },
      close: (name: string) => {
        const connection = connections.get(sockets.get(name) as Socket);
        if (connection) connections.close(connection, 'unread');
      },
      closeSilent: () => connections.closeSilent(),
      isDestroyed: (name: string) => sockets.get(name)?.destroyed,
      closed: () => once(sockets.values().next().value as Socket, 'close'),
      open: () => [...sockets].flatMap(([name, socket]) => (connections.get(socket) ? [name] : [])),
    };
  }

  test.each(['maxConnections', 'maxConnectionsOfNetwork'])(
    'makes room with one that is silent for two seconds, the longest idle one, then the oldest (%s)',
    (limit) => {
      const { clock, accept, answer, open } = register({ [limit]: 4 });
      for (const name of ['first', 'second', 'silent']) accept(name);
      for (const name of ['first', 'second', 'first']) answer(name);
      clock.nowMs += 1_999;
      accept('young');
      accept('a');
      expect(open()).toEqual(['first', 'silent', 'young', 'a']);
      clock.nowMs += 1;
      accept('b');
      expect(open()).toEqual(['first', 'young', 'a', 'b']);
      accept('c');
      accept('d');
      expect(open()).toEqual(['a', 'b', 'c', 'd']);
    },
  );

  test('closes those that are silent for two seconds, when the server closes', () => {
    const { clock, accept, answer, closeSilent, isDestroyed } = register({});
    accept('silent');
    accept('used');
    answer('used');
    clock.nowMs += 1;
    accept('young');
    clock.nowMs += 1_999;
    closeSilent();
    expect(['silent', 'used', 'young'].map(isDestroyed)).toEqual([true, false, false]);
  });

  test('keeps the limit of a network after the socket of a connection that it closed emits `close`', async () => {
    const { accept, close, closed, open } = register({ maxConnectionsOfNetwork: 1 });
    accept('first');
    close('first');
    accept('second');
    await closed();
    accept('third');
    expect(open()).toEqual(['third']);
  });
});
