// Which calls are repeated, and that a change keeps its idempotency key.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../../client/client.ts';
import { withRetries } from '../../../client/retry.ts';

type Answered = { readonly status: number; readonly headers?: Record<string, string> };

/** Answers by the list, and then 200. Returns the outcome and the idempotency key of each request. */
async function calling(answers: readonly Answered[], maxAttempts = 4) {
  const keys: unknown[] = [];
  const pauses: number[] = [];
  const server = createServer((request, response) => {
    const { status, headers } = answers[keys.length] ?? { status: 200 };
    keys.push(request.headers['idempotency-key']);
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, headers).end('{"data":{"id":"a"}}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const onPause = (ms: number) => void pauses.push(ms);
  const client = withRetries(createClient({ baseUrl, token: () => 't' }), { maxAttempts, onPause });
  const body = { name: 'Desk', kind: 'inbox' } as const;
  const outcome = await client.call('createChannel', { body }).then(
    () => 200,
    (error: { status?: number }) => error.status ?? 0,
  );
  server.closeAllConnections();
  server.close();
  return { outcome, keys, pauses };
}

const busy = { status: 429, headers: { 'retry-after': '0' } };

test('a change is repeated under one key until it succeeds', async () => {
  const inProgress = { status: 409, headers: { 'retry-after': '0' } };
  const { outcome, keys } = await calling([busy, { status: 0 }, inProgress]);
  expect([outcome, keys.length, new Set(keys).size]).toEqual([200, 4, 1]);
});

test('the number of requests is bounded', async () => {
  const { outcome, keys, pauses } = await calling([busy, busy, busy], 2);
  expect([outcome, keys.length, pauses.length]).toEqual([429, 2, 1]);
});

test.each([
  { status: 400 },
  { status: 409 },
  { status: 500 },
  { ...busy, headers: { 'retry-after': '3600' } },
])('%j is not repeated', async (answer) => expect((await calling([answer])).keys).toHaveLength(1));
