// Live streams on raw connections: pipelined ones, and the access of their tokens.
import { Type } from 'typebox';
import { streamRoute, type Route } from '../../../src/http/routing/route.ts';
import { strictObject } from '../../../src/http/routing/schemas.ts';
import type { StreamContext } from '../../../src/http/routing/streams.ts';
import { getRequest, openRawClient, waitUntil } from '../../support/context/raw-client.ts';
import { serveRoutes, type RouteServer } from '../../support/context/route-server.ts';

type Item = { data: { n: number } };

const live = (handle: (terms: StreamContext) => AsyncIterable<Item>): Route =>
  streamRoute({
    path: '/live',
    scope: 'viewer',
    operationId: 'getThing',
    tag: 'Webhooks',
    summary: 'A stream',
    stream: 'sse',
    answer: strictObject({ n: Type.Integer() }),
    handle: (call) => Promise.resolve(handle(call)),
  });
const request = (token: string) => getRequest('/live', [`keyapi: ${token}`]);

let table: RouteServer | undefined;
afterEach(async () => {
  await table?.close();
  table = undefined;
});

describe('streams pipelined on one connection', () => {
  let begun = 0;
  // oxlint-disable-next-line require-yield
  const silence = async function* ({ signal }: StreamContext): AsyncGenerator<Item> {
    begun += 1;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };

  test('take one place, and the end of the connection frees it', async () => {
    table = await serveRoutes([live(silence)], { maxOpenOfToken: 2 });
    const client = await openRawClient(table.url);
    client.send(request('somebody').repeat(10));
    await client.until('retry');
    expect(begun).toBe(1);
    const second = await openRawClient(table.url);
    second.send(request('somebody').repeat(10));
    await second.until('retry');
    client.leave();
    second.leave();
    const { ask: fetchLive } = table;
    const leaving = new AbortController();
    let taken = 0;
    await waitUntil('both places are free', async () => {
      const { status, body } = await fetchLive('/live', { signal: leaving.signal });
      if (status === 200) taken += 1;
      else await body?.cancel();
      return taken === 2;
    });
    leaving.abort();
  });
});

describe('a live stream whose token changes', () => {
  /** Yields one item for each call of `tell`. */
  function spoken() {
    const waiting: (() => void)[] = [];
    let n = 0;
    async function* say({ signal }: StreamContext): AsyncGenerator<Item> {
      while (!signal.aborted) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        yield { data: { n: (n += 1) } };
      }
    }
    return { tell: () => waiting.shift()?.(), isWaiting: () => waiting.length > 0, say };
  }

  test('sends nothing after a notice until its access is checked, and ends without it', async () => {
    const { tell, isWaiting, say } = spoken();
    table = await serveRoutes([live(say)]);
    const [kept, lost] = [await openRawClient(table.url), await openRawClient(table.url)];
    kept.send(request('kept'));
    await waitUntil('it waits', isWaiting);
    lost.send(request('lost'));
    await lost.until('retry');
    table.revoke('lost');
    table.recheck('lost');
    tell();
    tell();
    // The last chunk.
    const heard = await lost.until('\r\n0\r\n');
    expect(heard).not.toContain('data');
    await kept.until('data');
    kept.leave();
  });
});
