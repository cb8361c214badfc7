import { setImmediate as turn } from 'node:timers/promises';
import type { ResolvedKey } from '../../../src/receiving/webhook-cache.ts';
import { createKeyLookup } from '../../../src/receiving/key-lookup.ts';

const good = { webhook: { _id: 'w', status: 'draft' }, keyId: 'k' } as unknown as ResolvedKey;

/** A cache whose lookups end when the test says so. */
function given(limits = {}) {
  const begun: string[] = [];
  const waiting: { hash: string; end: (found: ResolvedKey | null) => void }[] = [];
  const remembered = new Set<string>();
  let elapsedMs = 0;
  const enter = createKeyLookup({
    cache: {
      peek: (hash) => (remembered.has(hash) ? good : null),
      get: (hash) => {
        begun.push(hash);
        return new Promise((end) => waiting.push({ hash, end }));
      },
    },
    clock: { now: () => new Date(), elapsedMs: () => elapsedMs },
    limits: { maxConcurrent: 2, maxWaiting: 4, maxWaitingPerNetwork: 3, ...limits },
  });
  const ask = (hash: string, neighbour = 'a') => {
    const answer = enter(hash, () => neighbour).then(
      (found) => (found ? 'good' : 'unknown'),
      (error: { code: string }) => error.code,
    );
    return answer;
  };
  async function endLook(hash: string, found: ResolvedKey | null = null): Promise<void> {
    const index = waiting.findIndex((one) => one.hash === hash);
    waiting.splice(index, 1)[0]?.end(found);
    await turn();
  }
  return { ask, begun, endLook, remembered, later: (ms: number) => (elapsedMs += ms) };
}

test('unknown keys are looked up a few at a time, in the order of arrival', async () => {
  const { ask, begun, endLook } = given();
  const answers = ['1', '2', '3', '4'].map((hash) => ask(hash));
  await turn();
  expect(begun).toEqual(['1', '2']);
  await endLook('2');
  expect(begun).toEqual(['1', '2', '3']);
  await endLook('1');
  await endLook('3');
  await endLook('4');
  expect(await Promise.all(answers)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
});

test('a cached key and a key that was valid before never wait', async () => {
  const { ask, begun, endLook, remembered } = given();
  const first = ask('regular');
  await endLook('regular', good);
  expect(await first).toBe('good');
  for (const hash of ['1', '2', '3']) void ask(hash);
  remembered.add('remembered');
  expect(await ask('remembered')).toBe('good');
  const again = ask('regular');
  await turn();
  expect(begun).toEqual(['regular', '1', '2', 'regular']);
  await endLook('regular', good);
  expect(await again).toBe('good');
});

test('a key that is no longer valid queues like an unknown one', async () => {
  const { ask, begun, endLook } = given();
  for (const found of [good, null]) {
    const answer = ask('once');
    await endLook('once', found);
    await answer;
  }
  for (const hash of ['1', '2', 'once']) void ask(hash);
  await turn();
  expect(begun).toEqual(['once', 'once', '1', '2']);
});

test('the queue is bounded, per client network first, and a rejected key is not looked up', async () => {
  const { ask, begun } = given();
  for (const hash of ['1', '2', '3', '4', '5']) void ask(hash, 'a');
  expect(await ask('6', 'a')).toBe('overloaded');
  const other = ask('7', 'b');
  expect(await ask('8', 'c')).toBe('overloaded');
  expect(begun).toEqual(['1', '2']);
  void other;
});

test('requests that wait for the same key share one lookup and one place in the queue', async () => {
  const { ask, begun, endLook } = given();
  for (const hash of ['1', '2']) void ask(hash);
  const answers = Array.from({ length: 50 }, () => ask('same'));
  await endLook('1');
  expect(begun).toEqual(['1', '2', 'same']);
  await endLook('same', good);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['good']));
});

test('a request after the start of a lookup does not share its result', async () => {
  const { ask, begun, endLook } = given();
  const before = ask('same');
  await turn();
  const after = ask('same');
  await turn();
  expect(begun).toEqual(['same', 'same']);
  await endLook('same', null);
  await endLook('same', good);
  expect([await before, await after]).toEqual(['unknown', 'good']);
});

test('a request that waited three seconds is rejected as overloaded, and the next one is looked up', async () => {
  const { ask, begun, endLook, later } = given();
  for (const hash of ['1', '2']) void ask(hash);
  const old = ask('old');
  later(3_001);
  const fresh = ask('fresh');
  await endLook('1');
  expect(await old).toBe('overloaded');
  expect(begun).toEqual(['1', '2', 'fresh']);
  await endLook('fresh', good);
  expect(await fresh).toBe('good');
});

test('a failed lookup passes its slot on', async () => {
  let looks = 0;
  const enter = createKeyLookup({
    cache: {
      peek: () => null,
      get: () => {
        looks += 1;
        return Promise.reject(new Error('away'));
      },
    },
    clock: { now: () => new Date(), elapsedMs: () => 0 },
    limits: { maxConcurrent: 1 },
  });
  const answers = ['1', '2', '3'].map((hash) => enter(hash, () => 'a').catch(() => 'failed'));
  expect(await Promise.all(answers)).toEqual(['failed', 'failed', 'failed']);
  expect(looks).toBe(3);
});
