/** One message: who wrote it, its text and files, its event and the state of its delivery. */
import { clsx } from 'clsx';
import { Reply } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useHasScope } from '../../session/session.ts';
import { DeliveryStateBadge } from '../../ui/data/state-badge.tsx';
import { IconButton } from '../../ui/forms/button.tsx';
import { ContactValue } from '../contacts/contact-value.tsx';
import { useWebhookName } from '../contacts/resource-names.ts';
import { agentNameOf } from '../../ui/data/agent-name.ts';
import { Attachment } from './attachment.tsx';
import type { Quoted } from './outbox.ts';
import type { Message } from './use-chat.ts';
import styles from './chat.module.css';

type Props = {
  readonly message: Message;
  /** The message that this one answers, if it is loaded. */
  readonly quoted: Message | null;
  readonly chatId: string;
  /** The name of the contact. */
  readonly name: string;
  readonly onQuote: ((quoted: Quoted) => void) | null;
};

const quotedLength = 120;

export function Bubble({ message, quoted, chatId, name, onQuote }: Props) {
  const { formatMessage } = useIntl();
  const { id, from, text, agent, files } = message;
  const sender = formatMessage({ id: `inbox.from.${from}` });
  const who = from === 'client' ? name : agent ? agentNameOf(agent) : sender;
  return (
    <li className={clsx(styles.inboxBubble, styles[from])}>
      <span
        className={
          from === styles.operator || from === styles.system
            ? clsx('small', styles.inboxWho)
            : 'hidden-visually'
        }
      >
        {formatMessage({ id: 'inbox.says' }, { who })}{' '}
      </span>
      {quoted && (
        <blockquote className="small soft clip">{quoted.text.slice(0, quotedLength)}</blockquote>
      )}
      {files.map((file) => (
        <Attachment key={file.id} chatId={chatId} file={file} />
      ))}
      {text !== '' && (
        <div className={styles.inboxText}>
          <ContactValue>{text}</ContactValue>
        </div>
      )}
      <span className={styles.inboxBubbleFoot}>
        <Facts message={message} />
        {onQuote && from !== 'system' && (
          <IconButton
            isSmall
            label={formatMessage({ id: 'inbox.quote' })}
            onPress={() => onQuote({ id, text: text.slice(0, quotedLength) })}
          >
            <Reply aria-hidden />
          </IconButton>
        )}
      </span>
    </li>
  );
}

function Facts({ message: { at, eventId, webhookId, delivery } }: { readonly message: Message }) {
  const { formatMessage, formatTime, formatDate } = useIntl();
  const webhookOf = useWebhookName();
  const mayOpen = useHasScope('viewer');
  const webhook = webhookId === null ? '' : webhookOf(webhookId);
  return (
    <span className={styles.inboxFacts}>
      <time dateTime={at} title={formatDate(at, { dateStyle: 'full', timeStyle: 'long' })}>
        {formatTime(at)}
      </time>
      {mayOpen && eventId !== null && (
        <Link href={`/events/${eventId}`}>
          {formatMessage({ id: 'inbox.sourceEvent' }, { webhook })}
        </Link>
      )}
      {delivery !== null && <DeliveryStateBadge delivery={delivery} />}
    </span>
  );
}
