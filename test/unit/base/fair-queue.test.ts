import { createFairQueue } from '../../../src/base/concurrency/fair-queue.ts';

function given(bounds = { maxWaiting: 4, maxWaitingOfGroup: 3 }) {
  const run = createFairQueue(bounds);
  const order: string[] = [];
  let running = 0;
  /** Work of several turns of the event loop. */
  const work = (group: string, name: string) =>
    run(group, async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(name);
      running -= 1;
      return name;
    });
  return { run, work, order };
}

const rejectedWith = (code: string) => expect.objectContaining({ code });

test('one piece runs at a time, and groups take turns', async () => {
  const { work, order } = given();
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => work(name.slice(0, 1), name));
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('a group that waits too much is rate limited, and others still find room', async () => {
  const { work, order } = given();
  const held = ['a1', 'a2', 'a3', 'a4'].map((name) => work('a', name));
  await expect(work('a', 'a5')).rejects.toEqual(rejectedWith('rate_limited'));
  const other = work('b', 'b1');
  await expect(work('c', 'c1')).rejects.toEqual(rejectedWith('overloaded'));
  await Promise.all([...held, other]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

test('work that fails lets the next start, and what was full has room again', async () => {
  const { run, work } = given({ maxWaiting: 1, maxWaitingOfGroup: 1 });
  const failing = run('a', () => Promise.reject(new Error('broken')));
  const next = work('a', 'a2');
  await expect(work('a', 'a3')).rejects.toEqual(rejectedWith('rate_limited'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('a2');
  expect(await work('a', 'a4')).toBe('a4');
});
