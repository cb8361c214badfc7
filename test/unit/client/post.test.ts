// The retry rule of senders, against a server that answers as it is told.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { post } from '../../../client/post.ts';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (status: number, data: object, headers: Record<string, string> = {}): Reply =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ status: status < 400, message: 'as told', data }));
  };
const stored = json(200, { success: true, eventId: 'e-1', duplicate: false });
const receipt = (lastSeenAt = new Date()) =>
  json(200, { eventId: 'e-1', state: 'received', lastSeenAt: lastSeenAt.toISOString() });
const notFound = json(404, { code: 'not_found' });
/** The connection ends without an answer. */
const cut: Reply = (request) => void request.socket.destroy();

let server: Server;
let replies: Reply[] = [];
let asked: string[] = [];
let pauses: number[] = [];
let url = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked.push(`${request.method} ${request.url}`);
      const reply = replies.shift();
      if (!reply) throw new Error('No further request was expected.');
      reply(request, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/webhook/key`;
});
afterAll(() => void server.close());
beforeEach(() => {
  [replies, asked, pauses] = [[], [], []];
});

const body = '{"id":"1"}';
const byBody = `GET /v1/webhook/key/receipts/by-body/${createHash('sha256').update(body).digest('hex')}`;
const byId = 'GET /v1/webhook/key/receipts/a%2F1';
const sent = 'POST /v1/webhook/key';

const pause = async (ms: number) => void pauses.push(ms);
const send = (given: Reply[], options: { externalId?: string; maxAttempts?: number } = {}) => {
  replies = given;
  return post(url, body, { pause, ...options });
};

test('an accepted event is sent once', async () => {
  const done = { eventId: 'e-1', duplicate: false, mode: 'event', attempts: 1 };
  expect(await send([stored])).toEqual(done);
  expect(asked).toEqual([sent]);
});

test('429 is sent again after the time that Inlet names, without a receipt', async () => {
  const answer = await send([json(429, { code: 'rate_limited' }, { 'retry-after': '7' }), stored]);
  expect([answer.attempts, asked]).toEqual([2, [sent, sent]]);
  expect(pauses).toEqual([7_000]);
});

test('after a request without an answer the receipt is read before anything is sent again', async () => {
  const found = await send([cut, receipt()], { externalId: 'a/1' });
  expect([found.eventId, found.attempts, asked]).toEqual(['e-1', 1, [sent, byId]]);
});

test('the receipt is that of the URL without its query', async () => {
  replies = [cut, receipt()];
  const { eventId } = await post(`${url}?token=t`, body, { pause, externalId: 'a/1' });
  expect([eventId, asked]).toEqual(['e-1', [`${sent}?token=t`, byId]]);
});

test('when there is no receipt it is asked for again, because the request may be in progress', async () => {
  const found = await send([cut, notFound, receipt()]);
  expect([found.attempts, asked]).toEqual([1, [sent, byBody, byBody]]);
  expect(pauses).toEqual([9_000]);
});

test('without a receipt the event is sent again', async () => {
  const found = await send([cut, notFound, notFound, stored]);
  expect([found.attempts, asked]).toEqual([2, [sent, byBody, byBody, sent]]);
});

test('503 does not say that nothing is stored, so its receipt is read too, once', async () => {
  const found = await send([json(503, { code: 'unavailable' }), notFound, stored]);
  expect([found.attempts, asked]).toEqual([2, [sent, byBody, sent]]);
});

test('the receipt of an older event with the same body is not taken for this one', async () => {
  const older = receipt(new Date(Date.now() - 3_600_000));
  const found = await send([cut, older, older, stored]);
  expect(found.attempts).toBe(2);
});

test('an event without an id is not sent again while receipts do not answer; one with an id is', async () => {
  const silent = Array.from({ length: 3 }, () => cut);
  const error = await send([cut, ...silent], { maxAttempts: 3 }).catch((reason: unknown) => reason);
  expect(asked.filter((line) => line === sent)).toHaveLength(1);
  expect(String(error)).not.toContain('webhook/key');
  asked = [];
  const found = await send([cut, ...silent, stored], { maxAttempts: 3, externalId: 'a/1' });
  expect(found.attempts).toBe(2);
});

test('a rejection is thrown at once', async () => {
  await expect(send([json(401, { code: 'invalid_signature' })])).rejects.toMatchObject({
    status: 401,
    code: 'invalid_signature',
  });
  expect(asked).toEqual([sent]);
});

test('attempts are bounded, and waits grow', async () => {
  const busy = json(429, { code: 'rate_limited' });
  await expect(send([busy, busy, busy, busy], { maxAttempts: 4 })).rejects.toMatchObject({
    status: 429,
  });
  expect(asked).toHaveLength(4);
  expect(pauses.every((ms, index) => ms >= 250 * 2 ** index && ms <= 500 * 2 ** index)).toBe(true);
});
