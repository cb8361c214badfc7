import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResolvedKey } from '../../../src/receiving/webhook-cache.ts';
import { createKeyLookup } from '../../../src/receiving/key-lookup.ts';

const good = { webhook: { _id: 'w', status: 'draft' }, keyId: 'k' } as unknown as ResolvedKey;

/** A cache whose lookups end on request. */
function createHarness(limits = {}) {
  const started: string[] = [];
  const waiting: { hash: string; end: (found: ResolvedKey | null) => void }[] = [];
  const cached = new Set<string>();
  let elapsedMs = 0;
  const lookUpKey = createKeyLookup({
    cache: {
      peek: (hash) => (cached.has(hash) ? good : null),
      get: (hash) => {
        started.push(hash);
        return new Promise((end) => waiting.push({ hash, end }));
      },
    },
    clock: { now: () => new Date(), elapsedMs: () => elapsedMs },
    limits: { maxConcurrent: 2, maxWaiting: 4, maxWaitingPerNetwork: 3, ...limits },
  });
  const lookUp = (hash: string, network = 'a') => {
    const answer = lookUpKey(hash, () => network).then(
      (found) => (found ? 'good' : 'unknown'),
      (error: { code: string }) => error.code,
    );
    return answer;
  };
  async function finishLookup(hash: string, found: ResolvedKey | null = null): Promise<void> {
    const index = waiting.findIndex((one) => one.hash === hash);
    waiting.splice(index, 1)[0]?.end(found);
    await nextTurn();
  }
  return { lookUp, started, finishLookup, cached, later: (ms: number) => (elapsedMs += ms) };
}

test('unknown keys are looked up a few at a time, in the order of arrival', async () => {
  const { lookUp, started, finishLookup } = createHarness();
  const answers = ['1', '2', '3', '4'].map((hash) => lookUp(hash));
  await nextTurn();
  expect(started).toEqual(['1', '2']);
  await finishLookup('2');
  expect(started).toEqual(['1', '2', '3']);
  await finishLookup('1');
  await finishLookup('3');
  await finishLookup('4');
  expect(await Promise.all(answers)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
});

test('a cached key and a key that was valid before never wait', async () => {
  const { lookUp, started, finishLookup, cached } = createHarness();
  const first = lookUp('known good');
  await finishLookup('known good', good);
  expect(await first).toBe('good');
  for (const hash of ['1', '2', '3']) void lookUp(hash);
  cached.add('cached');
  expect(await lookUp('cached')).toBe('good');
  const again = lookUp('known good');
  await nextTurn();
  expect(started).toEqual(['known good', '1', '2', 'known good']);
  await finishLookup('known good', good);
  expect(await again).toBe('good');
});

test('a key that is no longer valid queues like an unknown one', async () => {
  const { lookUp, started, finishLookup } = createHarness();
  for (const found of [good, null]) {
    const answer = lookUp('once');
    await finishLookup('once', found);
    await answer;
  }
  for (const hash of ['1', '2', 'once']) void lookUp(hash);
  await nextTurn();
  expect(started).toEqual(['once', 'once', '1', '2']);
});

test('the queue is bounded, per client network first, and a rejected key is not looked up', async () => {
  const { lookUp, started } = createHarness();
  for (const hash of ['1', '2', '3', '4', '5']) void lookUp(hash, 'a');
  expect(await lookUp('6', 'a')).toBe('overloaded');
  const other = lookUp('7', 'b');
  expect(await lookUp('8', 'c')).toBe('overloaded');
  expect(started).toEqual(['1', '2']);
  void other;
});

test('requests that wait for the same key share one lookup and one place in the queue', async () => {
  const { lookUp, started, finishLookup } = createHarness();
  for (const hash of ['1', '2']) void lookUp(hash);
  const answers = Array.from({ length: 50 }, () => lookUp('same'));
  await finishLookup('1');
  expect(started).toEqual(['1', '2', 'same']);
  await finishLookup('same', good);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['good']));
});

test('a request after the start of a lookup does not share its result', async () => {
  const { lookUp, started, finishLookup } = createHarness();
  const before = lookUp('same');
  await nextTurn();
  const after = lookUp('same');
  await nextTurn();
  expect(started).toEqual(['same', 'same']);
  await finishLookup('same', null);
  await finishLookup('same', good);
  expect([await before, await after]).toEqual(['unknown', 'good']);
});

test('a request that waited three seconds is rejected as overloaded, and the next one is looked up', async () => {
  const { lookUp, started, finishLookup, later } = createHarness();
  for (const hash of ['1', '2']) void lookUp(hash);
  const old = lookUp('old');
  later(3_001);
  const fresh = lookUp('fresh');
  await finishLookup('1');
  expect(await old).toBe('overloaded');
  expect(started).toEqual(['1', '2', 'fresh']);
  await finishLookup('fresh', good);
  expect(await fresh).toBe('good');
});

test('a failed lookup passes its slot on', async () => {
  let looks = 0;
  const lookUpKey = createKeyLookup({
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
  const answers = ['1', '2', '3'].map((hash) => lookUpKey(hash, () => 'a').catch(() => 'failed'));
  expect(await Promise.all(answers)).toEqual(['failed', 'failed', 'failed']);
  expect(looks).toBe(3);
});
