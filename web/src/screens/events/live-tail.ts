/**
 * Live updates over a page of events.
 *
 * Promises: known events change in place; new events are added on top, or held back while `isHeld`, so that
 * rows do not move while a user reads. Holds a bounded number of events.
 */
import { useEffect, useRef, useState } from 'react';
import type { Request } from '../../api/client.ts';
import { useLive, type LiveItem } from '../../api/use-live.ts';
import type { EventRow } from '../event-table/event-row.ts';
import { createBatcher } from './batcher.ts';

const maxRows = 200;

type Tail = {
  readonly fresh: readonly EventRow[];
  readonly waiting: readonly EventRow[];
  readonly changes: Readonly<Record<string, EventRow>>;
};

const nothing: Tail = { fresh: [], waiting: [], changes: {} };

const eventIn = ({ event, data }: LiveItem): EventRow | undefined =>
  event === 'change' ? (data as { readonly event?: EventRow }).event : undefined;

const withoutTwins = (rows: readonly EventRow[]): EventRow[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

const newestFirst = (a: EventRow, b: EventRow) => (a.receivedAt < b.receivedAt ? 1 : -1);

type Terms = { readonly known: ReadonlySet<string>; readonly since: string };

/** An event older than the first row is not new, whatever its state. */
function mergeBatch(tail: Tail, batch: readonly EventRow[], { known, since }: Terms): Tail {
  const seen = new Set([...known, ...tail.fresh.map(({ id }) => id)]);
  const isNew = (row: EventRow) => !seen.has(row.id) && row.receivedAt >= since;
  const changes = { ...tail.changes };
  for (const row of batch) if (seen.has(row.id)) changes[row.id] = row;
  const waiting = withoutTwins([...tail.waiting, ...batch.filter(isNew)]);
  return { ...tail, changes, waiting: waiting.toSorted(newestFirst).slice(0, maxRows) };
}

const showWaiting = (tail: Tail): Tail => ({
  ...tail,
  fresh: [...tail.waiting, ...tail.fresh].slice(0, maxRows),
  waiting: [],
});

type TailOptions = {
  /** Null: no live updates. */
  readonly query: Request<'watchEvents'>['query'] | null;
  readonly page: readonly EventRow[];
  /** When the page was read, in epoch milliseconds. */
  readonly readAt: number;
  readonly isHeld: boolean;
  /** Called when updates were missed: the page has to be reloaded. */
  readonly onLost: () => void;
};

export function useLiveTail({ query, page, readAt, isHeld, onLost }: TailOptions) {
  const [tail, setTail] = useState(nothing);
  const [readBefore, setReadBefore] = useState(readAt);
  if (readBefore !== readAt) {
    setReadBefore(readAt);
    setTail(nothing);
  }

  function show(came: readonly EventRow[]) {
    const known = new Set(page.map(({ id }) => id));
    const since = page[0]?.receivedAt ?? '';
    setTail((now) => {
      const next = mergeBatch(now, came, { known, since });
      return isHeld ? next : showWaiting(next);
    });
  }
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  const batches = useRef<ReturnType<typeof createBatcher<EventRow>> | undefined>(undefined);
  const asked = JSON.stringify(query);
  // Events batched for one query must not appear in the list of another.
  useEffect(() => () => batches.current?.stop(), [asked]);

  const { isOpen } = useLive('watchEvents', query ? { query } : null, (item) => {
    if (item.event === 'history_lost') onLost();
    const event = eventIn(item);
    if (!event) return;
    const onBatch = (came: readonly EventRow[]) => latest.current(came);
    batches.current ??= createBatcher<EventRow>({ limit: maxRows, onBatch });
    batches.current.add(event);
  });
  const rows = [...tail.fresh, ...page]
    .slice(0, Math.max(maxRows, page.length))
    .map((row) => tail.changes[row.id] ?? row);
  return {
    rows,
    fresh: new Set(tail.fresh.map(({ id }) => id)),
    waiting: tail.waiting.length,
    isFull: tail.waiting.length >= maxRows,
    isOpen,
    show: () => setTail(showWaiting),
  };
}
