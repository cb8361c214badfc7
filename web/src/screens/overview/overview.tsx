/**
 * How things stand: what came and what became of it, how Inlet itself is, and what waits for a person.
 *
 * Promises: it is read again every ten seconds, and nothing moves but the numbers; what a token may not see is left out.
 */
import './overview.css';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Empty, Failed, PageHead, Waiting } from '../../ui/feedback/parts.tsx';
import { Segments } from '../../ui/forms/segmented-control.tsx';
import { Together } from '../../ui/layout/reveal-together.tsx';
import { Stamp } from '../../ui/data/time.tsx';
import { Busiest } from './top-webhooks.tsx';
import { Charts } from './charts.tsx';
import { Health } from './health.tsx';
import { Notices } from './notices.tsx';
import { Numbers } from './totals.tsx';
import { everyMs, queryOf, rangeOf, ranges, type Range } from './time-range.ts';

export function Overview() {
  const { formatMessage } = useIntl();
  const [search, setSearch] = useSearchParams();
  const range = rangeOf(search.get('range'));
  const webhooks = useRead('countWebhooks', {}, { every: everyMs });
  const isNew = webhooks.data?.total === 0;
  return (
    <div className="stack">
      <PageHead
        title={formatMessage({ id: 'shell.overview' })}
        actions={
          !isNew && (
            <Segments
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
      <Together
        said={{
          label: formatMessage({ id: 'overview.notices' }),
          what: !isNew && <Notices counts={webhooks.data} />,
        }}
      >
        {isNew ? <FirstRun /> : <Standing range={range} />}
      </Together>
    </div>
  );
}

function FirstRun() {
  const { formatMessage } = useIntl();
  const isAdmin = useMay('admin');
  return (
    <>
      <Empty
        title={formatMessage({ id: 'overview.first' })}
        action={
          isAdmin && (
            <LinkButton look="primary" href="/webhooks/new">
              {formatMessage({ id: 'overview.first.action' })}
            </LinkButton>
          )
        }
      >
        {formatMessage({ id: isAdmin ? 'overview.first.hint' : 'overview.first.wait' })}
      </Empty>
      <Health />
    </>
  );
}

/** What is shown is what was known then. */
function Since({ at }: { readonly at: number }) {
  const { formatMessage } = useIntl();
  const when = <Stamp key="at" at={new Date(at).toISOString()} />;
  return <p>{formatMessage({ id: 'overview.since' }, { when })}</p>;
}

function Standing({ range }: { readonly range: Range }) {
  const { formatMessage } = useIntl();
  const query = queryOf(range);
  const stats = useRead('getStats', { query }, { every: everyMs, keep: true });
  if (stats.isPending) return <Waiting what={formatMessage({ id: 'overview.reading' })} />;
  return (
    <>
      {stats.isError && (
        <Failed error={stats.error} onRetry={() => void stats.refetch()}>
          {stats.data && <Since at={stats.dataUpdatedAt} />}
        </Failed>
      )}
      {stats.data && (
        <>
          <Numbers totals={stats.data.totals} range={range} />
          <Charts series={stats.data.series} range={range} />
        </>
      )}
      <div className="overview-halves">
        <Busiest range={range} />
        <Health isAway={stats.isError} />
      </div>
    </>
  );
}
