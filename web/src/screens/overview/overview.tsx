/**
 * The overview: counts, health and alerts.
 *
 * Promises: polled every ten seconds without layout shifts; what the token may not read is left out.
 */
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { SegmentedControl } from '../../ui/forms/segmented-control.tsx';
import { RevealTogether } from '../../ui/layout/reveal-together.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { TopWebhooks } from './top-webhooks.tsx';
import { Charts } from './charts.tsx';
import { Health } from './health.tsx';
import { Notices } from './notices.tsx';
import { OverviewTotals } from './totals.tsx';
import {
  pollIntervalMs,
  queryBefore,
  queryOf,
  parseRange,
  ranges,
  type TimeRange,
} from './time-range.ts';
import styles from './overview.module.css';

export function Overview() {
  const { formatMessage } = useIntl();
  const [search, setSearch] = useSearchParams();
  const range = parseRange(search.get('range'));
  const webhooks = useApiQuery('countWebhooks', {}, { refetchInterval: pollIntervalMs });
  const isNew = webhooks.data?.total === 0;
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.overview' })}
        actions={
          !isNew && (
            <SegmentedControl
              label={formatMessage({ id: 'overview.range' })}
              segments={ranges.map((id) => ({
                id,
                label: formatMessage({ id: `overview.range.${id}` }),
              }))}
              value={range}
              onChange={(id) => setSearch({ range: id }, { replace: true })}
            />
          )
        }
      />
      <RevealTogether
        announcement={{
          label: formatMessage({ id: 'overview.notices' }),
          content: !isNew && <Notices counts={webhooks.data} />,
        }}
      >
        {isNew ? <FirstRun /> : <Standing range={range} />}
      </RevealTogether>
    </div>
  );
}

function FirstRun() {
  const { formatMessage } = useIntl();
  const isAdmin = useHasScope('admin');
  return (
    <>
      <EmptyState
        title={formatMessage({ id: 'overview.first' })}
        action={
          isAdmin && (
            <LinkButton variant="primary" href="/webhooks/new">
              {formatMessage({ id: 'overview.first.action' })}
            </LinkButton>
          )
        }
      >
        {formatMessage({ id: isAdmin ? 'overview.first.hint' : 'overview.first.wait' })}
      </EmptyState>
      <Health />
    </>
  );
}

/** Stale data is labelled with its time. */
function Since({ at }: { readonly at: number }) {
  const { formatMessage } = useIntl();
  const when = <Timestamp key="at" at={new Date(at).toISOString()} />;
  return <p>{formatMessage({ id: 'overview.since' }, { when })}</p>;
}

function Standing({ range }: { readonly range: TimeRange }) {
  const { formatMessage } = useIntl();
  const query = queryOf(range);
  const stats = useApiQuery(
    'getStats',
    { query },
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  const { data: before } = useApiQuery(
    'getStats',
    { query: stats.data && queryBefore(stats.data, range) },
    { enabled: stats.data !== undefined, keepPrevious: true },
  );
  if (stats.isPending) return <Loading label={formatMessage({ id: 'overview.reading' })} />;
  return (
    <>
      {stats.isError && (
        <ErrorNote error={stats.error} onRetry={() => void stats.refetch()}>
          {stats.data && <Since at={stats.dataUpdatedAt} />}
        </ErrorNote>
      )}
      {stats.data && (
        <>
          <OverviewTotals totals={stats.data.totals} before={before?.totals} range={range} />
          <Charts series={stats.data.series} range={range} />
        </>
      )}
      <div className={styles.overviewHalves}>
        <TopWebhooks range={range} />
        <Health isAway={stats.isError} />
      </div>
    </>
  );
}
