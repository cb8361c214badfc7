/** Live view after activation: the first events with their contacts and chats. */
import { clsx } from 'clsx';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'react-aria-components';
import { useLive } from '../../api/use-live.ts';
import type { Answer } from '../../api/client.ts';
import { useApiQuery, useInvalidate } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { MessageBubble } from './message-bubble.tsx';
import { useSecretUrl } from '../../api/secret-urls.ts';
import { WaitingStatus } from './waiting-status.tsx';
import styles from './setup-steps.module.css';

type Webhook = Answer<'getWebhook'>;
type Event = Answer<'listEvents'>['results'][number];

// Used while the live stream is unavailable.
const pollIntervalMs = 5_000;
const shown = 3;

export function LiveStep({ webhook: { id, status } }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const refresh = useInvalidate();
  const [last, setLast] = useState(0);
  const { isOpen, isLost } = useLive('watchEvents', { query: { webhookId: [id] } }, () => {
    // At most two refreshes per second.
    const now = Date.now();
    if (now - last < 500) return;
    setLast(now);
    setTimeout(() => refresh('listEvents'), 500);
  });
  const events = useApiQuery(
    'listEvents',
    { query: { webhookId: [id], per_page: shown, sort_by: '-receivedAt' } },
    { refetchInterval: isOpen ? pollIntervalMs * 3 : pollIntervalMs },
  );
  const url = useSecretUrl(id);
  const results = events.data?.results ?? [];
  return (
    <>
      <Note tone={status === 'paused' ? 'warn' : 'good'} isLive>
        {formatMessage({ id: status === 'paused' ? 'setup.paused' : 'setup.isActive' })}
      </Note>
      {results.length === 0 ? (
        <>
          <WaitingStatus isLost={isLost} title={formatMessage({ id: 'setup.firstReal' })}>
            {formatMessage({ id: 'setup.firstRealHint' })}
          </WaitingStatus>
          {url !== null && (
            <CopyableText text={url} label={formatMessage({ id: 'setup.urlCopy' })} />
          )}
        </>
      ) : (
        <ul className={clsx('stack tight', styles.came)} aria-live="polite">
          {results.map((event) => (
            <Came key={event.id} event={event} />
          ))}
        </ul>
      )}
      <div className="row">
        <LinkButton variant="primary" href={`/webhooks/${id}`}>
          {formatMessage({ id: 'setup.toWebhook' })}
        </LinkButton>
        <LinkButton href={`/events?webhookId=${id}`}>
          {formatMessage({ id: 'setup.toEvents' })}
        </LinkButton>
      </div>
    </>
  );
}

function Came({ event: { id, state, receivedAt } }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const whole = useApiQuery('getEvent', { params: { id } }, { enabled: state === 'done' });
  const effects = whole.data?.effects ?? null;
  return (
    <li className={clsx('stack tight', styles.cameEvent)}>
      <div className="row">
        <EventStateBadge state={state} />
        <Link href={`/events/${id}`}>
          {formatMessage({ id: 'setup.event' })} <RelativeTime at={receivedAt} />
        </Link>
      </div>
      {effects && <Effects effects={effects} />}
      {state === 'dead' && <p className="soft">{formatMessage({ id: 'setup.eventDead' })}</p>}
    </li>
  );
}

type Effects = NonNullable<Answer<'getEvent'>['effects']>;

function Effects({ effects: { contactId, chatId, messageId } }: { readonly effects: Effects }) {
  const { formatMessage } = useIntl();
  const mayChat = useHasScope('inbox');
  const contact = useApiQuery('getContact', { params: { id: contactId } });
  const chat = useApiQuery(
    'getChat',
    { params: { chatId }, query: { per_page: 20, sort_by: '-date' } },
    { enabled: mayChat },
  );
  const message = chat.data?.results.find((one) => one.message_id === messageId);
  const name = contact.data?.name ?? formatMessage({ id: 'setup.seen.noName' });
  return (
    <>
      <div className="row">
        <Link href={`/contacts/${contactId}`} className="break">
          {formatMessage({ id: 'setup.contactOf' }, { name })}
        </Link>
        {mayChat && (
          <Link href={`/inbox?chat=${chatId}`}>{formatMessage({ id: 'setup.chat' })}</Link>
        )}
      </div>
      {message && <MessageBubble text={message.content.message} />}
    </>
  );
}
