/** The live stream of changed chats. See store/db/tail.ts for the guarantees. */
import { createTail, type TailRequest } from '../store/db/tail.ts';
import type { ChatChange } from '../store/chats/watch-chats.ts';
import type { InboxDeps } from './dependencies.ts';

const changeItem = ({ token, at, chat }: ChatChange) => ({
  id: token,
  event: 'change',
  data: { at, chat },
});

export function createLiveChats({ inbox, logger }: Pick<InboxDeps, 'inbox' | 'logger'>) {
  const tail = createTail({ logger, open: inbox.watchChats, shown: changeItem });
  /** Subscribes to chats of the channels; all channels when undefined. Resolves when no later change can be missed. */
  return function watchChats(channelIds: readonly string[] | undefined, terms: TailRequest) {
    const isVisible = ({ chat }: ChatChange) =>
      chat === null || (channelIds?.includes(chat.channelId) ?? true);
    return tail(isVisible, terms);
  };
}
