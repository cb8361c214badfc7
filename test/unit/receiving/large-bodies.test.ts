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
  const usageLimits = createUsageLimits({ now: () => new Date(), elapsedMs: () => 0 });
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
  const bodies = createLargeBodies({ usageLimits, thread });
  const decode = (webhookId: string) => bodies.decode(webhookId, kommo, raw);
  return { ...bodies, decode, letGo, started, usageLimits };
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

test('a thread that fails is answered as an overload, and charged as the longest work', async () => {
  const { decode, letGo, usageLimits } = given({ fails: true });
  letGo();
  for (let n = 0; n < 2; n += 1)
    await expect(decode('a')).rejects.toEqual(rejectedWith('overloaded'));
  expect(() => usageLimits.require('a')).toThrow(rejectedWith('rate_limited'));
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
