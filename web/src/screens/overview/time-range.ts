/** The period of the overview, and its counts in few enough bars to read. */
import type { Answer, Request } from '../../api/client.ts';

export type Counts = Answer<'getStats'>['series'][number];

export const ranges = ['hour', 'day', 'week'] as const;
export type TimeRange = (typeof ranges)[number];

export const parseRange = (word: string | null): TimeRange =>
  ranges.find((one) => one === word) ?? 'day';

export const pollIntervalMs = 10_000;

const hourMs = 3_600_000;
const hoursOfWeek = 168;

/** Rounded to the hour, so that the query key stays stable. */
export function queryOf(range: TimeRange, now = Date.now()): Request<'getStats'>['query'] {
  if (range === 'hour') return { by: 'minute' };
  if (range === 'day') return { by: 'hour' };
  const from = (Math.floor(now / hourMs) - hoursOfWeek + 1) * hourMs;
  return { by: 'hour', from: new Date(from).toISOString() };
}

const perBar: Readonly<Record<TimeRange, number>> = { hour: 2, day: 1, week: 6 };

const unitMs: Readonly<Record<TimeRange, number>> = { hour: 60_000, day: hourMs, week: hourMs };

/** The same length of time before `stats`. */
export function queryBefore(
  { by, series }: Pick<Answer<'getStats'>, 'by' | 'series'>,
  range: TimeRange,
): Request<'getStats'>['query'] {
  const start = Date.parse(series[0]?.at ?? '');
  if (Number.isNaN(start)) return { by };
  const from = start - series.length * unitMs[range];
  return { by, from: new Date(from).toISOString(), to: new Date(start - 1).toISOString() };
}

/** The last millisecond of the bar that begins at this time. */
export const endOf = (at: string, range: TimeRange): string =>
  new Date(Date.parse(at) + perBar[range] * unitMs[range] - 1).toISOString();

export type Period = Pick<Counts, 'at' | 'received' | 'duplicates' | 'done' | 'ignored' | 'dead'>;

export function periodsOf(series: readonly Counts[], range: TimeRange): Period[] {
  const size = perBar[range];
  const starts = series.filter((_, at) => at % size === 0);
  return starts.map(({ at }, index) => {
    const within = series.slice(index * size, (index + 1) * size);
    const sum = (name: Exclude<keyof Period, 'at'>) =>
      within.reduce((total, one) => total + one[name], 0);
    return {
      at,
      received: sum('received'),
      duplicates: sum('duplicates'),
      done: sum('done'),
      ignored: sum('ignored'),
      dead: sum('dead'),
    };
  });
}
