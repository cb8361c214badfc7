/** Durations as text: `30 s, 2 min, 1 h`. */
import { useIntl } from 'react-intl';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The server's default delays, in seconds. */
export const defaultDelays = [
  5,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
];

const maxSeconds = day;
const maxDurations = 19;
const sizes: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  m: minute,
  min: minute,
  h: hour,
  d: day,
};

function secondsOf(text: string): number | null {
  const [, amount = '', unit = ''] = /^(\d+)\s*(s|m|min|h|d)?$/i.exec(text.trim()) ?? [];
  const seconds = Number(amount) * (sizes[unit.toLowerCase()] ?? 0);
  return seconds >= 1 && seconds <= maxSeconds ? seconds : null;
}

/** Null when a part is invalid or too long, or when there are too many. */
export function parseDurations(text: string): number[] | null {
  const spans = text.split(/[,;]/).map(secondsOf);
  const seconds = spans.filter((span) => span !== null);
  return seconds.length === spans.length && seconds.length <= maxDurations ? seconds : null;
}

/** `short` is the format that `parseDurations` reads. */
export function useDurationFormat(): { readonly short: (seconds: number) => string } {
  const { formatNumber } = useIntl();
  const plain = (value: number) => formatNumber(value, { useGrouping: false });
  return {
    short: (seconds) => {
      if (seconds % hour === 0) return `${plain(seconds / hour)} h`;
      if (seconds % minute === 0) return `${plain(seconds / minute)} min`;
      return `${plain(seconds)} s`;
    },
  };
}
