/** The keyboard of the event list. Moving to a row focuses its link, so that Enter opens the event. */
import { focusSearch, useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import type { EventRow } from '../event-table/event-row.ts';

export const shortcutKeys = {
  search: '/',
  next: 'j',
  previous: 'k',
  preview: 'p',
  select: 'x',
  close: 'Escape',
  help: '?',
} as const;

type Options = {
  readonly rows: readonly EventRow[];
  /** The id of the highlighted row. */
  readonly marked: string | null;
  readonly onMark: (id: string) => void;
  readonly onPeek: (id: string) => void;
  /** Null while no panel is open. */
  readonly onClose: (() => void) | null;
  /** Null when rows cannot be selected. */
  readonly onSelect: ((id: string) => void) | null;
  readonly onHelp: () => void;
};

export function useRowKeys({ rows, marked, onSelect, ...on }: Options): void {
  /** The row of the focus, else the highlighted one. */
  function current(): string | null {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-row]');
    return row?.dataset.row ?? marked;
  }
  function move(by: 1 | -1): void {
    const at = rows.findIndex(({ id }) => id === current());
    const next = rows[at === -1 ? 0 : at + by];
    if (!next) return;
    on.onMark(next.id);
    document.querySelector<HTMLElement>(`tr[data-row="${next.id}"] a`)?.focus();
  }
  const atCurrent = (act: (id: string) => void) => (): void => {
    const id = current();
    if (id !== null) act(id);
  };
  useShortcuts('events', shortcutKeys, {
    search: focusSearch,
    next: () => move(1),
    previous: () => move(-1),
    preview: atCurrent(on.onPeek),
    select: onSelect && atCurrent(onSelect),
    close: on.onClose,
    help: on.onHelp,
  });
}
