/** Relative times, with the full local time as title. */
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { relativeTimeOf } from './relative-time.ts';

const updateMs = 15_000;

/** What happened since the last update is now, not in the future. */
const notAhead = (atMs: number, nowMs: number): Date =>
  new Date(atMs > nowMs && atMs - nowMs <= updateMs ? nowMs : atMs);

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
  const { value, unit } = relativeTimeOf(notAhead(Date.parse(at), now), new Date(now));
  const whole = intl.formatDate(at, { dateStyle: 'full', timeStyle: 'long' });
  return (
    <time dateTime={at} title={whole}>
      {intl.formatRelativeTime(value, unit, { numeric: 'auto' })}
    </time>
  );
}

/** When something ends: the date and time, and how long until then. */
export function Deadline({ at }: { readonly at: string }) {
  const intl = useIntl();
  const now = useNow();
  const { value, unit } = relativeTimeOf(new Date(at), new Date(now));
  return (
    <time dateTime={at} title={intl.formatDate(at, { dateStyle: 'full', timeStyle: 'long' })}>
      {intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })} (
      {intl.formatRelativeTime(value, unit, { numeric: 'auto' })})
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
