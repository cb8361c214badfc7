import { createBoundedQueue } from '../../../src/base/concurrency/bounded-queue.ts';

async function takenOf(line: ReturnType<typeof createBoundedQueue<number>>): Promise<number[]> {
  const taken: number[] = [];
  for await (const item of line.items()) taken.push(item);
  return taken;
}

test('items leave in order, also when the consumer waits first', async () => {
  const line = createBoundedQueue<number>(3);
  const items = line.items();
  const first = items.next();
  line.push(1);
  line.push(2);
  expect([(await first).value, (await items.next()).value]).toEqual([1, 2]);
});

test('an overflowed queue ends after its items and reports the overflow', async () => {
  const line = createBoundedQueue<number>(2);
  for (const item of [1, 2, 3, 4]) line.push(item);
  expect(await takenOf(line)).toEqual([1, 2]);
  expect(line.isOverflowed).toBe(true);
});

test('closing the queue wakes the consumer and drops the items', async () => {
  const line = createBoundedQueue<number>(2);
  const waiting = takenOf(line);
  line.close();
  line.push(1);
  expect(await waiting).toEqual([]);
  expect(line.isOverflowed).toBe(false);
});
