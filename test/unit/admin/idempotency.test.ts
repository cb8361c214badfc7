// The lease of an Idempotency-Key while its request is in progress.
import { systemClock } from '../../../src/base/clock.ts';
import { createIdempotency } from '../../../src/api/access/idempotency.ts';
import { scriptedConnection } from '../../support/context/scripted-connection.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

type ClaimStage = {
  readonly $set: Readonly<Record<string, { readonly $cond: readonly unknown[] }>>;
};

/** The record after a claim of a free key. */
const claimedBy = ([stage]: readonly ClaimStage[]) =>
  Object.fromEntries(
    Object.entries(stage?.$set ?? {}).flatMap(
      ([
        field,
        {
          $cond: [, value],
        },
      ]) => (field === 'answer' ? [] : [[field, value]]),
    ),
  );

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a request that takes longer than the lease keeps its key, and renews no more once it has ended', async () => {
  let renewals = 0;
  const connection = scriptedConnection((name, [, update]) => {
    if (name.endsWith('findOne')) return null;
    if (name.endsWith('findOneAndUpdate')) return claimedBy(update as readonly ClaimStage[]);
    if (JSON.stringify(update).includes('leaseUntil'))
      throw new Error(`renewal ${(renewals += 1)}`);
    return { matchedCount: 1 };
  });
  const attempt = createIdempotency({
    connection,
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
