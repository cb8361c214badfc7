/** How long ago, or until, in one unit. */

type RelativeTimeValue = {
  readonly value: number;
  readonly unit: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';
};

const [minute, hour, day, month, year] = [60, 3_600, 86_400, 2_629_800, 31_557_600];

/**
 * Below 24 hours in whole units. From 24 hours on in days of the local calendar, so that "tomorrow" is the next date and no
 * other.
 */
export function relativeTimeOf(at: Date, now: Date): RelativeTimeValue {
  const seconds = (+at - +now) / 1_000;
  const size = Math.abs(seconds);
  const inUnits = (unit: RelativeTimeValue['unit'], length: number) => {
    return { value: Math.trunc(seconds / length), unit };
  };
  if (size < minute) return inUnits('second', 1);
  if (size < hour) return inUnits('minute', minute);
  if (size < day) return inUnits('hour', hour);
  if (size < month) return { value: dayNumberOf(at) - dayNumberOf(now), unit: 'day' };
  if (size < year) return inUnits('month', month);
  return inUnits('year', year);
}

/** Days since 1970 of the local date. UTC days all have 24 hours. */
const dayNumberOf = (at: Date): number =>
  Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / (day * 1_000);
