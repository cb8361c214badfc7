/** The previous and next events of the same webhook. */
import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import styles from './event.module.css';

type Event = Answer<'getEvent'>;

/** Several events can have the same millisecond. */
const perRead = 20;

function useNeighbour(
  { id, webhookId, receivedAt }: Event,
  side: 'previous' | 'next',
): string | undefined {
  const found = useApiQuery(
    'listEvents',
    {
      query: {
        webhookId: [webhookId],
        per_page: perRead,
        parents: true,
        ...(side === 'next'
          ? { from: receivedAt, sort_by: 'receivedAt' }
          : { to: receivedAt, sort_by: '-receivedAt' }),
      },
    },
    { skipFocusRefetch: true },
  );
  const rows = found.data?.results ?? [];
  const own = rows.findIndex((row) => row.id === id);
  return own === -1 ? undefined : rows[own + 1]?.id;
}

export function AdjacentEvents({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  return (
    <nav
      className={clsx('row', styles.eventNeighbours)}
      aria-label={formatMessage({ id: 'event.neighbours' })}
    >
      <Step to={useNeighbour(event, 'previous')}>
        <ChevronLeft aria-hidden />
        {formatMessage({ id: 'event.previous' })}
      </Step>
      <Step to={useNeighbour(event, 'next')}>
        {formatMessage({ id: 'event.next' })}
        <ChevronRight aria-hidden />
      </Step>
    </nav>
  );
}

/** Reserves its space from the start. */
function Step({ to, children }: { readonly to: string | undefined; readonly children: ReactNode }) {
  return to === undefined ? (
    <Button isSmall isDisabled variant="quiet">
      {children}
    </Button>
  ) : (
    <LinkButton isSmall variant="quiet" href={`/events/${to}`}>
      {children}
    </LinkButton>
  );
}
