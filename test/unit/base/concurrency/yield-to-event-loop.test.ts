/** Long computations share the event loop. */
import { setImmediate as nextIteration } from 'node:timers/promises';
import { yieldToEventLoop } from '../../../../src/base/concurrency/yield-to-event-loop.ts';

test('in each iteration of the event loop one computation continues, in the order of arrival', async () => {
  const order: string[] = [];
  const compute = async (name: string) => {
    for (let piece = 1; piece <= 3; piece += 1) {
      await yieldToEventLoop();
      order.push(`${name}${piece}`);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(compute));
  let iterations = 0;
  while (order.length < 9) {
    const before = order.length;
    await nextIteration();
    iterations += 1;
    expect(order.length - before).toBeLessThanOrEqual(1);
  }
  await all;
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
  expect(iterations).toBeGreaterThanOrEqual(9);
});

test('a computation that comes later gets its turn', async () => {
  await yieldToEventLoop();
  await nextIteration();
  await expect(yieldToEventLoop()).resolves.toBeUndefined();
});
