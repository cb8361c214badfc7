import { isTimeZone, readDate, type DateOptions } from '../dates/read-date.ts';
import { documentProblem } from '../document-problem.ts';
import { charge } from '../expressions/work-budget.ts';
import { transformProblem, optionsSchema, type Transform } from './transform.ts';
import { textWith } from '../../base/texts/texts.ts';

export const date: Transform<DateOptions> = {
  name: 'date',
  doc: 'Reads a date as ISO 8601 in UTC. `zone` (an IANA name or +hh:mm) applies to values without a zone. `order` says whether 01/06 is 1 June (dmy, the default) or 6 January (mdy). With `format`, in Luxon tokens, only that format is read.',
  examples: [
    {
      options: { zone: 'America/Sao_Paulo' },
      from: '06/01/2026 09:00',
      to: '2026-01-06T12:00:00.000Z',
    },
    {
      options: { zone: '-03:00', order: 'mdy' },
      from: '01/06/2026 9:00 AM',
      to: '2026-01-06T12:00:00.000Z',
    },
    {
      options: { zone: 'America/Sao_Paulo' },
      from: '6 de janeiro de 2026 às 9h30',
      to: '2026-01-06T12:30:00.000Z',
    },
    {
      options: { format: "yyyy.MM.dd HH'h'mm ZZ" },
      from: '2026.01.06 09h30 -03:00',
      to: '2026-01-06T12:30:00.000Z',
    },
    { from: 1767700800, to: '2026-01-06T12:00:00.000Z' },
    { from: 'Tue, 06 Jan 2026 09:00:00 -0300', to: '2026-01-06T12:00:00.000Z' },
  ],
  options: optionsSchema({
    zone: { type: 'string', minLength: 1, maxLength: 64 },
    format: { type: 'string', minLength: 1, maxLength: 64 },
    order: { type: 'string', enum: ['dmy', 'mdy'] },
  }),
  // Five to seven microseconds for a usual date, 30 for the longest text that is read.
  workOf: (length) => 100 + 4 * Math.min(length, 100),
  check: ({ zone, format }) => {
    if (zone !== undefined && !isTimeZone(zone)) {
      return documentProblem('date_zone', textWith('transform.date_zone', { zone }), zone);
    }
    return format === undefined || isFormat(format)
      ? null
      : documentProblem('date_format', 'transform.date_format');
  },
  apply(value, { options, budget }) {
    if (options.format !== undefined) charge(budget, formatWork);
    const read = readDate(value, options);
    return 'iso' in read ? { value: read.iso } : transformProblem(read.problem, read.message);
  },
};

// Luxon takes 45 µs to read a format.
const formatWork = 900;

// Luxon takes the units that a format does not read from today, so a format without a year would depend on the clock.
const isFormat = (format: string): boolean => /[ykDfFXx]/.test(format.replace(/'[^']*'/g, ''));
