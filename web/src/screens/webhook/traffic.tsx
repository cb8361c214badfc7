/** Received events and outcomes by hour or day; the period is in the URL. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Bars } from '../../ui/data/chart.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { SegmentedControl } from '../../ui/forms/segmented-control.tsx';
import styles from './summary.module.css';

const units = ['minute', 'hour', 'day'] as const;
const pollIntervalMs = 10_000;

export function Traffic({ webhookId }: { readonly webhookId: string }) {
  const { formatMessage } = useIntl();
  const [params, setParams] = useSearchParams();
  const by = units.find((one) => one === params.get('by')) ?? 'hour';
  const stats = useApiQuery(
    'getStats',
    { query: { webhookId, by } },
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  return (
    <Card
      title={formatMessage({ id: 'webhook.traffic' })}
      actions={
        <SegmentedControl
          label={formatMessage({ id: 'webhook.traffic.range' })}
          segments={units.map((id) => ({
            id,
            label: formatMessage({ id: `webhook.traffic.${id}` }),
          }))}
          value={by}
          onChange={(id) => setParams(id === 'hour' ? {} : { by: id }, { replace: true })}
        />
      }
    >
      {stats.isPending && <Loading />}
      {stats.isError && !stats.data && (
        <ErrorNote error={stats.error} onRetry={() => void stats.refetch()} />
      )}
      {stats.data && <Drawn stats={stats.data} webhookId={webhookId} by={by} />}
    </Card>
  );
}

type Stats = NonNullable<ReturnType<typeof useApiQuery<'getStats'>>['data']>;

const counted = ['received', 'done', 'duplicates', 'ignored', 'dead'] as const;

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** The last millisecond of the bar that begins at this time. */
const endOf = (at: string, by: keyof typeof unitMs): string =>
  new Date(Date.parse(at) + unitMs[by] - 1).toISOString();

type DrawnProps = {
  readonly stats: Stats;
  readonly webhookId: string;
  readonly by: (typeof units)[number];
};

function Drawn({ stats: { totals, series }, webhookId, by }: DrawnProps) {
  const { formatMessage, formatNumber, formatDate } = useIntl();
  const label = (id: string) => formatMessage({ id: `webhook.count.${id}` });
  const time = (ms: number | null) =>
    ms === null
      ? '–'
      : ms < 1_000
        ? `${formatNumber(ms)} ms`
        : `${formatNumber(ms / 1_000, { maximumFractionDigits: 1 })} s`;
  return (
    <>
      <dl className={styles.summaryCounts}>
        {counted.map((name) => (
          <div key={name}>
            <dt>{label(name)}</dt>
            <dd className="numbers">{formatNumber(totals[name])}</dd>
            {name === 'dead' && <OpenDead webhookId={webhookId} />}
          </div>
        ))}
        <div>
          <dt>{label('time')}</dt>
          <dd className="numbers">{time(totals.p95Ms)}</dd>
        </div>
      </dl>
      <Bars
        label={formatMessage(
          { id: 'webhook.traffic.words' },
          { received: totals.received, dead: totals.dead },
        )}
        bars={series.map(({ at, received, dead }) => ({
          at,
          one: Math.max(0, received - dead),
          two: dead,
          href: `/events?${new URLSearchParams({ webhookId, from: at, to: endOf(at, by) }).toString()}`,
        }))}
        text={({ at, one, two = 0 }) =>
          formatMessage(
            { id: 'webhook.traffic.bar' },
            {
              at: formatDate(at, { dateStyle: 'short', timeStyle: 'short' }),
              received: one + two,
              dead: two,
            },
          )
        }
      />
    </>
  );
}

/** Dead letters of the period may have been replayed since. */
function OpenDead({ webhookId }: { readonly webhookId: string }) {
  const { formatMessage } = useIntl();
  const open = useDeadLetterCounts([webhookId])?.count;
  if (open === undefined) return <dd className="small soft">…</dd>;
  const text = formatMessage({ id: 'overview.dead.open' }, { open });
  return (
    <dd className="small soft">
      {open === 0 ? (
        text
      ) : (
        <Link className="bad" href={`/dead-letters?webhookId=${webhookId}`}>
          {text}
        </Link>
      )}
    </dd>
  );
}
