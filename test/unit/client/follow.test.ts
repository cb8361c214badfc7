// Following a live stream that ends, is cut off inside an item, or refuses.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../../client/client.ts';
import { follow } from '../../../client/follow.ts';

type Serve = (response: ServerResponse, lastId: string | undefined) => void;

/** Answers each connection by the next function. Returns the items, and the `Last-Event-ID` of each connection. */
async function following(serve: readonly Serve[], take: number) {
  const lastIds: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const lastId = request.headers['last-event-id'] as string | undefined;
    lastIds.push(lastId);
    serve[Math.min(lastIds.length, serve.length) - 1]?.(response, lastId);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl, token: () => 't' });
  const controller = new AbortController();
  const items: unknown[] = [];
  const { signal } = controller;
  try {
    for await (const { event, data } of follow(client, ['watchEvents', {}], { signal })) {
      items.push([event, data]);
      if (items.length === take) controller.abort();
    }
    return { items, lastIds };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const item = (id: number) => `id: ${id}\nevent: change\ndata: {"n":${id}}\n\n`;

test('it goes on behind the last whole item, whatever ends the connection', async () => {
  const { items, lastIds } = await following(
    [
      (response) => response.end(`: heartbeat\n\n${item(1)}`),
      (response) => {
        const [head, tail] = [item(2).slice(0, 9), item(2).slice(9)];
        response.write(head);
        setTimeout(() => response.write(`${tail}id: 3\nevent: change\ndata: {"n"`), 20);
        setTimeout(() => response.destroy(), 60);
      },
      (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
      (response) => response.end(item(3)),
    ],
    3,
  );
  expect(items).toEqual([1, 2, 3].map((n) => ['change', { n }]));
  expect(lastIds).toEqual([undefined, '1', '2', '2']);
});

test('lines may end with CR LF, and data may have several lines', async () => {
  const { items } = await following(
    [(response) => response.end('data: {\r\ndata: "a":1}\r\nid: x\r\n\r\n')],
    1,
  );
  expect(items).toEqual([['message', { a: 1 }]]);
});

test('what no later try can heal is thrown', async () => {
  const refuse: Serve = (response) => response.writeHead(403).end('{}');
  await expect(following([refuse], 1)).rejects.toMatchObject({ status: 403 });
});
