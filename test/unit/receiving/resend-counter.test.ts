import { createResendCounter } from '../../../src/receiving/recording/resend-counter.ts';
import { eventRecordOf } from '../../support/fixtures/event-record.ts';

function createCounter(callMs: readonly number[], hasNewEvents: () => boolean) {
  const calls: number[] = [];
  const pauses: number[] = [];
  let now = 0;
  const counter = createResendCounter({
    events: {
      countResends: async (resends) => {
        now += callMs[calls.length] ?? 0;
        calls.push(resends.length);
        await Promise.resolve();
        return resends.map(() => ({ eventId: 'first', revived: false }));
      },
    },
    queue: { hint: () => undefined },
    maxPending: 200,
    hasNewEvents,
    nowMs: () => now,
    pause: async (ms) => void pauses.push(ms),
  });
  const countAll = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => counter.count(eventRecordOf(`e-${n}`))));
  return { countAll, calls, pauses };
}

test('resends are counted in small calls; a rest of four times its duration follows each, 250 ms at most', async () => {
  const { countAll, calls, pauses } = createCounter([10, 100], () => true);
  await countAll(1);
  await countAll(1);
  expect(pauses).toEqual([40, 250]);
  await countAll(40);
  expect(Math.max(...calls)).toBe(16);
});

test('while no new events arrive, there is no rest', async () => {
  const { countAll, pauses } = createCounter([10, 10, 10], () => false);
  await countAll(18);
  expect(pauses).toEqual([]);
});
