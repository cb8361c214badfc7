// The lease of an Idempotency-Key while its request is in progress.
import { systemClock } from '../../../src/base/clock.ts';
import { createIdempotency } from '../../../src/api/access/idempotency.ts';
import type { IdempotencyRecord } from '../../../src/domain/access/idempotency.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a request that takes longer than the lease keeps its key, and renews no more once it has ended', async () => {
  let renewals = 0;
  const idempotency = {
    isAnswered: () => Promise.resolve(false),
    claim: (claim: object) => Promise.resolve({ ...claim } as IdempotencyRecord),
    renew: () => Promise.reject(new Error(`renewal ${(renewals += 1)}`)),
    saveAnswer: () => Promise.resolve(true),
    release: () => Promise.resolve(),
  };
  const attempt = createIdempotency({
    idempotency,
    logger: silentLogger(),
    clock: systemClock,
  });
  const slow = new Promise<string>((resolve) => setTimeout(resolve, 90_000, 'done'));
  const ended = (await attempt({ secret: 'token', key: 'key', tokenId: 't' })).once('asked', {
    execute: () => slow,
    shorten: (answer) => answer,
  });
  await jest.advanceTimersByTimeAsync(90_000);
  expect(await ended).toEqual({ answer: 'done', isRepeated: false });
  expect(renewals).toBe(4);
  await jest.advanceTimersByTimeAsync(90_000);
  expect(renewals).toBe(4);
});
