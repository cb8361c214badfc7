import { newEvent } from '../../../src/domain/events/new-event.ts';
import { createResendCounter } from '../../../src/receiving/recording/resend-counter.ts';

const resendOf = (externalId: string) =>
  newEvent({
    webhookId: 'webhook',
    channelId: 'channel',
    externalId,
    dedupKeys: [externalId],
    delivery: { headers: {}, query: {}, body: Buffer.from('{}'), contentType: 'application/json' },
    bodySha256: 'hash',
    bodyBytes: 2,
    mappingVersion: 1,
    isHeld: false,
    receivedAt: new Date(0),
    now: new Date(0),
  } as unknown as Parameters<typeof newEvent>[0]);

test('resends are counted in small calls, one at a time, with a pause of bounded length after each', async () => {
  const calls: number[] = [];
  const pauses: number[] = [];
  let active = 0;
  const counter = createResendCounter({
    events: {
      countResends: async (resends) => {
        calls.push(resends.length);
        active += 1;
        await new Promise((resolve) => setImmediate(resolve));
        active -= 1;
        return resends.map(() => ({ eventId: 'first', revived: false }));
      },
    },
    queue: { hint: () => undefined },
    maxPending: 200,
    pause: (ms) => {
      expect(active).toBe(0);
      pauses.push(ms);
      return Promise.resolve();
    },
  });
  await Promise.all(Array.from({ length: 49 }, (_, n) => counter.count(resendOf(`e-${n}`))));
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toEqual([1, 16, 16, 16]);
  expect(pauses).toHaveLength(4);
  for (const ms of pauses) {
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(250);
  }
});
