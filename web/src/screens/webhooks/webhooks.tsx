/** The list of webhooks, with setup progress, traffic and dead letters. The query is in the URL. */
import { Plus } from 'lucide-react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { useCanCreateWebhook } from '../../api/usable-channels.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination } from '../../ui/data/table.tsx';
import { RevealTogether } from '../../ui/layout/reveal-together.tsx';
import { WebhookFilters } from './webhook-filters.tsx';
import { WebhookList } from './webhook-list.tsx';
import { useListQuery } from './list-query.ts';

const pollIntervalMs = 10_000;

export function Webhooks() {
  const { formatMessage } = useIntl();
  const listQuery = useListQuery();
  const mayMake = useCanCreateWebhook();
  const webhooks = useApiQuery(
    'listWebhooks',
    { query: listQuery.query },
    { keepPrevious: true, refetchInterval: pollIntervalMs },
  );
  const counts = useApiQuery(
    'countWebhooks',
    { query: listQuery.search === '' ? {} : { search: listQuery.search } },
    { keepPrevious: true, refetchInterval: pollIntervalMs },
  );
  const isNew = counts.data?.total === 0 && listQuery.search === '';
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'webhooks.title' })}
        lead={formatMessage({ id: 'webhooks.lead' })}
        actions={
          mayMake ? (
            <LinkButton variant="primary" href="/webhooks/new">
              <Plus aria-hidden />
              {formatMessage({ id: 'webhooks.new' })}
            </LinkButton>
          ) : undefined
        }
      />
      {isNew ? (
        <First />
      ) : (
        <RevealTogether>
          <WebhookFilters listQuery={listQuery} counts={counts.data?.byStatus} />
          {webhooks.isPending && <Loading lines={8} />}
          {webhooks.isError && (
            <ErrorNote error={webhooks.error} onRetry={() => void webhooks.refetch()} />
          )}
          {webhooks.data && webhooks.data.results.length === 0 && (
            <EmptyState
              title={formatMessage({ id: 'webhooks.none' })}
              action={
                <Button onPress={listQuery.clear}>{formatMessage({ id: 'webhooks.clear' })}</Button>
              }
            >
              {formatMessage({ id: 'webhooks.noneHint' })}
            </EmptyState>
          )}
          {webhooks.data && webhooks.data.results.length > 0 && (
            <>
              <WebhookList webhooks={webhooks.data.results} listQuery={listQuery} />
              <Pagination pagings={webhooks.data.pagings} onPage={listQuery.toPage} />
            </>
          )}
        </RevealTogether>
      )}
    </div>
  );
}

function First() {
  const { formatMessage } = useIntl();
  const mayMake = useCanCreateWebhook();
  return (
    <EmptyState
      title={formatMessage({ id: 'webhooks.first' })}
      action={
        mayMake && (
          <LinkButton variant="primary" href="/webhooks/new">
            <Plus aria-hidden />
            {formatMessage({ id: 'webhooks.firstNew' })}
          </LinkButton>
        )
      }
    >
      {formatMessage({ id: mayMake ? 'webhooks.firstHint' : 'webhooks.firstAsk' })}
    </EmptyState>
  );
}
