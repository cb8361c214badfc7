/** A body that was split and its items: from the one to the others. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Card, Failed, Note, Waiting } from '../../ui/feedback/parts.tsx';
import { EventTable } from '../events/event-table.tsx';

type Event = Answer<'getEvent'>;

const shown = 20;

export function Batch({ event: { id, items } }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const found = useRead(
    'listEvents',
    { query: { parentId: [id], per_page: shown, sort_by: 'receivedAt' } },
    { enabled: items !== null },
  );
  if (items === null) return null;
  const title = formatMessage({ id: 'event.items' }, { count: items });
  return (
    <Card
      title={title}
      actions={
        items > shown && (
          <LinkButton isSmall href={`/events?parentId=${id}`}>
            {formatMessage({ id: 'event.allItems' })}
          </LinkButton>
        )
      }
    >
      {found.isPending && <Waiting lines={3} />}
      {found.isError && <Failed error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <EventTable label={title} rows={found.data.results} isOfOne />}
    </Card>
  );
}

export function OfBatch({ event: { parentId } }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  return parentId === null ? null : (
    <Note>
      <p>
        {formatMessage({ id: 'event.ofBatch' })}{' '}
        <Link href={`/events/${parentId}`}>{formatMessage({ id: 'event.toBatch' })}</Link>
      </p>
    </Note>
  );
}
