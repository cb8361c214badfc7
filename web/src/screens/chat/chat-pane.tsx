/** The open chat: its actions, the thread, the composer and the contact beside it. */
import '../contacts/contacts.css';
import './chat.css';
import { ArrowLeft, PanelRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { Badge } from '../../ui/data/badge.tsx';
import { IconButton } from '../../ui/forms/button.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { ChatActions } from './chat-actions.tsx';
import { agentNameOf } from './agent-name.ts';
import { useChatName } from './chat-name.ts';
import { Composer, type Quoted } from './composer.tsx';
import { ContactPane } from './contact-pane.tsx';
import { Thread } from './thread.tsx';
import { useChat, useChatChange, type Chat } from './use-chat.ts';

type Props = { readonly chatId: string; readonly onLeave: () => void };

export function ChatPane({ chatId, onLeave }: Props) {
  const { formatMessage } = useIntl();
  const read = useChat(chatId);
  if (read.isPending)
    return <Loading label={formatMessage({ id: 'inbox.loadingChat' })} lines={8} />;
  if (read.isError) return <ErrorNote error={read.error} onRetry={() => void read.refetch()} />;
  return <OpenChat chat={read.data} onLeave={onLeave} />;
}

function OpenChat({ chat, onLeave }: { readonly chat: Chat; readonly onLeave: () => void }) {
  const { formatMessage } = useIntl();
  const name = useChatName()(chat);
  const [isAboutOpen, setAboutOpen] = useState(false);
  const [quoted, setQuoted] = useState<Quoted | null>(null);
  useMarkRead(chat);
  return (
    <div className="inbox-open">
      <section
        className="inbox-pane"
        aria-label={formatMessage({ id: 'inbox.chatWith' }, { name })}
      >
        <header className="inbox-pane-head">
          <span className="inbox-back">
            <IconButton label={formatMessage({ id: 'inbox.back' })} onPress={onLeave}>
              <ArrowLeft aria-hidden />
            </IconButton>
          </span>
          <div className="inbox-title">
            <h2 className="clip">{name}</h2>
            <ChatState chat={chat} />
          </div>
          <span className="inbox-about-toggle">
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
        <Thread chat={chat} name={name} onQuote={chat.status === 'closed' ? null : setQuoted} />
        {chat.status === 'closed' ? (
          <p className="inbox-closed soft">{formatMessage({ id: 'inbox.closedHint' })}</p>
        ) : (
          <Composer chatId={chat.chat_id} quoted={quoted} onUnquote={() => setQuoted(null)} />
        )}
      </section>
      <aside
        className={`inbox-about ${isAboutOpen ? 'is-open' : ''}`}
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
    <span className="row small inbox-state">
      <Badge tone={status === 'closed' ? 'plain' : status === 'in_chat' ? 'good' : 'warn'}>
        {formatMessage({ id: `contacts.chat.status.${status}` })}
      </Badge>
      {user && <span>{agentNameOf(user)}</span>}
      {sector && (
        <span className="row inbox-sector">
          <span className="inbox-dot" style={{ backgroundColor: sector.color }} />
          {sector.name}
        </span>
      )}
      {test === true && <Badge tone="info">{formatMessage({ id: 'contacts.chat.test' })}</Badge>}
      {labels.map(({ label_template_id: id, label, color }) => (
        <Badge key={id}>
          <span className="inbox-dot" style={{ backgroundColor: color }} />
          {label}
        </Badge>
      ))}
    </span>
  );
}

/** Marks the chat as read while a person sees it. */
function useMarkRead({ chat_id: chatId, unread_count: unread, status }: Chat): void {
  const { mutate, headers, isPending } = useChatChange('markChatRead');
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const update = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  const isWanted = isVisible && unread > 0 && status !== 'closed' && !isPending;
  useEffect(() => {
    if (isWanted) mutate({ params: { chatId }, headers });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each count of unread messages
  }, [isWanted, chatId, unread]);
}
