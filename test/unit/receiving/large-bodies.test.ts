import { producerOf } from '../../../src/producers/registry.ts';
import type { Decoded } from '../../../src/producers/producer.ts';
import { createLargeBodies } from '../../../src/receiving/large-bodies.ts';
import { createUsageLimits } from '../../../src/receiving/usage-limits.ts';

const decoded: Decoded = { ok: true, value: {} };
const raw = { contentType: 'application/json', body: Buffer.from('{}') };
const kommo = producerOf('kommo');
const rejectedWith = (code: string) => expect.objectContaining({ code });

/** A thread that takes `workMs` of each body, or fails, once the test lets it. */
function given({ workMs = 100, fails = false } = {}) {
  let elapsedMs = 0;
  const clock = { now: () => new Date(), elapsedMs: () => elapsedMs };
  const usageLimits = createUsageLimits(clock);
  const started: string[] = [];
  let letGo: () => void = () => undefined;
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const thread = {
    async decode(profile: string) {
      started.push(profile);
      await free;
      if (fails) throw new Error('The decode thread ended.');
      return { decoded, workMs };
    },
    close: () => Promise.resolve(),
  };
  const bodies = createLargeBodies({ usageLimits, thread, clock });
  const decode = (webhookId: string) => bodies.decode(webhookId, kommo, raw);
  const pass = (ms: number) => (elapsedMs += ms);
  return { ...bodies, decode, letGo, started, usageLimits, pass };
}

test.each([
  ['application/json', 131_072, false],
  ['application/json', 131_073, true],
  [undefined, 100_000, false],
  ['application/vnd.api+json; charset=UTF-8', 100_000, false],
  ['application/json; charset=utf-7', 16_385, true],
  ['application/x-www-form-urlencoded', 16_384, false],
  ['application/x-www-form-urlencoded', 16_385, true],
  ['text/xml', 16_385, true],
  ['text/plain', 16_385, true],
  ['multipart/form-data; boundary=X', 16_385, true],
])('a body of %s and %i bytes: large is %s', (contentType, length, isLarge) => {
  expect(given().isLarge({ contentType, body: Buffer.alloc(length) })).toBe(isLarge);
});

test('the decoder of the producer is used, and its time is charged to the webhook', async () => {
  const { decode, letGo, started, usageLimits } = given({ workMs: 400 });
  letGo();
  expect(await decode('heavy')).toEqual(decoded);
  usageLimits.require('heavy');
  await decode('heavy');
  expect(started).toEqual(['kommo', 'kommo']);
  expect(() => usageLimits.require('heavy')).toThrow(rejectedWith('rate_limited'));
  usageLimits.require('other');
});

test('a body that waited is not decoded once its webhook has used up its time', async () => {
  const { decode, letGo, started } = given({ workMs: 500 });
  const outcomes = Promise.allSettled([decode('a'), decode('a'), decode('a'), decode('b')]);
  letGo();
  const statuses = (await outcomes).map((each) =>
    each.status === 'fulfilled' ? 'decoded' : each.reason.code,
  );
  expect(statuses).toEqual(['decoded', 'decoded', 'rate_limited', 'decoded']);
  expect(started).toHaveLength(3);
});

test('a thread that fails is answered as an overload, and charged two seconds', async () => {
  const { decode, letGo, usageLimits, pass } = given({ fails: true });
  letGo();
  await expect(decode('a')).rejects.toEqual(rejectedWith('overloaded'));
  pass(5_999);
  expect(() => usageLimits.require('a')).toThrow(rejectedWith('rate_limited'));
  pass(2);
  usageLimits.require('a');
});

test('at most 50 bodies of a webhook wait, and 200 of a server', async () => {
  const { decode, letGo } = given({ workMs: 0 });
  const running = decode('a');
  const waiting = ['a', 'b', 'c', 'd'].flatMap((id) =>
    Array.from({ length: 50 }, () => decode(id)),
  );
  await expect(decode('a')).rejects.toEqual(rejectedWith('rate_limited'));
  await expect(decode('e')).rejects.toEqual(rejectedWith('overloaded'));
  letGo();
  expect(await Promise.all([running, ...waiting])).toHaveLength(201);
  expect(await decode('e')).toEqual(decoded);
});

test('a body that waited longer than a request can wait is not decoded', async () => {
  const { decode, letGo, started, pass } = given();
  const running = decode('a');
  const late = decode('b');
  pass(4_001);
  letGo();
  expect(await running).toEqual(decoded);
  await expect(late).rejects.toEqual(rejectedWith('overloaded'));
  expect(started).toHaveLength(1);
  expect(await decode('b')).toEqual(decoded);
});
