import { isZone, readDate } from '../date.ts';
import type { Transform } from '../transform.ts';
import { refuse } from '../transform.ts';

type Options = { zone?: string; format?: string };

export const date: Transform<Options> = {
  name: 'date',
  doc: 'Reads a date as ISO 8601 in UTC. `zone` (IANA, or +hh:mm) is for values that do not say theirs; `format` is in the tokens of Luxon.',
  example: {
    options: { zone: 'America/Sao_Paulo' },
    from: '06/01/2026 09:00',
    to: '2026-01-06T12:00:00.000Z',
  },
  options: {
    type: 'object',
    properties: {
      zone: { type: 'string', minLength: 1, maxLength: 64 },
      format: { type: 'string', minLength: 1, maxLength: 64 },
    },
    additionalProperties: false,
  },
  check: ({ zone, format }) => {
    if (zone !== undefined && !isZone(zone)) return `There is no time zone ${zone}.`;
    return format === undefined || isFormat(format) ? null : 'The format reads no date.';
  },
  apply(value, { options }) {
    const read = readDate(value, options);
    return 'iso' in read ? { value: read.iso } : refuse(read.problem, read.message);
  },
};

// A format that names no part of a date would read every text as today.
const isFormat = (format: string): boolean => /[yMdDLokWn]/.test(format.replace(/'[^']*'/g, ''));
