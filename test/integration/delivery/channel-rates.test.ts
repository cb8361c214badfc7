// The rates of channels and recipients, as several workers take from them.
import { newId } from '../../../src/base/ids.ts';
import {
  findChannelPauses,
  pauseChannel,
  takeFromRate,
  takeRecipients,
} from '../../../src/store/channels/channel-rates.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { collectionOf } from '../../support/services/collections.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('channel_rates');
});
afterAll(() => context.close());

const take = (id: string, wanted: Parameters<typeof takeFromRate>[2]) =>
  takeFromRate(context.stores, id, wanted);

test('what several workers take in one moment is the rate of the channel', async () => {
  const id = newId();
  const since = await context.databaseTime();
  const granted = await Promise.all(
    Array.from({ length: 8 }, () => take(id, { perMinute: 600, wanted: 8 })),
  );
  const sum = granted.reduce((total, one) => total + one, 0);
  // 10 a second, and what the time of the calls adds.
  expect(sum).toBeGreaterThanOrEqual(10);
  const seconds = (+(await context.databaseTime()) - +since) / 1_000;
  expect(sum).toBeLessThanOrEqual(10 + 10 * seconds);
  const rates = collectionOf<{ _id: string; at: Date; tokens: number }>(
    context.connection,
    'channelRates',
  );
  await rates.updateOne({ _id: id }, [{ $set: { at: { $subtract: ['$$NOW', 3_600_000] } } }]);
  expect(await take(id, { perMinute: 600, wanted: 100 })).toBe(10);
  await rates.updateOne({ _id: id }, [{ $set: { at: { $add: ['$$NOW', 3_600_000] }, tokens: 0 } }]);
  expect(await take(id, { perMinute: 600, wanted: 100 })).toBe(0);
});

test('a rate of one a minute gives one', async () => {
  const id = newId();
  expect([
    await take(id, { perMinute: 1, wanted: 5 }),
    await take(id, { perMinute: 1, wanted: 5 }),
  ]).toEqual([1, 0]);
});

test('a paused channel gives nothing, and a shorter pause does not end a longer one', async () => {
  const id = newId();
  await pauseChannel(context.stores, id, 60_000);
  await pauseChannel(context.stores, id, 1);
  expect(await take(id, { perMinute: 600, wanted: 5 })).toBe(0);
  const pauses = await findChannelPauses(context.stores, [id]);
  expect(+(pauses.get(id) ?? 0)).toBeGreaterThan(Date.now() + 30_000);
});

test('of two workers one takes the next moment of a recipient', async () => {
  const id = newId();
  const both = await Promise.all(
    [1, 2].map(() =>
      takeRecipients(context.stores, id, { contactIds: ['a', 'b', 'a'], everyMs: 60_000 }),
    ),
  );
  expect(both.flatMap((taken) => [...taken]).toSorted()).toEqual(['a', 'b']);
  expect([
    ...(await takeRecipients(context.stores, id, { contactIds: ['a', 'c'], everyMs: 60_000 })),
  ]).toEqual(['c']);
});
