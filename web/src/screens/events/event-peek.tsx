/** A panel beside the list: one event in short, with its payload and its actions. */
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { IconButton, LinkButton } from '../../ui/forms/button.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { useEventName } from '../../ui/data/event-name.ts';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { RelativeTime, Timestamp } from '../../ui/data/time.tsx';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { reasonAdvice, reasonText } from '../../ui/reasons/reasons.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { EventActions } from '../event-table/event-actions.tsx';
import type { EventRow } from '../event-table/event-row.ts';
import { useEventEffects, type Effect } from '../event-table/use-event-effects.ts';
import styles from './events.module.css';

type Props = { readonly row: EventRow; readonly onClose: () => void };

export function EventPeek({ row, onClose }: Props) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const nameOf = useEventName();
  const effect = useEventEffects([row]).get(row.id);
  const found = useApiQuery('getEvent', { params: { id: row.id } }, { skipFocusRefetch: true });
  const { state, reason } = row;
  const { refetch } = found;
  // The row is live, the payload and the actions are not.
  useEffect(() => void refetch(), [state, refetch]);
  return (
    <aside className={styles.peek} aria-label={formatMessage({ id: 'events.peek' })}>
      <div className="row spread">
        <h2 className="break">{nameOf(row)}</h2>
        <IconButton isSmall label={formatMessage({ id: 'ui.close' })} onPress={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className="row">
        <EventStateBadge state={state} />
        <LinkButton href={`/events/${row.id}`}>
          {formatMessage({ id: 'events.peek.open' })}
        </LinkButton>
        {found.data && <EventActions event={found.data} />}
      </div>
      {reason !== null && (
        <Note tone={state === 'dead' ? 'bad' : 'info'}>
          <p className="break">{reasonText(intl, reason)}</p>
          <p className="small">{reasonAdvice(intl, reason)}</p>
        </Note>
      )}
      <Facts row={row} effect={effect} />
      {found.isPending && <Loading lines={4} />}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Payload event={found.data} />}
    </aside>
  );
}

function Facts({ row, effect }: { readonly row: EventRow; readonly effect: Effect | undefined }) {
  const { formatMessage } = useIntl();
  const { externalId, webhookId, receivedAt, finishedAt, attempts } = row;
  const { contact, message = null } = effect ?? {};
  const term = (id: string) => formatMessage({ id });
  const facts: (Description | false)[] = [
    contact !== undefined &&
      contact !== null && [
        term('events.column.contact'),
        <ContactFacts key="contact" contact={contact} />,
      ],
    message !== null && [
      term('events.column.message'),
      <span key="message" className="break">
        {message}
      </span>,
    ],
    externalId !== null && [
      term('events.column.externalId'),
      <CopyableText key="id" text={externalId} />,
    ],
    [term('events.column.webhook'), <WebhookName key="webhook" id={webhookId} />],
    [term('events.column.received'), <Timestamp key="received" at={receivedAt} />],
    finishedAt !== null && [
      term('events.column.finished'),
      <RelativeTime key="finished" at={finishedAt} />,
    ],
    attempts > 1 && [term('events.column.attempts'), attempts],
  ];
  return <DescriptionList items={facts.filter((fact) => fact !== false)} />;
}

function ContactFacts({ contact }: { readonly contact: NonNullable<Effect['contact']> }) {
  const { formatMessage } = useIntl();
  const { id, name, phone, email } = contact;
  return (
    <span className="stack tight">
      <Link href={`/contacts/${id}`}>{name ?? formatMessage({ id: 'event.namelessContact' })}</Link>
      {[phone, email].map((value) => value !== null && <CopyableText key={value} text={value} />)}
    </span>
  );
}

function Payload({ event: { payload } }: { readonly event: Answer<'getEvent'> }) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: 'event.payload' });
  if (payload === null) {
    return <p className="soft">{formatMessage({ id: 'event.noPayload' })}</p>;
  }
  return (
    <section aria-label={label} className={styles.peekPayload}>
      <JsonView value={payload} label={label} />
    </section>
  );
}
