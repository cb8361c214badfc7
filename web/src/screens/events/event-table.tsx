/** Events as table rows: name, state and reason, webhook, time. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { useEventName } from '../../ui/data/event-name.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Reason } from '../../ui/reasons/reasons.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import type { EventRow } from './live-tail.ts';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import styles from './events.module.css';

type Props = {
  readonly label: string;
  readonly rows: readonly EventRow[];
  /** The webhook column is hidden when all rows have the same webhook. */
  readonly isOfOne?: boolean;
};

export function EventTable({ label, rows, isOfOne = false }: Props) {
  const { formatMessage } = useIntl();
  const text = (id: string) => formatMessage({ id: `events.column.${id}` });
  const columns: Column<EventRow>[] = [
    { id: 'event', label: text('event'), width: '32%', cell: (row) => <Name row={row} /> },
    {
      id: 'state',
      label: text('state'),
      width: '30%',
      onPhone: 'line',
      cell: (row) => <Standing row={row} />,
    },
    ...(isOfOne
      ? []
      : [
          {
            id: 'webhook',
            label: text('webhook'),
            width: '25%',
            onPhone: 'plain' as const,
            cell: ({ webhookId }: EventRow) => <WebhookName id={webhookId} />,
          },
        ]),
    {
      id: 'received',
      label: text('received'),
      isEnd: true,
      onPhone: 'plain',
      cell: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
    },
  ];
  return <Table label={label} columns={columns} rows={rows} idOf={({ id }) => id} />;
}

function Name({ row }: { readonly row: EventRow }) {
  const { formatMessage } = useIntl();
  const nameOf = useEventName();
  const { externalId, eventType, deliveries, test } = row;
  return (
    <div className={styles.eventName}>
      <Link href={`/events/${row.id}`}>
        <BreakableText>{nameOf(row)}</BreakableText>
      </Link>
      {eventType !== null && externalId !== null && (
        <span className="mono soft">
          <BreakableText>{externalId}</BreakableText>
        </span>
      )}
      {test && <Badge tone="info">{formatMessage({ id: 'events.test' })}</Badge>}
      {deliveries > 1 && (
        <Badge>{formatMessage({ id: 'events.deliveries' }, { count: deliveries })}</Badge>
      )}
    </div>
  );
}

function Standing({ row: { state, reason, attempts, nextAt } }: { readonly row: EventRow }) {
  const { formatMessage } = useIntl();
  return (
    <div className={styles.eventStanding}>
      <EventStateBadge state={state} />
      {reason !== null && (
        <span className="small soft break">
          <Reason reason={reason} />
        </span>
      )}
      {state === 'waiting' && nextAt !== null && (
        <span className="small soft">
          {formatMessage({ id: 'events.tried' }, { count: attempts })} <RelativeTime at={nextAt} />
        </span>
      )}
    </div>
  );
}
