import { createBoundedQueue } from '../../../src/base/concurrency/bounded-queue.ts';

async function takenOf(line: ReturnType<typeof createBoundedQueue<number>>): Promise<number[]> {
  const taken: number[] = [];
  for await (const item of line.items()) taken.push(item);
  return taken;
}

test('what is put is taken in order, also by who waited for it', async () => {
  const line = createBoundedQueue<number>(3);
  const items = line.items();
  const first = items.next();
  line.push(1);
  line.push(2);
  expect([(await first).value, (await items.next()).value]).toEqual([1, 2]);
});

test('a line that is overrun ends behind what was in it, and says so', async () => {
  const line = createBoundedQueue<number>(2);
  for (const item of [1, 2, 3, 4]) line.push(item);
  expect(await takenOf(line)).toEqual([1, 2]);
  expect(line.isOverflowed).toBe(true);
});

test('a line that is ended wakes who waits, and drops what was in it', async () => {
  const line = createBoundedQueue<number>(2);
  const waiting = takenOf(line);
  line.close();
  line.push(1);
  expect(await waiting).toEqual([]);
  expect(line.isOverflowed).toBe(false);
});
