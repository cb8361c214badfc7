/** A split batch and its items, linked both ways. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { EventTable } from '../event-table/event-table.tsx';

type Event = Answer<'getEvent'>;

const shown = 20;

export function BatchItems({ event: { id, items } }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const found = useApiQuery(
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
      {found.isPending && <Loading lines={3} />}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <EventTable label={title} rows={found.data.results} isOfOne />}
    </Card>
  );
}

export function ParentEvent({ event: { parentId } }: { readonly event: Event }) {
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
