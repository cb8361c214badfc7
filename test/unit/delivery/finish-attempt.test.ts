// The record of an attempt's outcome: an outage of MongoDB is waited for, and an error of another kind is not.
import { AppError } from '../../../src/base/errors.ts';
import { finishAttempt } from '../../../src/delivery/finish-attempt.ts';
import { newDelivery } from '../../../src/domain/messages/delivery.ts';
import type { Outbound } from '../../../src/store/chats/deliveries.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const message: Outbound = { _id: 'm', channelId: 'c', delivery: newDelivery() };
const clock = { now: () => new Date(), elapsedMs: () => Date.now() };

/** Returns how often it was tried to record, with an error for this long. */
async function triesDuring(error: Error, forMs: number): Promise<{ tries: number; ok: boolean }> {
  const untilMs = Date.now() + forMs;
  let [tries, ok] = [0, false];
  const finish = () => {
    tries += 1;
    if (Date.now() < untilMs) return Promise.reject(error);
    ok = true;
    return Promise.resolve(true);
  };
  const logger = silentLogger();
  const deps = { deliveries: { finish }, random: () => 1, clock, logger };
  const finished = finishAttempt(deps, message, { kind: 'delivered' });
  await jest.advanceTimersByTimeAsync(3_600_000);
  await finished;
  return { tries, ok };
}

test.each([30_000, 300_000])(
  'an outage of %i ms ends before the outcome is given up',
  async (ms) => {
    expect(await triesDuring(new AppError('unavailable'), ms)).toMatchObject({ ok: true });
  },
);

test('an outage of an hour is not waited for to its end', async () => {
  const { ok, tries } = await triesDuring(new AppError('unavailable'), 3_600_000);
  expect([ok, tries]).toEqual([false, 201]);
});

test('another error is tried four times', async () => {
  expect(await triesDuring(new Error('a bug'), 3_600_000)).toEqual({ ok: false, tries: 4 });
});
