import { Writable } from 'node:stream';
import { pino } from 'pino';
import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import type { Outcome } from '../../../src/domain/events/outcome.ts';
import { reportFinished } from '../../../src/processing/report.ts';
import { eventRecordOf } from '../../support/fixtures/event-record.ts';

const ignored: Outcome = { kind: 'ignored', reason: 'filter' };
const dead: Outcome = { kind: 'dead', reason: 'contact_unidentified' };
const retry: Outcome = { kind: 'retry', reason: 'internal_error' };

type Line = Readonly<Record<string, unknown>>;

/** Returns the log lines of a set at this level. */
function linesAt(level: 'info' | 'debug', outcomes: readonly Outcome[]): Line[] {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Line);
      done();
    },
  });
  const finishes = outcomes.map((outcome, n) => ({
    event: { ...eventRecordOf(`e${n}`), _id: `e${n}`, claimToken: 't', leaseUntil: new Date() },
    outcome,
    delayMs: 0,
  }));
  const deps = { logger: pino({ level }, stream), metrics: createMetrics(), clock: systemClock };
  reportFinished(deps, finishes as never, 12.4);
  return lines;
}

test('a set has one line with the numbers of its outcomes, and each dead or retried event one with its id', () => {
  const lines = linesAt('info', [ignored, ignored, dead, retry]);
  expect(lines[0]).toMatchObject({
    msg: 'events.processed',
    events: 4,
    ignored: 2,
    dead: 1,
    retry: 1,
    durationMs: 12,
  });
  expect(lines.slice(1).map(({ msg, eventId }) => [msg, eventId])).toEqual([
    ['event.processed', 'e2'],
    ['event.processed', 'e3'],
  ]);
});

test('at the level debug each event has a line', () => {
  const lines = linesAt('debug', [ignored, dead]);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'events.processed',
    'event.processed',
    'event.processed',
  ]);
});

test('a set without an outcome has no line', () => {
  expect(linesAt('debug', [])).toEqual([]);
});
