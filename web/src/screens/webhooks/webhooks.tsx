/** All webhooks: how far each has come, what goes through it, what went wrong. What is looked for stands in the address. */
import './webhooks.css';
import { Plus } from 'lucide-react';
import { useIntl } from 'react-intl';
import { useRead } from '../../api/use-api.ts';
import { useMayMakeWebhook } from '../../api/usable-channels.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Empty, Failed, PageHead, Waiting } from '../../ui/feedback/parts.tsx';
import { Pages } from '../../ui/data/table.tsx';
import { Together } from '../../ui/layout/reveal-together.tsx';
import { Filters } from './webhook-filters.tsx';
import { List } from './webhook-list.tsx';
import { useLook } from './list-query.ts';

const againEveryMs = 10_000;

export function Webhooks() {
  const { formatMessage } = useIntl();
  const look = useLook();
  const mayMake = useMayMakeWebhook();
  const webhooks = useRead(
    'listWebhooks',
    { query: look.query },
    { keep: true, every: againEveryMs },
  );
  const counts = useRead(
    'countWebhooks',
    { query: look.search === '' ? {} : { search: look.search } },
    { keep: true, every: againEveryMs },
  );
  const isNew = counts.data?.total === 0 && look.search === '';
  return (
    <div className="stack">
      <PageHead
        title={formatMessage({ id: 'webhooks.title' })}
        lead={formatMessage({ id: 'webhooks.lead' })}
        actions={
          mayMake ? (
            <LinkButton look="primary" href="/webhooks/new">
              <Plus aria-hidden />
              {formatMessage({ id: 'webhooks.new' })}
            </LinkButton>
          ) : undefined
        }
      />
      {isNew ? (
        <First />
      ) : (
        <>
          <Filters look={look} counts={counts.data?.byStatus} />
          {webhooks.isPending && <Waiting lines={8} />}
          {webhooks.isError && (
            <Failed error={webhooks.error} onRetry={() => void webhooks.refetch()} />
          )}
          {webhooks.data && webhooks.data.results.length === 0 && (
            <Empty
              title={formatMessage({ id: 'webhooks.none' })}
              action={
                <Button onPress={look.clear}>{formatMessage({ id: 'webhooks.clear' })}</Button>
              }
            >
              {formatMessage({ id: 'webhooks.noneHint' })}
            </Empty>
          )}
          {webhooks.data && webhooks.data.results.length > 0 && (
            <Together>
              <List webhooks={webhooks.data.results} look={look} />
              <Pages pagings={webhooks.data.pagings} onPage={look.toPage} />
            </Together>
          )}
        </>
      )}
    </div>
  );
}

function First() {
  const { formatMessage } = useIntl();
  const mayMake = useMayMakeWebhook();
  return (
    <Empty
      title={formatMessage({ id: 'webhooks.first' })}
      action={
        mayMake && (
          <LinkButton look="primary" href="/webhooks/new">
            <Plus aria-hidden />
            {formatMessage({ id: 'webhooks.firstNew' })}
          </LinkButton>
        )
      }
    >
      {formatMessage({ id: mayMake ? 'webhooks.firstHint' : 'webhooks.firstAsk' })}
    </Empty>
  );
}
