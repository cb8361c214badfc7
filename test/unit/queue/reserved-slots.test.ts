// When a worker looks for jobs for its reserved slots.
import { setTimeout as pause } from 'node:timers/promises';
import { startReservedSlots } from '../../../src/queue/reserved-slots.ts';
import { waitForValue } from '../../support/processes/client.ts';

test('while an ordinary slot is free, Redis is not asked and nothing is looked at', async () => {
  let isFull = false;
  let looks = 0;
  let asked = 0;
  const slots = startReservedSlots({
    worker: { toKey: String, isPaused: () => false } as never,
    connection: {
      status: 'ready',
      zrangebyscore: () => {
        asked += 1;
        return Promise.resolve([]);
      },
    } as never,
    isFull: () => {
      looks += 1;
      return isFull;
    },
    work: () => Promise.resolve(),
  });
  await pause(200);
  expect([asked, looks]).toEqual([0, 1]);

  isFull = true;
  slots.wake();
  await waitForValue('Redis is asked again and again', () => asked > 2 || undefined);

  isFull = false;
  const before = looks;
  await pause(200);
  // It ends its turn, and waits.
  expect(looks - before).toBeLessThanOrEqual(2);
  await slots.close();
});
