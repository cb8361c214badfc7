import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { startDispatcher } from '../../../src/delivery/dispatcher.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createDisabledGate } from '../../../src/delivery/disabled-channels.ts';

afterEach(() => jest.useRealTimers());

test('without due deliveries the dispatcher polls each second for half a minute, then each other second', async () => {
  jest.useFakeTimers();
  let polls = 0;
  const dispatcher = startDispatcher({
    deliveries: {
      async findDue() {
        polls += 1;
        return [];
      },
      claim: async () => [],
      findClaimed: async () => [],
      postpone: async () => undefined,
      delay: async () => undefined,
    },
    gate: createDisabledGate({ get: async () => null }),
    attempt: async () => undefined,
    reportSpent: () => undefined,
    leaseMs: 60_000,
    random: () => 0.5,
    logger: silentLogger(),
    metrics: createMetrics(),
    clock: systemClock,
  });
  await jest.advanceTimersByTimeAsync(29_500);
  expect(polls).toBe(30);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(polls).toBe(60);
  dispatcher.wake();
  await jest.advanceTimersByTimeAsync(0);
  expect(polls).toBe(61);
  await dispatcher.close();
});
