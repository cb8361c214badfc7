// When a worker looks for jobs of short lines.
import { startReservedSlots } from '../../../src/queue/reserved-slots.ts';

afterEach(() => jest.useRealTimers());

test('while an ordinary slot is free, Redis is not asked and no timer runs', async () => {
  jest.useFakeTimers();
  let isFull = false;
  let asked = 0;
  const zrangebyscore = () => Promise.resolve({ length: 0, asked: (asked += 1) });
  const slots = startReservedSlots({
    worker: { toKey: String, isPaused: () => false } as never,
    connection: { status: 'ready', zrangebyscore } as never,
    isFull: () => isFull,
    work: () => Promise.resolve(),
  });
  await jest.advanceTimersByTimeAsync(1_000);
  expect([asked, jest.getTimerCount()]).toEqual([0, 0]);

  isFull = true;
  slots.wake();
  await jest.advanceTimersByTimeAsync(200);
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(11);

  isFull = false;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(jest.getTimerCount()).toBe(0);
  await slots.close();
});
