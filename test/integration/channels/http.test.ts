// The http channel against a real destination: the outcome of each answer, timeout and connection failure.
import type { DeliveryOutcome } from '../../../src/domain/messages/delivery.ts';
import { createDeliverers } from '../../../src/channels/registry.ts';
import { outgoingMessage } from '../../support/fixtures/outgoing-message.ts';
import {
  respondWith,
  neverRespond,
  loopbackRange,
  startDestination,
  type Destination,
} from '../../support/services/destination.ts';

let destination: Destination;
beforeEach(async () => {
  destination = await startDestination();
});
afterEach(() => destination.close());

const message = { ...outgoingMessage, contact: null };

const now = () => new Date('2026-01-06T12:00:00Z');

type Terms = {
  readonly allowed?: readonly string[];
  readonly withinMs?: number;
  readonly traceparent?: string;
};

async function deliver(
  settings: Record<string, unknown> = {},
  { allowed = loopbackRange, withinMs: timeoutMs = 60_000, ...terms }: Terms = {},
): Promise<DeliveryOutcome> {
  const { http } = createDeliverers({ allowedDestinations: allowed, now });
  const outcome = await http?.(
    message,
    { url: destination.url, timeoutSeconds: 60, ...settings },
    { timeoutMs, ...terms },
  );
  if (!outcome) throw new Error('There is no such kind.');
  return outcome;
}

const later = (reason: string, more: object = {}) =>
  expect.objectContaining({
    kind: 'retry',
    reason: `destination_unavailable:${reason}`,
    isUnknown: false,
    ...more,
  });

test('only a traced attempt has a traceparent', async () => {
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  await deliver();
  await deliver({}, { traceparent });
  expect(destination.posts.map(({ headers }) => headers.traceparent)).toEqual([
    undefined,
    traceparent,
  ]);
});

test('a message is posted as JSON, with its id as the idempotency key', async () => {
  expect(await deliver()).toEqual({ kind: 'delivered' });
  expect(destination.posts).toEqual([
    {
      path: '/messages',
      headers: expect.objectContaining({
        'content-type': 'application/json',
        'idempotency-key': message.id,
      }),
      body: message,
    },
  ]);
});

test.each([200, 201, 202, 204, 299])('%i means delivered', async (status) => {
  destination.answerWith(respondWith(status));
  expect(await deliver()).toEqual({ kind: 'delivered' });
});

test.each([408, 425, 429, 500, 503])('%i is retried', async (status) => {
  destination.answerWith(respondWith(status));
  expect(await deliver()).toEqual(later(String(status)));
});

test.each([502, 504, 520, 524])(
  '%i is that of a gateway, so it is unknown whether the message arrived',
  async (status) => {
    destination.answerWith(respondWith(status));
    expect(await deliver()).toEqual(later(String(status), { isUnknown: true }));
  },
);

test.each([400, 401, 403, 404, 409, 410, 413, 422])('%i is final', async (status) => {
  destination.answerWith(respondWith(status));
  expect(await deliver()).toMatchObject({ kind: 'dead', reason: `destination_rejected:${status}` });
});

test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async (status) => {
  destination.answerWith(respondWith(status, { location: `${destination.url}/elsewhere` }));
  expect(await deliver()).toMatchObject({ kind: 'dead', reason: `destination_rejected:${status}` });
  expect(destination.posts).toHaveLength(1);
});

test('a switch to another protocol is an answer like any other', async () => {
  destination.answerWith((response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n');
    response.socket?.write('Upgrade: websocket\r\n\r\n');
  });
  expect(await deliver()).toMatchObject({
    kind: 'dead',
    reason: 'destination_rejected:101',
  });
});

test('Retry-After becomes the wait of the outcome', async () => {
  destination.answerWith(respondWith(503, { 'retry-after': 'Tue, 06 Jan 2026 12:00:45 GMT' }));
  expect(await deliver()).toEqual(later('503', { retryAfterMs: 45_000 }));
});

/** The first outcome for which `isRight`; on a busy machine a short attempt may end before the destination has acted. */
async function outcomeOf(
  attempt: (timeoutMs: number) => Promise<DeliveryOutcome>,
  isRight: (outcome: DeliveryOutcome) => boolean,
): Promise<DeliveryOutcome> {
  for (const timeoutMs of [300, 3_000]) {
    const outcome = await attempt(timeoutMs);
    if (isRight(outcome)) return outcome;
  }
  return attempt(30_000);
}

/** More than the time of a test. */
const tooLongSeconds = 600;

test.each<[string, (timeoutMs: number) => Promise<DeliveryOutcome>]>([
  [
    'the channel’s timeout',
    (timeoutMs) =>
      deliver({ timeoutSeconds: timeoutMs / 1_000 }, { withinMs: tooLongSeconds * 1_000 }),
  ],
  [
    'the time left of the worker',
    (timeoutMs) => deliver({ timeoutSeconds: tooLongSeconds }, { withinMs: timeoutMs }),
  ],
])('a destination that hangs fails after %s, with an unknown outcome', async (_what, attempt) => {
  destination.answerWith(neverRespond);
  expect(await outcomeOf(attempt, () => destination.posts.length > 0)).toEqual(
    later('timeout', { isUnknown: true }),
  );
});

test('a destination that closes the connection leaves the outcome unknown', async () => {
  destination.answerWith((response) => void response.socket?.destroy());
  expect(await deliver()).toEqual(later('ECONNRESET', { isUnknown: true }));
});

test('an answer of 200 that never ends counts as delivered, and is not read further', async () => {
  let mebibytes = 0;
  destination.answerWith((response) => {
    const more = (): unknown => response.write('x'.repeat(2 ** 20), () => void (mebibytes += 1));
    response.on('drain', more).writeHead(200);
    more();
  });
  expect(await deliver()).toEqual({ kind: 'delivered' });
  // The kernel buffers a few of them for a connection.
  expect(mebibytes).toBeLessThan(16);
  destination.answerWith((response) => void response.writeHead(200).write('a beginning'));
  const attempt = (withinMs: number) => deliver({}, { withinMs });
  const outcome = await outcomeOf(attempt, ({ kind }) => kind === 'delivered');
  expect(outcome).toEqual({ kind: 'delivered' });
});

test('without a connection the message was not sent', async () => {
  await destination.close();
  expect(await deliver()).toEqual(later('ECONNREFUSED'));
  expect(await deliver({ url: 'https://no-such-host.invalid/' })).toEqual(
    expect.objectContaining({ kind: 'retry', isUnknown: false }),
  );
});

test('is not sent to a destination without TLS', async () => {
  const url = `https://127.0.0.1:${destination.port}/`;
  expect(await deliver({ url })).toMatchObject({ kind: 'retry', isUnknown: false });
  expect(destination.posts).toEqual([]);
});

test.each([
  ['an address', '127.0.0.1'],
  ['a mapped address', '[::ffff:127.0.0.1]'],
  ['a name', 'localhost'],
])('%s that is not allowed fails before anything is sent', async (_what, host) => {
  const notAllowed = { kind: 'dead', reason: 'destination_refused', scope: 'channel' };
  for (const scheme of ['http', 'https']) {
    const url = `${scheme}://${host}:${destination.port}/`;
    expect(await deliver({ url }, { allowed: [] })).toEqual(notAllowed);
    expect(await deliver({ url }, { allowed: ['10.0.0.0/8'] })).toEqual(notAllowed);
  }
  expect(destination.posts).toEqual([]);
});
