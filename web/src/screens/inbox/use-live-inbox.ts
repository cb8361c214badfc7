/**
 * Keeps the inbox current: a changed chat updates the list, the counts and the open thread.
 *
 * Promises: however many chats change, the requests per minute are bounded, and about half of the rate limit of a session.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Operation } from '../../api/client.ts';
import { useLive, type LiveItem } from '../../api/use-live.ts';
import { useThrottle } from '../../api/use-throttle.ts';

const listPauseMs = 5_000;
const threadPauseMs = 3_000;
/** Counting unread chats reads many messages. */
const countPauseMs = 30_000;

const chatIdOf = ({ event, data }: LiveItem): string | null =>
  event === 'change' ? ((data as { chat?: { chat_id: string } }).chat?.chat_id ?? null) : null;

/** Returns a function that reloads answers. A request that runs already may miss the change, so another one follows it. */
function useReload(): (...operations: readonly Operation[]) => Promise<unknown> {
  const queries = useQueryClient();
  const reload = (queryKey: readonly [Operation]) =>
    queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  return (...operations) =>
    Promise.all(
      operations.map(async (operation) => {
        const queryKey = [operation] as const;
        const wasRunning = queries.isFetching({ queryKey }) > 0;
        await reload(queryKey);
        if (wasRunning) await reload(queryKey);
      }),
    );
}

export function useLiveInbox(chatId: string | null): { readonly isLost: boolean } {
  const reload = useReload();
  const reloadList = useThrottle(() => reload('listChats'), listPauseMs);
  const reloadCounts = useThrottle(() => reload('countUnreadChats'), countPauseMs);
  const reloadThread = useThrottle(
    () => reload('getChatDetails', 'listContactChatMessages'),
    threadPauseMs,
  );
  const { isOpen, isLost } = useLive('watchChats', {}, (item) => {
    reloadList();
    reloadCounts();
    const changedId = chatIdOf(item);
    // Without an id, any chat may have changed.
    if (changedId === null || changedId === chatId) reloadThread();
  });
  // What changed before the stream opened is not in it.
  useEffect(() => {
    if (!isOpen) return;
    reloadList();
    reloadCounts();
    reloadThread();
  }, [isOpen, reloadList, reloadCounts, reloadThread]);
  return { isLost };
}
