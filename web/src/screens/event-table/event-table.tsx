/** Events as table rows: who, what they wrote or why it failed, event type, state, webhook and time. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useEventName } from '../../ui/data/event-name.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import { reasonText } from '../../ui/reasons/reasons.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { useWebhookName } from '../../ui/data/webhook-name.tsx';
import { defaultColumns, type ColumnId } from './event-columns.ts';
import type { EventRow } from './event-row.ts';
import { useEventEffects, type Effect } from './use-event-effects.ts';
import styles from './event-table.module.css';

/** Ids of selected events. */
export type Selection = ReadonlySet<string>;

/** The selection with the event, or without it if it was selected. */
export function toggled(selection: Selection, id: string): Selection {
  const next = new Set(selection);
  if (!next.delete(id)) next.add(id);
  return next;
}

type Props = {
  readonly label: string;
  readonly rows: readonly EventRow[];
  readonly columns?: readonly ColumnId[];
  /** The webhook column is hidden when all rows have the same webhook. */
  readonly isOfOne?: boolean;
  /** The id of the highlighted row. */
  readonly marked?: string | null;
  readonly selection?: Selection;
  readonly onSelect?: (selection: Selection) => void;
  readonly onRowClick?: (row: EventRow) => void;
};

type Row = EventRow & { readonly effect: Effect | undefined };

export function EventTable({ rows, columns = defaultColumns, isOfOne = false, ...props }: Props) {
  const { label, marked = null, selection, onSelect, onRowClick } = props;
  const effects = useEventEffects(rows);
  const all = useColumns();
  const shown = columns.filter((id) => id !== 'webhook' || !isOfOne).map((id) => all[id]);
  const selectColumn = useSelectColumn(rows, { selection, onSelect });
  return (
    <Table
      label={label}
      isDense
      columns={selectColumn ? [selectColumn, ...shown] : shown}
      rows={rows.map((row): Row => ({ ...row, effect: effects.get(row.id) }))}
      idOf={({ id }) => id}
      marked={marked}
      {...(onRowClick && { onRowClick })}
    />
  );
}

type Select = Pick<Props, 'selection' | 'onSelect'>;

/** Undefined: rows cannot be selected. */
function useSelectColumn(
  rows: readonly EventRow[],
  { selection, onSelect }: Select,
): Column<Row> | undefined {
  const { formatMessage } = useIntl();
  const nameOf = useEventName();
  if (!selection || !onSelect) return undefined;
  const isAll = rows.every(({ id }) => selection.has(id));
  return {
    id: 'select',
    label: formatMessage({ id: 'events.column.select' }),
    width: '38px',
    onPhone: 'corner',
    head: (
      <Checkbox
        isSelected={isAll}
        onChange={(isOn) => onSelect(new Set(isOn ? rows.map(({ id }) => id) : []))}
      >
        <span className="hidden-visually">{formatMessage({ id: 'events.selectAll' })}</span>
      </Checkbox>
    ),
    cell: (row) => (
      <Checkbox
        isSelected={selection.has(row.id)}
        onChange={() => onSelect(toggled(selection, row.id))}
      >
        <span className="hidden-visually">
          {formatMessage({ id: 'events.select' }, { name: nameOf(row) })}
        </span>
      </Checkbox>
    ),
  };
}

function useColumns(): Readonly<Record<ColumnId, Column<Row>>> {
  const { formatMessage } = useIntl();
  const column = (id: ColumnId, rest: Omit<Column<Row>, 'id' | 'label'>): Column<Row> => ({
    id,
    label: formatMessage({ id: `events.column.${id}` }),
    ...rest,
  });
  return {
    contact: column('contact', {
      width: '17%',
      onPhone: 'line',
      cell: (row) => <Contact row={row} />,
    }),
    message: column('message', { onPhone: 'line', cell: (row) => <Message row={row} /> }),
    event: column('event', { width: '15%', onPhone: 'line', cell: (row) => <Name row={row} /> }),
    externalId: column('externalId', {
      width: '15%',
      onPhone: 'plain',
      cell: ({ externalId }) => <Line className="mono soft">{externalId}</Line>,
    }),
    state: column('state', {
      width: '100px',
      onPhone: 'plain',
      cell: ({ state }) => <EventStateBadge state={state} />,
    }),
    webhook: column('webhook', {
      width: '13%',
      onPhone: 'plain',
      cell: ({ webhookId }) => <Webhook id={webhookId} />,
    }),
    attempts: column('attempts', {
      width: '84px',
      isEnd: true,
      onPhone: 'named',
      cell: ({ attempts }) => attempts,
    }),
    version: column('version', {
      width: '84px',
      isEnd: true,
      onPhone: 'named',
      cell: ({ mappingVersion }) => mappingVersion,
    }),
    received: column('received', {
      width: '128px',
      isEnd: true,
      onPhone: 'plain',
      cell: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
    }),
    finished: column('finished', {
      width: '128px',
      isEnd: true,
      onPhone: 'named',
      cell: ({ finishedAt }) => finishedAt !== null && <RelativeTime at={finishedAt} />,
    }),
  };
}

type LineProps = { readonly children: string | null; readonly className?: string };

/** One line; the whole text is in the title. */
function Line({ children, className = '' }: LineProps) {
  if (children === null) return <span className="none soft">–</span>;
  return (
    <div className={`clip ${className}`} title={children}>
      {children}
    </div>
  );
}

function Contact({ row: { effect } }: { readonly row: Row }) {
  const { formatMessage } = useIntl();
  if (!effect?.contact) return <span className="none soft">–</span>;
  const { name, phone, email } = effect.contact;
  return <Line>{name ?? phone ?? email ?? formatMessage({ id: 'event.namelessContact' })}</Line>;
}

/** What the contact wrote; for an event without effects, why it has none, or when it is tried again. */
function Message({ row }: { readonly row: Row }) {
  const intl = useIntl();
  const { reason, effect, state, attempts, nextAt } = row;
  if (state === 'waiting' && nextAt !== null) {
    return (
      <div className="clip soft">
        {intl.formatMessage({ id: 'events.tried' }, { count: attempts })}{' '}
        <RelativeTime at={nextAt} />
      </div>
    );
  }
  if (reason !== null) return <Line className="soft">{reasonText(intl, reason)}</Line>;
  return <Line>{effect?.message ?? null}</Line>;
}

function Name({ row }: { readonly row: Row }) {
  const { formatMessage } = useIntl();
  const nameOf = useEventName();
  const { deliveries, test } = row;
  return (
    <div className={styles.eventName}>
      <Link href={`/events/${row.id}`} className="clip">
        {nameOf(row)}
      </Link>
      {test && <Badge tone="info">{formatMessage({ id: 'events.test' })}</Badge>}
      {deliveries > 1 && (
        <span title={formatMessage({ id: 'events.deliveries' }, { count: deliveries })}>
          <Badge>×{deliveries}</Badge>
        </span>
      )}
    </div>
  );
}

const Webhook = ({ id }: { readonly id: string }) => (
  <Line className="soft">{useWebhookName(id)}</Line>
);
