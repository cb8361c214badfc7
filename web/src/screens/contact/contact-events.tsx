/** The events of one contact, newest first. The page is in the URL. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useEventName } from '../../ui/data/event-name.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { useWebhookName } from '../contacts/resource-names.ts';
import { TableCard } from '../contacts/table-card.tsx';
import styles from '../contacts/contacts.module.css';

type Row = Answer<'listEvents'>['results'][number];
const perPage = 8;

export function ContactEvents({ contactId }: { readonly contactId: string }) {
  const { formatMessage } = useIntl();
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Number(params.get('events')) || 1);
  const query = { contactId: [contactId], per_page: perPage, current_page: page };
  const events = useApiQuery('listEvents', { query }, { keepPrevious: true });
  const columns = useColumns();
  const title = formatMessage({ id: 'contacts.events' });
  return (
    <TableCard
      title={title}
      actions={
        <Link href={`/events?contactId=${contactId}`} className="small">
          {formatMessage({ id: 'contacts.allEvents' })}
        </Link>
      }
    >
      {events.isPending && <Loading />}
      {events.isError && <ErrorNote error={events.error} onRetry={() => void events.refetch()} />}
      {events.data?.results.length === 0 && (
        <p className="soft">{formatMessage({ id: 'contacts.noEvents' })}</p>
      )}
      {events.data !== undefined && events.data.results.length > 0 && (
        <>
          <div className={styles.plainTable}>
            <Table
              label={title}
              columns={columns}
              rows={events.data.results}
              idOf={({ id }) => id}
            />
          </div>
          <Pagination
            pagings={events.data.pagings}
            onPage={(next) => {
              params.set('events', String(next));
              setParams(params);
            }}
          />
        </>
      )}
    </TableCard>
  );
}

function useColumns(): Column<Row>[] {
  const { formatMessage } = useIntl();
  const webhookOf = useWebhookName();
  const nameOf = useEventName();
  const label = (id: string) => formatMessage({ id });
  return [
    {
      id: 'event',
      label: label('contacts.column.event'),
      cell: (event) => (
        <Link href={`/events/${event.id}`} className={styles.personLink}>
          {nameOf(event)}
        </Link>
      ),
    },
    {
      id: 'state',
      label: label('contacts.column.state'),
      onPhone: 'plain',
      cell: ({ state }) => <EventStateBadge state={state} />,
    },
    {
      id: 'webhook',
      label: label('contacts.column.webhook'),
      onPhone: 'plain',
      cell: ({ webhookId }) => webhookOf(webhookId),
    },
    {
      id: 'at',
      label: label('contacts.column.received'),
      isEnd: true,
      onPhone: 'plain',
      cell: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
    },
  ];
}
