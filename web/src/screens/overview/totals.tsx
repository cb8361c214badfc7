/** The counts of the chosen period. */
import { clsx } from 'clsx';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useDeadLetterCount } from '../../api/dead-letter-count.ts';
import { pollIntervalMs, type TimeRange } from './time-range.ts';
import styles from './overview.module.css';

type Totals = Answer<'getStats'>['totals'];

type TileProps = {
  readonly name: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly tone?: 'bad' | undefined;
  readonly href?: string | undefined;
};

function Tile({ name, value, hint, tone, href }: TileProps) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: `overview.${name}` });
  return (
    <div className={clsx('card', styles.tile)}>
      <dt>{href === undefined ? label : <Link href={href}>{label}</Link>}</dt>
      <dd className="numbers">{value}</dd>
      <dd className={clsx('small', tone === 'bad' ? styles.bad : 'soft')}>
        {hint ?? formatMessage({ id: `overview.${name}.hint` })}
      </dd>
    </div>
  );
}

/** Durations with at most two decimals. */
function useDuration(): (ms: number | null) => string {
  const { formatNumber } = useIntl();
  const unit = (value: number, of: string) =>
    formatNumber(value, {
      style: 'unit',
      unit: of,
      unitDisplay: 'short',
      maximumFractionDigits: value < 10 ? 1 : 0,
    });
  return (ms) => {
    if (ms === null) return '—';
    if (ms < 1_000) return unit(ms, 'millisecond');
    if (ms < 60_000) return unit(ms / 1_000, 'second');
    if (ms < 3_600_000) return unit(ms / 60_000, 'minute');
    return unit(ms / 3_600_000, 'hour');
  };
}

type TotalsProps = {
  readonly totals: Totals;
  /** Of the period before; undefined while they are loaded. */
  readonly before: Totals | undefined;
  readonly range: TimeRange;
};

/** What is open now, then what happened in the period. */
export function OverviewTotals({ totals, before, range }: TotalsProps) {
  const { formatMessage, formatNumber } = useIntl();
  const duration = useDuration();
  const { received, done, ignored, duplicates, p50Ms, p95Ms, p99Ms } = totals;
  const hint = (name: string, values: Record<string, number | undefined>) =>
    before ? formatMessage({ id: `overview.${name}.hint.${range}` }, values) : '…';
  return (
    <section aria-label={formatMessage({ id: `overview.numbers.${range}` })}>
      <dl className={styles.tiles}>
        <Open hint={hint('dead', { count: totals.dead, before: before?.dead })} />
        <Backlog />
        <Tile
          name="received"
          value={formatNumber(received)}
          hint={hint('received', { before: before?.received, duplicates })}
          href="/events"
        />
        <Tile
          name="done"
          value={formatNumber(done + ignored)}
          hint={formatMessage({ id: 'overview.done.hint' }, { ignored })}
          href="/events?state=done,ignored"
        />
        <Tile
          name="time"
          value={duration(p50Ms)}
          hint={
            p50Ms === null
              ? formatMessage({ id: 'overview.time.none' })
              : formatMessage(
                  { id: 'overview.time.more' },
                  { p95: duration(p95Ms), p99: duration(p99Ms) },
                )
          }
        />
      </dl>
    </section>
  );
}

/** The failed events that nobody has replayed or discarded, of any age. */
function Open({ hint }: { readonly hint: string }) {
  const { formatNumber } = useIntl();
  const open = useDeadLetterCount();
  return (
    <Tile
      name="open"
      value={open === undefined ? '—' : formatNumber(open)}
      hint={hint}
      tone={open ? 'bad' : undefined}
      href={open ? '/dead-letters' : undefined}
    />
  );
}

/** Of the whole installation; a restricted token may not read it. */
function Backlog() {
  const { formatMessage, formatNumber } = useIntl();
  const health = useApiQuery(
    'getStatsHealth',
    {},
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  if (health.isError && !health.data) return null;
  const backlog = health.data?.backlog;
  if (!backlog) return <Tile name="backlog" value="—" />;
  const isMore = backlog.open >= backlog.upTo;
  const held =
    backlog.held > 0
      ? formatMessage({ id: 'overview.backlog.held' }, { count: backlog.held })
      : undefined;
  return (
    <Tile
      name="backlog"
      value={`${isMore ? '≥ ' : ''}${formatNumber(backlog.open)}`}
      hint={held}
      href="/events?state=received,processing,waiting"
    />
  );
}
