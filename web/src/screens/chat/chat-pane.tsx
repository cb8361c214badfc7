/** The open chat: its actions, the thread, the composer and the contact beside it. */
import { clsx } from 'clsx';
import { ArrowLeft, PanelRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { InletError } from '../../api/client.ts';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { focusComposer } from './shortcuts.ts';
import { StartChat } from '../contacts/start-chat.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { IconButton } from '../../ui/forms/button.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { ChatActions } from './chat-actions.tsx';
import { agentNameOf } from '../../ui/data/agent-name.ts';
import { useChatName } from './chat-name.ts';
import { Composer } from './composer.tsx';
import { changeDraft, useOutbox } from './outbox.ts';
import { ContactPane } from './contact-pane.tsx';
import { Thread } from './thread.tsx';
import { useChat, useChatChange, type Chat } from './use-chat.ts';
import styles from './chat.module.css';

type Props = { readonly chatId: string; readonly onLeave: () => void };

export function ChatPane({ chatId, onLeave }: Props) {
  const { formatMessage } = useIntl();
  const read = useChat(chatId);
  if (read.isPending)
    return <Loading label={formatMessage({ id: 'inbox.loadingChat' })} lines={8} />;
  const isGone = read.error instanceof InletError && read.error.status === 404;
  if (!read.data || isGone)
    return <ErrorNote error={read.error} onRetry={() => void read.refetch()} />;
  return <OpenChat chat={read.data} error={read.error} onLeave={onLeave} />;
}

type OpenProps = {
  readonly chat: Chat;
  /** Of the last request; the chat shown is from before. */
  readonly error: Error | null;
  readonly onLeave: () => void;
};

function OpenChat({ chat, error, onLeave }: OpenProps) {
  const { formatMessage } = useIntl();
  const name = useChatName()(chat);
  const [isAboutOpen, setAboutOpen] = useState(false);
  useMarkRead(chat);
  return (
    <div className={styles.inboxOpen}>
      <section
        className={styles.inboxPane}
        aria-label={formatMessage({ id: 'inbox.chatWith' }, { name })}
      >
        <header className={styles.inboxPaneHead}>
          <span className={styles.inboxBack}>
            <IconButton label={formatMessage({ id: 'inbox.back' })} onPress={onLeave}>
              <ArrowLeft aria-hidden />
            </IconButton>
          </span>
          <div className={styles.inboxTitle}>
            <h2 className="clip">{name}</h2>
            <ChatState chat={chat} />
          </div>
          <span className={styles.inboxAboutToggle}>
            <IconButton
              label={formatMessage({ id: 'inbox.about' })}
              aria-expanded={isAboutOpen}
              onPress={() => setAboutOpen(!isAboutOpen)}
            >
              <PanelRight aria-hidden />
            </IconButton>
          </span>
          <ChatActions chat={chat} name={name} />
        </header>
        {error && <ErrorNote error={error} />}
        <Thread
          chat={chat}
          name={name}
          onQuote={
            chat.status === 'closed'
              ? null
              : (quoted) => {
                  changeDraft(chat.chat_id, { quoted });
                  focusComposer();
                }
          }
        />
        {chat.status === 'closed' ? (
          <Closed chat={chat} />
        ) : (
          <Composer chatId={chat.chat_id} name={name} />
        )}
      </section>
      <aside
        className={clsx(styles.inboxAbout, isAboutOpen && styles.isOpen)}
        aria-label={formatMessage({ id: 'inbox.about' })}
      >
        <ContactPane chat={chat} />
      </aside>
    </div>
  );
}

function ChatState({ chat: { status, user, sector, test, labels } }: { readonly chat: Chat }) {
  const { formatMessage } = useIntl();
  return (
    <span className={clsx('row small', styles.inboxState)}>
      <Badge tone={status === 'closed' ? 'plain' : status === 'in_chat' ? 'good' : 'warn'}>
        {formatMessage({ id: `contacts.chat.status.${status}` })}
      </Badge>
      {user && <span>{agentNameOf(user)}</span>}
      {sector && (
        <span className={clsx('row', styles.inboxSector)}>
          <span className={styles.inboxDot} style={{ backgroundColor: sector.color }} />
          {sector.name}
        </span>
      )}
      {test === true && <Badge tone="info">{formatMessage({ id: 'contacts.chat.test' })}</Badge>}
      {labels.map(({ label_template_id: id, label, color }) => (
        <Badge key={id}>
          <span className={styles.inboxDot} style={{ backgroundColor: color }} />
          {label}
        </Badge>
      ))}
    </span>
  );
}

/** A text that was not sent before the chat was closed can still be copied. */
function Closed({ chat }: { readonly chat: Chat }) {
  const { formatMessage } = useIntl();
  const { text } = useOutbox(chat.chat_id).draft;
  return (
    <div className={clsx('stack tight', styles.inboxClosed)}>
      <p className="soft">{formatMessage({ id: 'inbox.closedHint' })}</p>
      {chat.contact && <StartChat contactId={chat.contact.id} channelId={chat.worker.id} />}
      {text.trim() !== '' && (
        <>
          <p>{formatMessage({ id: 'inbox.closedDraft' })}</p>
          <CopyableText text={text} label={formatMessage({ id: 'inbox.copyDraft' })} />
        </>
      )}
    </div>
  );
}

/** Marks the chat as read while a person sees it: once for each number of unread messages. */
function useMarkRead({ chat_id: chatId, unread_count: unread, status, date }: Chat): void {
  const { mutate, headers } = useChatChange('markChatRead');
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const update = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  const isWanted = isVisible && unread > 0 && status !== 'closed';
  useEffect(() => {
    if (isWanted) mutate({ params: { chatId }, headers });
    // A failed request is not repeated until another message arrives.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each count of unread messages
  }, [isWanted, chatId, unread, date]);
}
