/** The chats of the current view. The arrow keys move between chats, Enter opens one. */
import { clsx } from 'clsx';
import { Tag, UserRound } from 'lucide-react';
import { GridList, GridListItem } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { agentNameOf } from '../../ui/data/agent-name.ts';
import { useChatName } from '../chat/chat-name.ts';
import type { InboxQuery } from './inbox-query.ts';
import { useChats, type Chat } from './use-chats.ts';
import styles from './inbox.module.css';

type Props = { readonly query: InboxQuery; readonly onOpen: (chatId: string) => void };

export function ChatList({ query, onOpen }: Props) {
  const { formatMessage } = useIntl();
  const { chats, isPending, isError, error, refetch, ...pages } = useChats(query);
  if (isPending) return <Loading lines={6} />;
  const retry = () => void refetch();
  if (!chats) return <ErrorNote error={error} onRetry={retry} />;
  return (
    <>
      {isError && <ErrorNote error={error} onRetry={retry} />}
      <GridList
        aria-label={formatMessage({ id: 'inbox.chats' })}
        items={chats.map((chat) => ({ id: chat.chat_id, chat }))}
        selectionMode="single"
        selectedKeys={query.chatId === null ? [] : [query.chatId]}
        onSelectionChange={(keys) => {
          const [id] = keys === 'all' ? [] : keys;
          if (id !== undefined) onOpen(String(id));
        }}
        disallowTypeAhead
        disallowEmptySelection
        escapeKeyBehavior="none"
        renderEmptyState={() => (
          <p className={clsx('soft', styles.inboxNone)}>{formatMessage({ id: 'inbox.none' })}</p>
        )}
      >
        {({ chat }) => <Row chat={chat} />}
      </GridList>
      {pages.hasNextPage && (
        <div className={styles.inboxMore}>
          <Button
            isSmall
            isDisabled={pages.isFetchingNextPage}
            onPress={() => void pages.fetchNextPage()}
          >
            {formatMessage({ id: 'inbox.more' })}
          </Button>
        </div>
      )}
    </>
  );
}

/** The API counts no further. */
const maxUnread = 100;

function Row({ chat }: { readonly chat: Chat }) {
  const { formatMessage } = useIntl();
  const name = useChatName()(chat);
  const { unread_count: unread, sector, labels, user, status, worker } = chat;
  const isShown = status !== 'in_chat' && status !== 'ura_webhook' && status !== 'queue';
  const spoken = [
    name,
    unread > 0 && formatMessage({ id: 'inbox.unreadCount' }, { count: unread }),
    user && agentNameOf(user),
    sector?.name,
    ...labels.map(({ label }) => label),
  ];
  return (
    <GridListItem
      id={chat.chat_id}
      textValue={spoken.filter(Boolean).join(', ')}
      data-part="chat"
      className={styles.inboxChat}
    >
      <span className={styles.inboxChatLine}>
        <strong className="clip">{name}</strong>
        <span className="small soft">
          <RelativeTime at={chat.date} />
        </span>
      </span>
      <span className={clsx('small', styles.inboxChatLine)}>
        <span className="clip soft">
          {user && (
            <>
              <UserRound size={13} aria-hidden /> {agentNameOf(user)} ·{' '}
            </>
          )}
          {sector ? sector.name : worker.name}
        </span>
        {unread > 0 && (
          <Badge tone="good">
            <span aria-hidden>{unread < maxUnread ? unread : `${maxUnread - 1}+`}</span>
            <span className="hidden-visually">
              {formatMessage({ id: 'inbox.unreadCount' }, { count: unread })}
            </span>
          </Badge>
        )}
      </span>
      {(labels.length > 0 || isShown) && (
        <span className={clsx('small', styles.inboxChatLabels)}>
          {isShown && <Badge>{formatMessage({ id: `contacts.chat.status.${status}` })}</Badge>}
          {labels.map(({ label_template_id: id, label, color }) => (
            <Badge key={id}>
              <Tag size={12} aria-hidden style={{ color }} />
              <span className="clip">{label}</span>
            </Badge>
          ))}
        </span>
      )}
    </GridListItem>
  );
}
