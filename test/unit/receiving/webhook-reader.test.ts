import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWebhookReader } from '../../../src/receiving/webhook-reader.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';

/** Reads that end when the test says so. */
function given() {
  let elapsedMs = 0;
  const started: { id: string; end: () => void; fail: (error: unknown) => void }[] = [];
  const read = createWebhookReader(
    (id) =>
      new Promise((resolve, reject) => {
        started.push({ id, end: () => resolve({ _id: id } as Webhook), fail: reject });
      }),
    { now: () => new Date(), elapsedMs: () => elapsedMs },
  );
  const outcomes: string[] = [];
  const ask = (id: string, name = id): void => {
    void read(id).then(
      (webhook) => outcomes.push(`${name} is ${webhook?._id}`),
      (error: { code: string }) => outcomes.push(`${name} fails with ${error.code}`),
    );
  };
  const ids = () => started.map(({ id }) => id);
  return { ask, started, ids, outcomes, later: (ms: number) => (elapsedMs += ms) };
}

test('a read that does not end holds no other webhook and not the next read of its own', async () => {
  const { ask, started, ids, outcomes } = given();
  ask('slow');
  await nextTurn();
  ask('other');
  ask('slow', 'next');
  expect(ids()).toEqual(['slow', 'other', 'slow']);
  for (const { end } of started.slice(1)) end();
  await nextTurn();
  expect(outcomes).toEqual(['other is other', 'next is slow']);
});

test('a read that fails rejects only its own requests', async () => {
  const { ask, started, outcomes } = given();
  for (const id of ['bad', 'good']) ask(id);
  started[0]?.fail({ code: 'unavailable' });
  started[1]?.end();
  await nextTurn();
  expect(outcomes).toEqual(['bad fails with unavailable', 'good is good']);
  ask('bad');
  expect(started).toHaveLength(3);
});

test('requests share the next read of their webhook, and two are in flight at most', async () => {
  const { ask, started, ids, outcomes } = given();
  for (let n = 0; n < 500; n += 1) ask('a');
  expect(ids()).toEqual(['a', 'a']);
  started[0]?.end();
  await nextTurn();
  expect([ids(), outcomes.length]).toEqual([['a', 'a', 'a'], 1]);
  started[2]?.end();
  await nextTurn();
  expect([ids(), outcomes.length]).toEqual([['a', 'a', 'a'], 499]);
});

test('a request that waits longer than three seconds for a read to begin is rejected', async () => {
  const { ask, started, outcomes, later } = given();
  for (const name of ['first', 'second', 'third']) ask('a', name);
  later(3_001);
  started[0]?.end();
  await nextTurn();
  expect(outcomes.toSorted()).toEqual(['first is a', 'third fails with overloaded']);
  expect(started).toHaveLength(2);
});

test('one webhook leaves places to others', async () => {
  const { ask, ids, outcomes } = given();
  for (let n = 0; n < 3_000; n += 1) ask('flooded');
  await nextTurn();
  expect(new Set(outcomes)).toEqual(new Set(['flooded fails with overloaded']));
  expect(outcomes).toHaveLength(2_000);
  ask('other');
  expect(ids()).toEqual(['flooded', 'flooded', 'other']);
});
