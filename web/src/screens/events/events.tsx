/**
 * The event list with live tail and search. The search is in the URL. The first page updates live; new events
 * are held back while the user scrolls down, points at the list, or has paused it.
 */
import { useEffect, useState } from 'react';
import { Switch } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { InletError } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { EventTable } from './event-table.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { activeFilters, liveQueryOf, queryOf } from './event-filters.ts';
import { useLiveTail } from './live-tail.ts';
import styles from './events.module.css';

const perPage = 50;

export function Events() {
  const { formatMessage } = useIntl();
  const [address, setAddress] = useSearchParams();
  const query = queryOf(address);
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.events' })}
        lead={formatMessage({ id: 'events.lead' })}
        actions={
          <>
            <LinkButton href="/dead-letters">
              {formatMessage({ id: 'events.deadLetters' })}
            </LinkButton>
            <ExportMenu query={query} />
          </>
        }
      />
      <FilterBar address={address} onChange={(next) => setAddress(next)} />
      <Found address={address} />
    </div>
  );
}

/** True when scrolled away from the top. */
function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const variant = () => setScrolled(window.scrollY > 240);
    variant();
    window.addEventListener('scroll', variant, { passive: true });
    return () => window.removeEventListener('scroll', variant);
  }, []);
  return isScrolled;
}

function Found({ address }: { readonly address: URLSearchParams }) {
  const { formatMessage } = useIntl();
  const query = queryOf(address);
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
  const isHeld = !isOn || isScrolled || isTouched;
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
    const isRefused = found.error instanceof InletError && found.error.status === 400;
    const again = { onRetry: () => void found.refetch() };
    return <ErrorNote error={found.error} {...(!isRefused && again)} />;
  }
  return (
    <>
      <div className="row spread">
        <Count {...found.data.pagings} />
        {live !== null && <LiveSwitch isOn={isOn} onChange={setOn} isOpen={tail.isOpen} />}
      </div>
      <New count={waiting} isFull={tail.isFull} onShow={show} />
      {tail.rows.length === 0 ? (
        <Nothing isFiltered={activeFilters(address).length > 0} />
      ) : (
        <div
          onPointerEnter={({ pointerType }) => setTouched(pointerType === 'mouse')}
          onPointerLeave={() => setTouched(false)}
        >
          <EventTable
            label={formatMessage({ id: 'shell.events' })}
            rows={tail.rows}
            isOfOne={query.webhookId?.length === 1}
          />
        </div>
      )}
      <Turning next={found.data.pagings.next_cursor} address={address} />
    </>
  );
}

function Count({
  total,
  total_exact: isExact,
}: {
  readonly total: number;
  readonly total_exact: boolean;
}) {
  const { formatMessage } = useIntl();
  const id = isExact ? 'events.count' : 'events.countAtLeast';
  return <span className="soft small numbers">{formatMessage({ id }, { total })}</span>;
}

type SwitchProps = {
  readonly isOn: boolean;
  readonly isOpen: boolean;
  readonly onChange: (isOn: boolean) => void;
};

function LiveSwitch({ isOn, isOpen, onChange }: SwitchProps) {
  const { formatMessage } = useIntl();
  return (
    <Switch className={styles.liveSwitch} isSelected={isOn} onChange={onChange}>
      <span className={styles.track} aria-hidden />
      {formatMessage({ id: 'events.live' })}
      <span className="small soft">
        {isOn && !isOpen && formatMessage({ id: 'events.connecting' })}
      </span>
    </Switch>
  );
}

type NewProps = {
  readonly count: number;
  readonly isFull: boolean;
  readonly onShow: () => void;
};

function New({ count, isFull, onShow }: NewProps) {
  const { formatMessage } = useIntl();
  return (
    <div className={styles.newEvents} role="status">
      {count > 0 && (
        <Button
          variant="primary"
          isSmall
          onPress={() => {
            onShow();
            window.scrollTo({ top: 0 });
          }}
        >
          {formatMessage({ id: isFull ? 'events.newAtLeast' : 'events.new' }, { count })}
        </Button>
      )}
    </div>
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

/** Cursors only lead forward; the way back is kept in the history state of the tab. */
function Turning({
  next,
  address,
}: {
  readonly next: string | null;
  readonly address: URLSearchParams;
}) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const { state } = useLocation();
  const trail = (state as { trail?: readonly string[] } | null)?.trail ?? [];
  const cursor = address.get('cursor');
  if (cursor === null && next === null) return null;
  function go(to: string, behind: readonly string[]) {
    const search = new URLSearchParams(address);
    if (to === '') search.delete('cursor');
    else search.set('cursor', to);
    void navigate({ search: search.toString() }, { state: { trail: behind } });
    window.scrollTo({ top: 0 });
  }
  return (
    <nav className="pages" aria-label={formatMessage({ id: 'ui.pages' })}>
      <Button isSmall isDisabled={cursor === null} onPress={() => go('', [])}>
        {formatMessage({ id: 'events.firstPage' })}
      </Button>
      <span className="row">
        <Button
          isSmall
          isDisabled={cursor === null}
          onPress={() => go(trail.at(-1) ?? '', trail.slice(0, -1))}
        >
          {formatMessage({ id: 'ui.previous' })}
        </Button>
        <Button
          isSmall
          isDisabled={next === null}
          onPress={() => {
            if (next !== null) go(next, [...trail, cursor ?? '']);
          }}
        >
          {formatMessage({ id: 'ui.next' })}
        </Button>
      </span>
    </nav>
  );
}
