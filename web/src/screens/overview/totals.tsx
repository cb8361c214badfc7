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

export function OverviewTotals({
  totals,
  range,
}: {
  readonly totals: Totals;
  readonly range: TimeRange;
}) {
  const { formatMessage, formatNumber } = useIntl();
  const duration = useDuration();
  const { received, done, duplicates, dead, p50Ms, p95Ms, p99Ms } = totals;
  return (
    <section aria-label={formatMessage({ id: `overview.numbers.${range}` })}>
      <dl className={styles.tiles}>
        <Tile name="received" value={formatNumber(received)} href="/events" />
        <Tile name="done" value={formatNumber(done)} href="/events?state=done" />
        <Tile name="duplicates" value={formatNumber(duplicates)} />
        <Dead count={dead} />
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
        <Backlog />
      </dl>
    </section>
  );
}

/** Dead letters of the period, and how many are still open; only those are highlighted. */
function Dead({ count }: { readonly count: number }) {
  const { formatMessage, formatNumber } = useIntl();
  const open = useDeadLetterCount();
  return (
    <Tile
      name="dead"
      value={formatNumber(count)}
      hint={open === undefined ? '…' : formatMessage({ id: 'overview.dead.open' }, { open })}
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
