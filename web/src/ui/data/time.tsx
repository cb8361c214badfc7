/** Relative times, with the full local time as title. */
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';

const steps = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function relativeUnit(seconds: number): {
  value: number;
  unit: Intl.RelativeTimeFormatUnitSingular;
} {
  const size = Math.abs(seconds);
  const [unit, length] = steps.find(([, min]) => size >= min) ?? ['second', 1];
  return { value: Math.trunc(seconds / length), unit };
}

const updateMs = 15_000;

/** What happened since the last update is now, not in the future. */
function secondsSince(atMs: number, nowMs: number): number {
  const seconds = (atMs - nowMs) / 1_000;
  return seconds > 0 && seconds * 1_000 <= updateMs ? 0 : seconds;
}

/** Updates every 15 seconds. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), updateMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function RelativeTime({ at }: { readonly at: string }) {
  const intl = useIntl();
  const now = useNow();
  const { value, unit } = relativeUnit(secondsSince(Date.parse(at), now));
  const whole = intl.formatDate(at, { dateStyle: 'full', timeStyle: 'long' });
  return (
    <time dateTime={at} title={whole}>
      {intl.formatRelativeTime(value, unit, { numeric: 'auto' })}
    </time>
  );
}

/** Date and time, for comparing. */
export function Timestamp({ at }: { readonly at: string }) {
  const intl = useIntl();
  return (
    <time dateTime={at} title={intl.formatDate(at, { dateStyle: 'full', timeStyle: 'long' })}>
      {intl.formatDate(at, { dateStyle: 'short', timeStyle: 'medium' })}
    </time>
  );
}
