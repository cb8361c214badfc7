import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResolvedKey } from '../../../src/receiving/webhook-cache.ts';
import { createKeyLookup } from '../../../src/receiving/key-lookup.ts';

const good = { webhook: { _id: 'w', status: 'draft' }, keyId: 'k' } as unknown as ResolvedKey;

/** A cache whose lookups end on request, and pauses that do. */
function createHarness(limits = {}) {
  const started: string[] = [];
  const waiting: { hash: string; end: (found: ResolvedKey | null) => void }[] = [];
  const pauses: (() => void)[] = [];
  const [cached, rejected, overBudget] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let elapsedMs = 0;
  const lookUpKey = createKeyLookup({
    cache: {
      peek: (hash) => (cached.has(hash) ? good : null),
      isRejected: (hash) => rejected.has(hash),
      get: (hash) => {
        started.push(hash);
        return new Promise((end) => waiting.push({ hash, end }));
      },
    },
    clock: { now: () => new Date(), elapsedMs: () => elapsedMs },
    isOverBudget: (network) => overBudget.has(network),
    pause: () => new Promise((end) => pauses.push(end)),
    limits: { maxConcurrent: 2, maxBatch: 2, maxWaiting: 8, ...limits },
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
  async function endPause(): Promise<void> {
    pauses.shift()?.();
    await nextTurn();
  }
  const later = (ms: number) => (elapsedMs += ms);
  return { lookUp, started, finishLookup, cached, rejected, overBudget, pauses, endPause, later };
}

test('unknown keys are looked up together, a few lookups at a time, in the order of arrival', async () => {
  const { lookUp, started, finishLookup } = createHarness();
  const answers = ['1', '2', '3', '4', '5'].map((hash) => lookUp(hash, hash));
  await nextTurn();
  expect(started).toEqual(['1', '2']);
  await finishLookup('2');
  expect(started).toEqual(['1', '2', '3', '4']);
  await finishLookup('1');
  expect(started).toEqual(['1', '2', '3', '4', '5']);
  for (const hash of ['3', '4', '5']) await finishLookup(hash);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['unknown']));
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

test('a key that was rejected a moment ago is not looked up', async () => {
  const { lookUp, started, rejected, endPause } = createHarness();
  rejected.add('old URL');
  const answer = lookUp('old URL');
  await endPause();
  expect(await answer).toBe('unknown');
  expect(started).toEqual([]);
});

test('client networks share the queue and take turns, and a key that finds no place is not looked up', async () => {
  const { lookUp, started, finishLookup } = createHarness();
  const ofA = ['1', '2', '3', '4', '5'].map((hash) => lookUp(hash, 'a'));
  expect(await ofA[4]).toBe('overloaded');
  for (const hash of ['6', '7']) void lookUp(hash, 'b');
  await finishLookup('1');
  expect(started).toEqual(['1', '2', '3', '6']);
});

test('networks over budget share one lookup after each pause, and keep the others from nothing', async () => {
  const { lookUp, started, finishLookup, overBudget, pauses, endPause } = createHarness();
  overBudget.add('flood');
  const flood = ['1', '2', '3'].map((hash) => lookUp(hash, 'flood'));
  expect([started, pauses.length]).toEqual([[], 1]);
  const other = lookUp('other', 'b');
  expect(started).toEqual(['other']);
  await finishLookup('other', good);
  expect(await other).toBe('good');
  await endPause();
  await finishLookup('1');
  expect([started, pauses.length]).toEqual([['other', '1'], 1]);
  await endPause();
  expect(started).toEqual(['other', '1', '2', '3']);
  await finishLookup('2', good);
  await finishLookup('3');
  expect(await Promise.all(flood)).toEqual(['unknown', 'good', 'unknown']);
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
  for (const hash of ['1', '2']) void lookUp(hash, hash);
  const old = lookUp('old');
  later(3_001);
  const fresh = lookUp('fresh');
  await finishLookup('1');
  expect(await old).toBe('overloaded');
  expect(started).toEqual(['1', '2', 'fresh']);
  await finishLookup('fresh', good);
  expect(await fresh).toBe('good');
});

test('a failed lookup lets the next one begin', async () => {
  let looks = 0;
  const lookUpKey = createKeyLookup({
    cache: {
      peek: () => null,
      isRejected: () => false,
      get: () => {
        looks += 1;
        return Promise.reject(new Error('away'));
      },
    },
    clock: { now: () => new Date(), elapsedMs: () => 0 },
    isOverBudget: () => false,
    limits: { maxConcurrent: 1, maxBatch: 1 },
  });
  const answers = ['1', '2', '3'].map((hash) => lookUpKey(hash, () => hash).catch(() => 'failed'));
  expect(await Promise.all(answers)).toEqual(['failed', 'failed', 'failed']);
  expect(looks).toBe(3);
});
