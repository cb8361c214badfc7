/**
 * The rhythm of a sender: in which hours of the week it sends, over the last weeks before its last event. A silence is
 * unusual when, by this rhythm, it would happen by chance only once in many times.
 *
 * Hours in which the sender never sends, such as nights and weekends, add nothing to that, so a silence over them is usual.
 */

const hoursOfWeek = 168;
/** Weeks that are learned from. */
const maxWeeks = 4;

const hourMs = 3_600_000;
const weekMs = hoursOfWeek * hourMs;

export type Rhythm = {
  /** Whole weeks that were observed, at most `maxWeeks`. */
  readonly weeks: number;
  /** For each hour of the week (UTC, from Thursday 00:00 as the epoch): in how many of these weeks it had an event. */
  readonly hits: readonly number[];
};

const hourOf = (date: Date): number => Math.floor(+date / hourMs);
const slotOf = (hour: number): number => hour % hoursOfWeek;

type Observed = {
  /** The beginnings of the hours with at least one event. */
  readonly hours: readonly Date[];
  /** The time of the last event. */
  readonly lastAt: Date;
};

/** Learns the rhythm from the weeks that end with the last event, so that a silence does not change it. */
export function learnRhythm({ hours, lastAt }: Observed): Rhythm {
  const end = hourOf(lastAt) + 1;
  const seen = hours.map(hourOf).filter((hour) => hour < end);
  const first = seen.reduce((least, hour) => Math.min(least, hour), end);
  const weeks = Math.min(maxWeeks, Math.floor((end - first) / hoursOfWeek));
  const hits = Array.from({ length: hoursOfWeek }, () => 0);
  for (const hour of new Set(seen)) {
    if (hour < end - weeks * hoursOfWeek) continue;
    const slot = slotOf(hour);
    hits[slot] = (hits[slot] ?? 0) + 1;
  }
  return { weeks, hits };
}

type Silence = {
  /** The last event, or since when the installation has observed, whichever is later. */
  readonly since: Date;
  readonly now: Date;
};

/** Longer silences are no more unusual. */
const maxHours = 60 * 24;

/** Returns the chance of such a silence, from 0 to 1, by its whole hours. 1 for a sender that is not known for a week. */
export function chanceOfSilence({ weeks, hits }: Rhythm, { since, now }: Silence): number {
  if (weeks < 1) return 1;
  const from = hourOf(since) + 1;
  const to = Math.min(hourOf(now), from + maxHours);
  let chance = 1;
  for (let hour = from; hour < to; hour += 1) {
    chance *= 1 - (hits[slotOf(hour)] ?? 0) / (weeks + 1);
  }
  return chance;
}

/** How far back hours are read to learn a rhythm. */
export const learnedMs = (maxWeeks + 1) * weekMs;
