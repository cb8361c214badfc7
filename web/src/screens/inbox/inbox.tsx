/**
 * The inbox: chats by status, and the open one with its thread and contact. What is shown is in the URL.
 *
 * Promises: changes by events and other people appear without a reload.
 */
import { clsx } from 'clsx';
import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { useAgentId } from '../../session/agent.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { IconButton } from '../../ui/forms/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AgentChoice } from './agent-choice.tsx';
import { changeParams, readInboxQuery } from './inbox-query.ts';
import { ChatFilters } from './chat-filters.tsx';
import { ChatList } from './chat-list.tsx';
import { MessageResults } from './message-results.tsx';
import { focusComposer, shortcutKeys, useInboxShortcuts } from '../chat/shortcuts.ts';
import { ShortcutHelp } from '../../ui/shortcuts/shortcut-help.tsx';
import { focusSearch } from '../../ui/shortcuts/use-shortcuts.ts';
import { ChatPane } from '../chat/chat-pane.tsx';
import { useLiveInbox } from './use-live-inbox.ts';
import styles from './inbox.module.css';

/** A delayed change applies to the URL of its time, not of the last render. */
const currentParams = () => new URLSearchParams(window.location.search);

export function Inbox() {
  const { formatMessage } = useIntl();
  const [params, setParams] = useSearchParams();
  const [isHelp, setHelp] = useState(false);
  const hasAgent = useAgentId() !== null;
  const query = readInboxQuery(params, hasAgent);
  const unread = useApiQuery('countUnreadChats', {}).data?.total ?? 0;
  const { chatId, search } = query;
  const { isLost } = useLiveInbox(chatId);
  const change = (changes: Readonly<Record<string, string | null>>) =>
    setParams(changeParams(currentParams(), changes), { replace: true });
  // A chat is a step of the history: the browser's back button returns to the list.
  const open = (id: string | null) => setParams(changeParams(currentParams(), { chat: id }));
  useInboxShortcuts({ search: focusSearch, reply: focusComposer, help: () => setHelp(true) });
  return (
    <div data-part="inbox" className={clsx(styles.inbox, chatId === null ? '' : styles.hasChat)}>
      <PageHeader
        title={formatMessage({ id: 'shell.inbox' })}
        part={unread > 0 ? `(${unread})` : undefined}
        actions={
          <>
            <AgentChoice />
            <IconButton label={formatMessage({ id: 'ui.shortcuts' })} onPress={() => setHelp(true)}>
              <Keyboard aria-hidden />
            </IconButton>
          </>
        }
      />
      {isLost && (
        <Note tone="warn" isLive>
          {formatMessage({ id: 'inbox.lost' })}
        </Note>
      )}
      <div className={styles.inboxColumns}>
        <div className={styles.inboxList}>
          <ChatFilters query={query} onChange={change} />
          <div className={styles.inboxScroll}>
            <ChatList query={query} onOpen={open} />
            {search.trim() !== '' && <MessageResults words={search.trim()} onOpen={open} />}
          </div>
        </div>
        {chatId === null ? (
          <div className={styles.inboxEmpty}>
            <EmptyState title={formatMessage({ id: 'inbox.choose' })}>
              {formatMessage({ id: 'inbox.choose.hint' })}
            </EmptyState>
          </div>
        ) : (
          <ChatPane key={chatId} chatId={chatId} onLeave={() => open(null)} />
        )}
      </div>
      {isHelp && <InboxHelp onClose={() => setHelp(false)} />}
    </div>
  );
}

function InboxHelp({ onClose }: { readonly onClose: () => void }) {
  const { formatMessage } = useIntl();
  const keys = { move: '↑ ↓', open: 'Enter', ...shortcutKeys, leave: 'Escape' };
  const shortcuts = Object.entries(keys).map(
    ([name, key]) => [key, formatMessage({ id: `inbox.key.${name}` })] as const,
  );
  return <ShortcutHelp shortcuts={shortcuts} onClose={onClose} />;
}
