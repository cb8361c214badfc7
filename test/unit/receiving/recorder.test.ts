import type { EventRecord } from '../../../src/domain/events/event.ts';
import { newEvent } from '../../../src/domain/events/new-event.ts';
import { createRecorder } from '../../../src/receiving/recording/recorder.ts';

const recordOf = (externalId: string): EventRecord =>
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
  });

test('a storm of resends beyond the bound is rejected without inserts', async () => {
  let inserts = 0;
  let isStalled = false;
  const { record } = createRecorder({
    events: {
      insert: (records) => {
        inserts += records.length;
        return Promise.resolve(records.map(() => 'known' as const));
      },
      countResends: (resends) =>
        isStalled
          ? new Promise(() => undefined)
          : Promise.resolve(resends.map(() => ({ eventId: 'first', revived: false }))),
    },
    queue: { hint: () => undefined },
    maxPending: 80,
  });
  for (let n = 0; n < 20; n += 1) await record(recordOf('first'));
  isStalled = true;
  inserts = 0;
  // A quarter of 80 may wait, half of them of one webhook.
  const waiting = Array.from({ length: 10 }, () => record(recordOf('first')));
  for (const one of waiting) void one.catch(() => undefined);
  await expect(record(recordOf('first'))).rejects.toMatchObject({ code: 'overloaded' });
  expect(inserts).toBe(0);
});
