/**
 * Parses dates such as `2026-01-06 09:00`, `06/01/2026`, `6 de janeiro de 2026 às 9h30`, `Jan 6, 2026 9:00 PM` and
 * `Tue, 06 Jan 2026 09:00:00 -0300`. The patterns do not backtrack: none has two ways to match a text.
 */

export type DateOrder = 'dmy' | 'mdy';

/** A date and time as if it were UTC, and the offset in the text; null when the text has none. */
export interface DateText {
  localMs: number;
  offsetMs: number | null;
}

interface Day {
  year: number;
  month: number;
  day: number;
  rest: string;
}

const numeric = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?!\d)/;
const weekday = /^\p{L}{3,9}(?:-feira)?\.?,? +(?=[\p{L}\d])/u;
const dayFirst =
  /^(\d{1,2})(?:[ºª°]|st|nd|rd|th)?(?:-| +(?:de +)?)(\p{L}{3,10})\.?,?(?:-| +(?:del? +)?)(\d{4})(?!\d)/u;
const monthFirst = /^(\p{L}{3,10})\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})(?!\d)/u;
const time =
  /^(?:[Tt]|,? +(?:(?:às|as|at|a las) +)?(?:- +)?)(\d{1,2})(?:[:h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?|h)(?: ?([ap])\.? ?m\.?)?/i;
const offset =
  /^ *(?:(?:z|utc|gmt)(?:([+-]\d{1,2})(?::?(\d{2}))?)?|([+-]\d{2})(?::?(\d{2}))?(?: [a-z]{3,5})?)$/i;
const comment = / *\([^()]*\)$/;
// As C, Java and Ruby write it, with the year at the end: Tue Jan  6 09:00:00 UTC 2026.
const yearLast =
  /^(?:\p{L}{3} )?(\p{L}{3}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2})( (?:UTC|GMT|[+-]\d{4}))? (\d{4})$/u;
const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{3})?)?$/;

const monthNames = [
  'january february march april may june july august september october november december',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
];

// No two months share their first three letters, in the three languages together.
const months: ReadonlyMap<string, number> = new Map(
  monthNames
    .flatMap((names) => names.split(' ').map((name, i) => [name, i + 1] as const))
    .flatMap(([name, month]) =>
      [name, name.slice(0, 3), name.slice(0, 4)].map((key) => [key, month]),
    ),
);

/** Returns null when the text is not a date in one of these forms. */
export function parseDateText(given: string, order: DateOrder): DateText | null {
  const text = given.replace(comment, '').replace(yearLast, '$1 $2 $5 $3$4');
  const day = readNumeric(text, order) ?? readNamed(text);
  if (day === null) return null;
  const clock = time.exec(day.rest);
  const ms = clock === null ? 0 : clockMs(clock);
  if (ms === null) return null;
  const rest = day.rest.slice(clock?.[0].length ?? 0);
  const offsetMs = clock === null ? null : readOffset(rest);
  if (offsetMs === null && rest !== '') return null;
  const localMs = dayMs(day);
  return localMs === null ? null : { localMs: localMs + ms, offsetMs };
}

/** Returns null when the text is not a date such as `202601061200` or `20260106120000`. */
export function parseCompactDate(text: string): DateText | null {
  const [, year, month, day, ...clock] = compact.exec(text) ?? [];
  if (year === undefined) return null;
  const date = dayMs({ year: Number(year), month: Number(month), day: Number(day) });
  const ms = clockMs(['', ...clock]);
  return date === null || ms === null ? null : { localMs: date + ms, offsetMs: null };
}

function readNumeric(text: string, order: DateOrder): Day | null {
  const found = numeric.exec(text);
  if (found === null) return null;
  const [whole, first = '', , second = '', third = ''] = found;
  const rest = text.slice(whole.length);
  if (first.length === 4 && third.length <= 2) {
    return { year: Number(first), month: Number(second), day: Number(third), rest };
  }
  if (first.length > 2 || third.length !== 4) return null;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  return { year: Number(third), month: Number(month), day: Number(day), rest };
}

function readNamed(given: string): Day | null {
  const text = given.replace(weekday, (word) =>
    monthOf(word.replace(/[.\s]/g, '')) === null ? '' : word,
  );
  const found = dayFirst.exec(text);
  if (found !== null) return named(text, found, [1, 2, 3]);
  const other = monthFirst.exec(text);
  return other === null ? null : named(text, other, [2, 1, 3]);
}

function named(
  text: string,
  found: RegExpExecArray,
  [day, name, year]: [number, number, number],
): Day | null {
  const month = monthOf(found[name] ?? '');
  if (month === null) return null;
  const rest = text.slice(found[0].length);
  return { year: Number(found[year]), month, day: Number(found[day]), rest };
}

const monthOf = (name: string): number | null => months.get(name.toLowerCase()) ?? null;

function dayMs({ year, month, day }: Omit<Day, 'rest'>): number | null {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  // JavaScript moves a day that the month does not have into the next month.
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1 ? ms : null;
}

function clockMs([, hour, minute, second, fraction, half]: readonly (string | undefined)[]):
  | number
  | null {
  const [minutes, seconds] = [Number(minute ?? 0), Number(second ?? 0)];
  const hours = hoursOf(Number(hour), half);
  if (hours === null || minutes > 59 || seconds > 59) return null;
  const ms = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms;
}

function hoursOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function readOffset(text: string): number | null {
  const found = offset.exec(text);
  if (found === null) return null;
  const [, namedHours, namedMinutes, hours = namedHours ?? '0', minutes = namedMinutes ?? '0'] =
    found;
  const total = Math.abs(Number(hours)) * 60 + Number(minutes);
  if (total > 14 * 60 || Number(minutes) > 59) return null;
  return (hours.startsWith('-') ? -total : total) * 60_000;
}
