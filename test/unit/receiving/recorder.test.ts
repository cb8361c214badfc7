import { pino } from 'pino';
import { createRecorder } from '../../../src/receiving/recording/recorder.ts';
import { eventRecordOf } from '../../support/fixtures/event-record.ts';

type Line = Readonly<Record<string, number>> & { readonly msg: string };

test('the inserts of events are logged with their numbers, not each event', async () => {
  const lines: Line[] = [];
  const stream = { write: (text: string) => void lines.push(JSON.parse(text) as Line) };
  const { record } = createRecorder({
    events: {
      insert: async (records) =>
        records.map(({ _id }) => {
          if (_id === 'bad') return new Error('failed');
          return _id === 'again' ? 'known' : 'inserted';
        }),
      countResends: async (resends) => resends.map(() => ({ eventId: 'first', revived: false })),
    },
    queue: { hint: () => undefined },
    logger: pino({}, stream),
  });
  await Promise.allSettled(
    ['a', 'b', 'again', 'bad'].map((_id) => record({ ...eventRecordOf(_id), _id })),
  );
  const sumOf = (name: string) => lines.reduce((sum, line) => sum + (line[name] ?? 0), 0);
  expect([sumOf('events'), sumOf('resends'), sumOf('failed')]).toEqual([2, 1, 1]);
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(new Set(['events.received']));
  expect(JSON.stringify(lines)).not.toContain('eventId');
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
  for (let n = 0; n < 20; n += 1) await record(eventRecordOf('first'));
  isStalled = true;
  inserts = 0;
  // A quarter of 80 may wait, half of them of one webhook.
  const waiting = Array.from({ length: 10 }, () => record(eventRecordOf('first')));
  for (const one of waiting) void one.catch(() => undefined);
  await expect(record(eventRecordOf('first'))).rejects.toMatchObject({ code: 'overloaded' });
  expect(inserts).toBe(0);
});
