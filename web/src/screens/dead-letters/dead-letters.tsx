/**
 * Dead letters by webhook and reason, with the action that fixes each group, and the bulk replay and discard
 * with their progress.
 */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination } from '../../ui/data/table.tsx';
import { WebhookField } from '../../ui/forms/webhook-field.tsx';
import { DeadLetterGroup } from './dead-letter-group.tsx';
import { isRunOf, RunList, useRuns, type Run } from './run-list.tsx';
import styles from './dead-letters.module.css';

const perPage = 20;
const pollIntervalMs = 10_000;

export function DeadLetters() {
  const { formatMessage } = useIntl();
  const [address, setAddress] = useSearchParams();
  const webhookId = address.get('webhookId') ?? '';
  const runs = useRuns();
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'dead.title' })}
        breadcrumbs={[{ label: formatMessage({ id: 'shell.events' }), href: '/events' }]}
        lead={formatMessage({ id: 'dead.lead' })}
        actions={
          <LinkButton href="/events?state=dead">{formatMessage({ id: 'dead.asList' })}</LinkButton>
        }
      />
      <div className={styles.deadFilter}>
        <WebhookField
          value={webhookId}
          onChange={(id) => setAddress(id === '' ? {} : { webhookId: id })}
        />
      </div>
      <RunList title={formatMessage({ id: 'dead.runsNow' })} runs={runs.now} isNow />
      <Groups
        webhookId={webhookId}
        runs={runs.now}
        page={Math.max(1, Math.trunc(Number(address.get('page') ?? 1)) || 1)}
        onPage={(page) =>
          setAddress({ ...(webhookId !== '' && { webhookId }), page: String(page) })
        }
      />
      <RunList title={formatMessage({ id: 'dead.runs' })} runs={runs.before} />
      {runs.error && <ErrorNote error={runs.error} onRetry={runs.retry} />}
    </div>
  );
}

type GroupsProps = {
  readonly runs: readonly Run[];
  readonly webhookId: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
};

function Groups({ webhookId, runs, page, onPage }: GroupsProps) {
  const { formatMessage } = useIntl();
  const found = useApiQuery(
    'listDeadLetters',
    {
      query: {
        current_page: page,
        per_page: perPage,
        ...(webhookId !== '' && { webhookId: [webhookId] }),
      },
    },
    { keepPrevious: true, refetchInterval: pollIntervalMs },
  );
  if (found.isPending) return <Loading lines={8} />;
  if (found.isError) return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  const { results, pagings } = found.data;
  if (results.length === 0) {
    return (
      <EmptyState title={formatMessage({ id: 'dead.none' })}>
        {formatMessage({ id: 'dead.noneHint' })}
      </EmptyState>
    );
  }
  return (
    <>
      <ul
        className={clsx('stack', styles.deadGroups)}
        aria-label={formatMessage({ id: 'dead.title' })}
      >
        {results.map((group) => (
          <li key={`${group.webhookId} ${group.reason}`}>
            <DeadLetterGroup group={group} isBusy={runs.some((run) => isRunOf(run, group))} />
          </li>
        ))}
      </ul>
      {pagings.total_pages > 1 && <Pagination pagings={pagings} onPage={onPage} />}
    </>
  );
}
