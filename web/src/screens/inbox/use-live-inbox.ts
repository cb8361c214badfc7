/**
 * Keeps the inbox current: a changed chat updates the list, the counts and the open thread.
 *
 * Promises: however many chats change, the requests per minute are bounded, and fewer than the rate limit of a session.
 */
import { useInvalidate } from '../../api/use-api.ts';
import { useLive, type LiveItem } from '../../api/use-live.ts';
import { useThrottle } from '../../api/use-throttle.ts';

const listPauseMs = 4_000;
const threadPauseMs = 2_000;
/** Counting unread chats reads many messages. */
const countPauseMs = 20_000;

const chatIdOf = ({ event, data }: LiveItem): string | null =>
  event === 'change' ? ((data as { chat?: { chat_id: string } }).chat?.chat_id ?? null) : null;

export function useLiveInbox(chatId: string | null): { readonly isLost: boolean } {
  const refresh = useInvalidate();
  const refreshList = useThrottle(() => refresh('listChats'), listPauseMs);
  const refreshCounts = useThrottle(() => refresh('countUnreadChats'), countPauseMs);
  const refreshThread = useThrottle(
    () => refresh('getChatDetails', 'listContactChatMessages'),
    threadPauseMs,
  );
  const { isLost } = useLive('watchChats', {}, (item) => {
    refreshList();
    refreshCounts();
    const changedId = chatIdOf(item);
    // Without an id, any chat may have changed.
    if (changedId === null || changedId === chatId) refreshThread();
  });
  return { isLost };
}
