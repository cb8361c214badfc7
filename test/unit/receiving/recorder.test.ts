import { createRecorder } from '../../../src/receiving/recording/recorder.ts';
import { eventRecordOf } from '../../support/fixtures/event-record.ts';

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
  for (let n = 0; n < 20; n += 1) await record(eventRecordOf('first'));
  isStalled = true;
  inserts = 0;
  // A quarter of 80 may wait, half of them of one webhook.
  const waiting = Array.from({ length: 10 }, () => record(eventRecordOf('first')));
  for (const one of waiting) void one.catch(() => undefined);
  await expect(record(eventRecordOf('first'))).rejects.toMatchObject({ code: 'overloaded' });
  expect(inserts).toBe(0);
});
