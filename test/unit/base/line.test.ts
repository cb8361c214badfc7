import { createLine } from '../../../src/base/line.ts';

async function takenOf(line: ReturnType<typeof createLine<number>>): Promise<number[]> {
  const taken: number[] = [];
  for await (const item of line.taken()) taken.push(item);
  return taken;
}

test('what is put is taken in order, also by who waited for it', async () => {
  const line = createLine<number>(3);
  const items = line.taken();
  const first = items.next();
  line.put(1);
  line.put(2);
  expect([(await first).value, (await items.next()).value]).toEqual([1, 2]);
});

test('a line that is overrun ends behind what was in it, and says so', async () => {
  const line = createLine<number>(2);
  for (const item of [1, 2, 3, 4]) line.put(item);
  expect(await takenOf(line)).toEqual([1, 2]);
  expect(line.isOverrun).toBe(true);
});

test('a line that is ended wakes who waits, and drops what was in it', async () => {
  const line = createLine<number>(2);
  const waiting = takenOf(line);
  line.end();
  line.put(1);
  expect(await waiting).toEqual([]);
  expect(line.isOverrun).toBe(false);
});
