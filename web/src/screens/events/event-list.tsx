/**
 * The found events with live updates, keyboard, selection and a panel beside the list.
 *
 * Promises: the first page updates live; new events are held back while the user reads: scrolled down, over the list, with
 * selected events, with the panel open, or after pausing.
 */
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router';
import { InletError } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { BulkActions } from '../event-table/bulk-actions.tsx';
import { ColumnMenu, useEventColumns } from '../event-table/column-menu.tsx';
import { CursorPages } from './cursor-pages.tsx';
import { isBesidePanel, type ColumnId } from '../event-table/event-columns.ts';
import { activeFilters, boundedQuery, liveQueryOf, queryOf, recentDays } from './event-filters.ts';
import { EventPeek } from './event-peek.tsx';
import { EventTable, toggled, type Selection } from '../event-table/event-table.tsx';
import { EventCount, LiveSwitch, NewEvents, useScrolled } from './live-controls.tsx';
import type { EventRow } from '../event-table/event-row.ts';
import { RunResult, type BulkRun } from '../event-table/run-result.tsx';
import { useLiveTail } from './live-tail.ts';
import { useRowKeys } from './use-row-keys.ts';
import styles from './events.module.css';

const perPage = 50;
const none: Selection = new Set();
/** On a narrower screen there is no room for the panel: a click on a row opens the event. */
const minPanelWidth = '(min-width: 1000px)';

type ListProps = {
  readonly address: URLSearchParams;
  readonly onHelp: () => void;
};

export function EventList({ address, onHelp }: ListProps) {
  const { formatMessage } = useIntl();
  const [columns, setColumns] = useEventColumns();
  const [isPeeking, setPeeking] = useState(false);
  const [selection, setSelection] = useState(none);
  const [shown, setShown] = useState(address);
  if (shown !== address) {
    setShown(address);
    setSelection(none);
    setPeeking(false);
  }
  const asked = queryOf(address);
  const query = boundedQuery(asked);
  const cursor = address.get('cursor') ?? undefined;
  const found = useApiQuery(
    'listEvents',
    { query: { ...query, per_page: perPage, ...(cursor && { cursor }) } },
    { keepPrevious: true, skipFocusRefetch: true },
  );
  const [isOn, setOn] = useState(true);
  const [isTouched, setTouched] = useState(false);
  const isScrolled = useScrolled();
  const live = cursor === undefined ? liveQueryOf(query) : null;
  const isHeld = !isOn || isScrolled || isTouched || isPeeking || selection.size > 0;
  const tail = useLiveTail({
    query: found.isSuccess ? live : null,
    page: found.data?.results ?? [],
    readAt: found.dataUpdatedAt,
    isHeld,
    onLost: () => void found.refetch(),
  });
  const { waiting, show } = tail;
  useEffect(() => {
    if (!isHeld && waiting > 0) show();
  });
  if (found.isPending) return <Loading lines={8} />;
  if (found.isError) {
    // An invalid search is not retried.
    const isRefused = found.error instanceof InletError && [400, 422].includes(found.error.status);
    const again = { onRetry: () => void found.refetch() };
    return <ErrorNote error={found.error} {...(!isRefused && again)} />;
  }
  return (
    <>
      <div className="row spread">
        <EventCount {...found.data.pagings} />
        <span className="row">
          {live !== null && <LiveSwitch isOn={isOn} onChange={setOn} isOpen={tail.isOpen} />}
          <ColumnMenu columns={columns} onChange={setColumns} />
        </span>
      </div>
      {query.from !== asked.from && (
        <p className="small soft">
          {formatMessage({ id: 'events.recentOnly' }, { days: recentDays })}
        </p>
      )}
      <NewEvents count={waiting} isFull={tail.isFull} onShow={show} />
      {tail.rows.length === 0 ? (
        <Nothing isFiltered={activeFilters(address).length > 0} />
      ) : (
        <div
          onPointerEnter={({ pointerType }) => setTouched(pointerType === 'mouse')}
          onPointerLeave={() => setTouched(false)}
        >
          <Rows
            rows={tail.rows}
            columns={columns}
            isOfOne={query.webhookId?.length === 1}
            selection={selection}
            onSelect={setSelection}
            isPeeking={isPeeking}
            onPeek={setPeeking}
            onHelp={onHelp}
          />
        </div>
      )}
      <CursorPages next={found.data.pagings.next_cursor} address={address} />
    </>
  );
}

type RowsProps = {
  readonly rows: readonly EventRow[];
  readonly columns: readonly ColumnId[];
  readonly isOfOne: boolean;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly isPeeking: boolean;
  readonly onPeek: (isPeeking: boolean) => void;
  readonly onHelp: () => void;
};

/** The table and the panel beside it, for the highlighted event. */
function Rows({ isPeeking, onPeek, onHelp, selection, onSelect, ...table }: RowsProps) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const mayChange = useHasScope('operator');
  const [marked, setMarked] = useState<string | null>(null);
  const [run, setRun] = useState<BulkRun | null>(null);
  const { rows } = table;
  const peeked = isPeeking && marked !== null ? rows.find(({ id }) => id === marked) : undefined;
  useRowKeys({
    rows,
    marked,
    onMark: setMarked,
    onPeek: peek,
    onClose: isPeeking ? () => onPeek(false) : null,
    onSelect: mayChange ? (id) => onSelect(toggled(selection, id)) : null,
    onHelp,
  });
  function peek(id: string): void {
    if (!window.matchMedia(minPanelWidth).matches) return void navigate(`/events/${id}`);
    setMarked(id);
    onPeek(true);
  }
  return (
    <>
      {selection.size > 0 && (
        <BulkActions selection={selection} onClear={() => onSelect(new Set())} onBegun={setRun} />
      )}
      {run && <RunResult key={run.id} run={run} onClose={() => setRun(null)} />}
      <div className={clsx(peeked && styles.withPeek)}>
        <EventTable
          {...table}
          label={formatMessage({ id: 'shell.events' })}
          columns={peeked ? table.columns.filter(isBesidePanel) : table.columns}
          marked={marked}
          {...(mayChange && { selection, onSelect })}
          onRowClick={({ id }) => peek(id)}
        />
        {peeked && <EventPeek key={peeked.id} row={peeked} onClose={() => onPeek(false)} />}
      </div>
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const { formatMessage } = useIntl();
  if (isFiltered) {
    return (
      <EmptyState title={formatMessage({ id: 'events.noneFound' })}>
        {formatMessage({ id: 'events.noneFoundHint' })}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={formatMessage({ id: 'events.none' })}
      action={
        <LinkButton href="/webhooks">{formatMessage({ id: 'events.toWebhooks' })}</LinkButton>
      }
    >
      {formatMessage({ id: 'events.noneHint' })}
    </EmptyState>
  );
}
