import { startSyncedClock } from '../../../src/base/clock.ts';

/** A machine whose system time may be wrong, and whose monotonic clock is correct. */
function machine(calendarMs: number) {
  const own = { calendarMs, elapsedMs: 1_000 };
  return {
    own,
    clock: { now: () => new Date(own.calendarMs), elapsedMs: () => own.elapsedMs },
    pass: (ms: number) => {
      own.elapsedMs += ms;
      own.calendarMs += ms;
    },
  };
}

const noon = Date.parse('2026-01-06T12:00:00Z');
const tenMinutes = 600_000;

test.each([-tenMinutes, 0, tenMinutes])(
  'a machine that is %s ms off shows the time that it was answered',
  async (skewMs) => {
    const { clock, pass } = machine(noon + skewMs);
    const synced = await startSyncedClock(() => Promise.resolve(new Date(noon)), clock);
    pass(2_500);
    expect(+synced.now()).toBe(noon + 2_500);
    synced.close();
  },
);

test('a change of the system time has no effect', async () => {
  const { clock, own } = machine(noon);
  const synced = await startSyncedClock(() => Promise.resolve(new Date(noon)), clock);
  own.calendarMs += tenMinutes;
  expect(+synced.now()).toBe(noon);
  synced.close();
});

test('the answer is assumed to be half a round trip old', async () => {
  const { clock, pass } = machine(noon - tenMinutes);
  const ask = () => {
    pass(400);
    return Promise.resolve(new Date(noon));
  };
  const synced = await startSyncedClock(ask, clock);
  expect(+synced.now()).toBe(noon + 200);
  synced.close();
});

test('without an answer the clock shows the system time', async () => {
  const { clock, pass } = machine(noon);
  const synced = await startSyncedClock(() => Promise.reject(new Error('away')), clock);
  pass(1_000);
  expect(+synced.now()).toBe(noon + 1_000);
  synced.close();
});
