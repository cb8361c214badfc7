/** A table; on a phone a list of cards. The server sorts and pages. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../forms/button.tsx';

export type Column<Row> = {
  readonly id: string;
  readonly label: string;
  /** Shown in the header in place of the label. */
  readonly head?: ReactNode;
  readonly isEnd?: boolean;
  /** The column width, such as `30%`. */
  readonly width?: string;
  /**
   * The layout of the cell on a phone: `line` with the column name; inline with or without its name; a full
   * line without a name; or the corner of the card.
   */
  readonly onPhone?: 'named' | 'plain' | 'line' | 'corner';
  /** The sort key of the server, if any. */
  readonly sortBy?: string;
  readonly cell: (row: Row) => ReactNode;
};

type TableProps<Row> = {
  /** The accessible name of the list. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The id of the highlighted row: scrolled into view once it is there. The focus stays. */
  readonly marked?: string | null;
  /** `field` or `-field`, as in the API. */
  readonly order?: string;
  readonly onOrder?: (order: string) => void;
  /** Low rows of one line each, in columns of fixed widths, under a header that stays in view. */
  readonly isDense?: boolean;
  /** A click on a row, but not on a control in it. The keyboard uses the controls. */
  readonly onRowClick?: (row: Row) => void;
};

/** Controls of a row have their own click; so has selected text. */
function isOnRow(event: MouseEvent): boolean {
  if (!(event.target instanceof Element)) return false;
  const isOnControl = event.target.closest('a, button, input, label') !== null;
  return !isOnControl && (window.getSelection()?.isCollapsed ?? true);
}

export function Table<Row>({ columns, rows, idOf, marked = null, ...rest }: TableProps<Row>) {
  const { label, order, onOrder, isDense = false, onRowClick } = rest;
  const body = useRef<HTMLTableSectionElement>(null);
  const isMounted = marked !== null && rows.some((row) => idOf(row) === marked);
  useEffect(() => {
    if (!isMounted) return undefined;
    // Called after the scroll to the top.
    const frame = requestAnimationFrame(() =>
      body.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [marked, isMounted]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div
      className={`table-frame ${isDense ? 'dense' : ''}`}
      tabIndex={isDense ? undefined : 0}
      role="region"
      aria-label={label}
    >
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keyboard uses the controls of the row
            <tr
              key={idOf(row)}
              data-row={idOf(row)}
              aria-current={idOf(row) === marked ? 'true' : undefined}
              onClick={
                onRowClick &&
                ((event) => {
                  if (isOnRow(event.nativeEvent)) onRowClick(row);
                })
              }
            >
              {columns.map(({ id, label: name, isEnd, onPhone, cell }) => (
                <td
                  key={id}
                  data-name={name}
                  data-phone={onPhone}
                  className={isEnd ? 'end numbers' : ''}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type HeadProps<Row> = { readonly column: Column<Row> } & Pick<TableProps<Row>, 'order' | 'onOrder'>;

function HeadCell<Row>({ column, order, onOrder }: HeadProps<Row>) {
  const { label, head = label, isEnd, width, sortBy } = column;
  const isUp = sortBy !== undefined && order === sortBy;
  const isDown = sortBy !== undefined && order === `-${sortBy}`;
  const sort = isUp ? 'ascending' : isDown ? 'descending' : undefined;
  return (
    <th scope="col" className={isEnd ? 'end' : ''} style={{ width }} aria-sort={sort}>
      {sortBy === undefined || !onOrder ? (
        head
      ) : (
        <button type="button" onClick={() => onOrder(isDown ? sortBy : `-${sortBy}`)}>
          {label} {isUp && <ArrowUp size={13} aria-hidden />}
          {isDown && <ArrowDown size={13} aria-hidden />}
        </button>
      )}
    </th>
  );
}

export type Pagings = {
  readonly current_page: number;
  readonly total_pages: number;
  readonly count: number;
  readonly total: number;
  readonly total_exact?: boolean;
};

/** Renders nothing for a single page. */
export function Pagination({
  pagings,
  onPage,
}: {
  readonly pagings: Pagings;
  readonly onPage: (page: number) => void;
}) {
  const { formatMessage } = useIntl();
  const { current_page: page, total_pages: pages, total, total_exact: isExact = true } = pagings;
  return (
    <nav className="pages" aria-label={formatMessage({ id: 'ui.pages' })}>
      <span className="soft small">
        {formatMessage({ id: isExact ? 'ui.total' : 'ui.totalAtLeast' }, { total })}
      </span>
      {pages > 1 && (
        <span className="row">
          <Button isSmall isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
            {formatMessage({ id: 'ui.previous' })}
          </Button>
          <span className="small numbers">
            {formatMessage({ id: 'ui.pageOf' }, { page, pages })}
          </span>
          <Button isSmall isDisabled={page >= pages} onPress={() => onPage(page + 1)}>
            {formatMessage({ id: 'ui.next' })}
          </Button>
        </span>
      )}
    </nav>
  );
}
