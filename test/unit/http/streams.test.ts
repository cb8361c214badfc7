import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { sleep } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import { route, streamRoute, type Route } from '../../../src/http/routing/route.ts';
import { strictObject } from '../../../src/http/routing/schemas.ts';
import { createStreams, type StreamContext } from '../../../src/http/routing/streams.ts';
import { waitUntil } from '../../support/context/raw-client.ts';
import { serveRoutes, type RouteServer } from '../../support/context/route-server.ts';

const line = strictObject({ n: Type.Integer(), text: Type.String() });
const lineOf = (n: number, text = 'x') => ({ n, text });
const open = {
  scope: 'viewer',
  tag: 'Webhooks',
  summary: 'A stream',
} as const;
type Line = ReturnType<typeof lineOf>;

const lines = (path: string, handle: (terms: StreamContext) => AsyncIterable<Line>): Route =>
  streamRoute({
    ...open,
    operationId: 'exportThings',
    path,
    stream: 'ndjson',
    answer: line,
    fileName: 'lines.ndjson',
    handle: (call) => Promise.resolve(handle(call)),
  });
const live = (
  path: string,
  handle: (terms: StreamContext) => AsyncIterable<{ id?: string; event?: string; data: Line }>,
): Route =>
  streamRoute({
    ...open,
    operationId: 'watchThings',
    path,
    stream: 'sse',
    answer: line,
    handle: (call) => Promise.resolve(handle(call)),
  });

let table: RouteServer | undefined;
afterEach(async () => {
  await table?.close();
  table = undefined;
});

/** Yields nothing, and records that it was stopped. */
function silence() {
  const state = { stopped: false, begun: 0 };
  // oxlint-disable-next-line require-yield
  async function* say({ signal }: StreamContext): AsyncGenerator<{ data: Line }> {
    state.begun += 1;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    state.stopped = true;
  }
  return { state, say };
}

const reading = (response: Response) => {
  const reader = (response.body ?? new ReadableStream()).getReader();
  let text = '';
  return {
    reader,
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { value, done } = await reader.read();
        if (done) break;
        text += Buffer.from(value).toString();
      }
      return text;
    },
  };
};

describe('an export', () => {
  async function* three(): AsyncGenerator<Line> {
    yield* [lineOf(1), lineOf(2, 'a\nb'), lineOf(3)];
  }

  test('has one JSON object per line, downloaded as a file', async () => {
    table = await serveRoutes([lines('/lines', three)]);
    const response = await table.ask('/lines');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('lines.ndjson');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const text = await response.text();
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one)),
    ).toEqual([lineOf(1), lineOf(2, 'a\nb'), lineOf(3)]);
  });

  test('lets other requests in between two lines that take long', async () => {
    const turns: number[] = [];
    let turn = 0;
    const count = () => void (turn += 1);
    async function* slow(): AsyncGenerator<Line> {
      for (let n = 1; n <= 3; n += 1) {
        turns.push(turn);
        setImmediate(count);
        for (const startMs = performance.now(); performance.now() - startMs < 25;);
        yield lineOf(n);
      }
    }
    table = await serveRoutes([lines('/lines', slow)]);
    await (await table.ask('/lines')).text();
    expect(turns).toEqual([0, 1, 2]);
  });

  test('without items is an empty 200', async () => {
    // oxlint-disable-next-line no-empty-function
    table = await serveRoutes([lines('/lines', async function* () {})]);
    const response = await table.ask('/lines');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('that fails before its first line is an error like any other', async () => {
    // oxlint-disable-next-line require-yield
    const fails = async function* (): AsyncGenerator<Line> {
      throw new AppError('unavailable', { retryAfterMs: 3_000 });
    };
    table = await serveRoutes([lines('/lines', fails)]);
    const response = await table.ask('/lines');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await response.json()).toMatchObject({ status: false, data: { code: 'unavailable' } });
  });

  test('that fails later is aborted, and every received line is complete', async () => {
    const fails = async function* (): AsyncGenerator<Line> {
      yield lineOf(1);
      yield lineOf(2);
      throw new Error('away');
    };
    table = await serveRoutes([lines('/lines', fails)]);
    const response = await table.ask('/lines');
    const { reader } = reading(response);
    let text = '';
    const read = async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        text += Buffer.from(value).toString();
      }
    };
    await expect(read()).rejects.toThrow(/terminated/);
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((one) => JSON.parse(one).n),
    ).toEqual([1, 2]);
  });

  test('reads its source only as fast as the client reads, and disconnects a client that reads nothing', async () => {
    let made = 0;
    let stopped = false;
    const endless = async function* (): AsyncGenerator<Line> {
      try {
        for (;;) yield lineOf((made += 1), 'x'.repeat(65_536));
      } finally {
        stopped = true;
      }
    };
    table = await serveRoutes([lines('/lines', endless)], { stallMs: 300 });
    const socket = connect(Number(new URL(table.url).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write('GET /lines HTTP/1.1\r\nHost: x\r\nkeyapi: somebody\r\n\r\n');
    await waitUntil('it is stopped', () => stopped);
    // The buffers of both ends hold some megabytes.
    expect(made).toBeLessThan(500);
    socket.destroy();
  });
});

describe('a live stream', () => {
  test('does not read its source for HEAD', async () => {
    const { state, say } = silence();
    table = await serveRoutes([live('/live', say)]);
    const response = await table.ask('/live', { method: 'HEAD' });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect([response.status, state.begun]).toEqual([200, 0]);
  });

  test('begins before the first item, and sends items with their ids', async () => {
    let tell: (n: number) => void = () => undefined;
    const told = new Promise<number>((resolve) => (tell = resolve));
    table = await serveRoutes([
      live('/live', async function* ({ lastEventId }) {
        const n = await told;
        yield { id: `${n}`, event: 'change', data: lineOf(n, String(lastEventId)) };
      }),
    ]);
    const response = await table.ask('/live', { headers: { 'last-event-id': 'seen-6' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    tell(7);
    expect(await response.text()).toBe(
      'retry: 2000\n\nid: 7\nevent: change\ndata: {"n":7,"text":"seen-6"}\n\n',
    );
  });

  test('sends heartbeats while there are no items', async () => {
    table = await serveRoutes([live('/live', silence().say)], { heartbeatMs: 20 });
    const stream = reading(await table.ask('/live'));
    expect(await stream.until(':\n\n:\n\n')).toContain('retry: 2000\n\n:\n\n:\n\n');
    await stream.reader.cancel();
  });

  test('stops its source when the client leaves', async () => {
    const { state, say } = silence();
    table = await serveRoutes([live('/live', say)]);
    const leaving = new AbortController();
    await table.ask('/live', { signal: leaving.signal });
    await waitUntil('it begins', () => state.begun === 1);
    leaving.abort();
    await waitUntil('it is stopped', () => state.stopped);
  });

  test('ends once its token is no longer valid', async () => {
    const { state, say } = silence();
    table = await serveRoutes([live('/live', say)], { heartbeatMs: 20 });
    const response = await table.ask('/live', { token: 'short-lived' });
    table.revoke('short-lived');
    await response.text();
    expect(state.stopped).toBe(true);
  });

  test('ends when the restriction of its token changes', async () => {
    const { state, say } = silence();
    const narrow: Route = { ...live('/live', say), restriction: 'narrowed' };
    table = await serveRoutes([narrow], { heartbeatMs: 20 });
    table.restrict('some', { webhookIds: ['a', 'b'], channelIds: [] });
    const response = await table.ask('/live', { token: 'some' });
    table.restrict('some', { webhookIds: ['b'], channelIds: [] });
    await response.text();
    expect(state.stopped).toBe(true);
  });

  test('ends at the drain, which does not wait for it', async () => {
    const { state, say } = silence();
    table = await serveRoutes([live('/live', say)]);
    const response = await table.ask('/live');
    const closed = table.close();
    expect(await response.text()).toBe('retry: 2000\n\n');
    await closed;
    expect(state.stopped).toBe(true);
    table = undefined;
  });

  test('does not begin while the process drains', async () => {
    const streams = createStreams();
    streams.close();
    await expect(
      streams.answer({} as never, {} as never, { tokenId: 'x' } as never),
    ).rejects.toThrow(expect.objectContaining({ code: 'unavailable' }));
  });

  test('does not count a client that disconnected during authentication', async () => {
    const { state, say } = silence();
    let isLeft = false;
    const slow: Route = {
      ...live('/live', say),
      find: () => waitUntil('it is left', () => isLeft),
    };
    table = await serveRoutes([slow], { maxOpenOfToken: 1, stallMs: 60_000 });
    const leaving = new AbortController();
    const left = table.ask('/live', { token: 'one', signal: leaving.signal });
    await sleep(50);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    await sleep(50);
    isLeft = true;
    await sleep(50);
    expect(state.begun).toBe(0);
    const again = await table.ask('/live', { token: 'one' });
    expect(again.status).toBe(200);
  });

  test('is rejected beyond the limits per token and in total, until another has ended', async () => {
    const { say } = silence();
    const bounds = { maxOpen: 2, maxOpenOfToken: 1 };
    table = await serveRoutes([live('/live', say)], bounds);
    const leaving = new AbortController();
    await table.ask('/live', { token: 'first', signal: leaving.signal });
    const again = await table.ask('/live', { token: 'first' });
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await again.json()).toMatchObject({ data: { code: 'rate_limited' } });
    await table.ask('/live', { token: 'second' });
    const third = await table.ask('/live', { token: 'third' });
    expect([third.status, await third.json()]).toMatchObject([
      503,
      { data: { code: 'overloaded' } },
    ]);
    leaving.abort();
    const { ask } = table;
    let status = 0;
    for (let tries = 0; status !== 200 && tries < 100; tries += 1) {
      ({ status } = await ask('/live', { token: 'third' }));
    }
    expect(status).toBe(200);
  });

  test('leaves places for other tokens, however many sessions a token has', async () => {
    const { say } = silence();
    table = await serveRoutes([live('/live', say)], { maxOpen: 8 });
    const statuses: number[] = [];
    for (const token of ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c']) {
      statuses.push((await table.ask('/live', { token })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 503, 200, 200, 503, 200]);
  });

  test('whose item would break the format of the stream is aborted', async () => {
    table = await serveRoutes([
      live('/live', async function* () {
        yield { id: 'a\ndata: 1', data: lineOf(1) };
      }),
    ]);
    const response = await table.ask('/live');
    await expect(response.text()).rejects.toThrow(/terminated/);
  });
});

describe('a raw body', () => {
  const echo = route({
    ...open,
    operationId: 'echoThing',
    method: 'POST',
    path: '/file',
    body: 'raw',
    answer: strictObject({ type: Type.String(), base64: Type.String() }),
    handle: ({ body }) =>
      Promise.resolve({ type: body.contentType ?? 'none', base64: body.bytes.toString('base64') }),
  });
  beforeEach(async () => {
    table = await serveRoutes([echo]);
  });
  const post = (body: Buffer, headers: Record<string, string>) =>
    table?.ask('/file', { method: 'POST', body, headers }) ?? Promise.reject(new Error('closed'));

  test('is accepted with any content type', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const answer = await post(bytes, { 'content-type': 'image/x-any' });
    const data = { type: 'image/x-any', base64: bytes.toString('base64') };
    expect(await answer.json()).toMatchObject({ data });
  });

  test('is bounded, and never compressed', async () => {
    const large = await post(Buffer.alloc(1_048_577), {});
    expect(large.status).toBe(413);
    const zipped = await post(Buffer.from('x'), { 'content-encoding': 'gzip' });
    expect(zipped.status).toBe(415);
  });

  test('is in the document, like streams', () => {
    const routes = [echo, live('/live', silence().say)];
    const { paths } = createOpenApiDocument(routes, () => ({})) as unknown as {
      paths: Record<string, Record<string, { requestBody: unknown; responses: unknown }>>;
    };
    expect(paths['/file']?.post?.requestBody).toEqual({ required: true, content: { '*/*': {} } });
    expect(paths['/live']?.get).toMatchObject({
      parameters: [{ name: 'Last-Event-ID', in: 'header' }],
      responses: { 200: { content: { 'text/event-stream': {} } }, 429: {}, 503: {} },
    });
  });
});

test('a connection that is cut during a live stream is no longer counted', async () => {
  const { state, say } = silence();
  table = await serveRoutes([live('/live', say)], { maxOpen: 1 });
  const socket = connect(Number(new URL(table.url).port), '127.0.0.1');
  socket.write('GET /live HTTP/1.1\r\nHost: x\r\nkeyapi: somebody\r\n\r\n');
  await once(socket, 'data');
  socket.resetAndDestroy();
  await waitUntil('it is stopped', () => state.stopped);
});
