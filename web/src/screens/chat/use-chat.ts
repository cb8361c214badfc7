/** One chat, and its changes by the agent who acts. */
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useIntl } from 'react-intl';
import type { Answer, Operation } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useAgentHeaders } from '../../session/agent.ts';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

export type Chat = Answer<'getChatDetails'>;
export type Message = Answer<'listContactChatMessages'>['results'][number];
type ChatPages = InfiniteData<Answer<'listChats'>>;

export const useChat = (chatId: string) => useApiQuery('getChatDetails', { params: { chatId } });

type Change = Extract<
  Operation,
  | 'joinChat'
  | 'leaveChat'
  | 'markChatRead'
  | 'replaceChatLabels'
  | 'transferChat'
  | 'updateChatStatus'
>;

/** The operations whose answers a change affects, beside those that show the chat itself. */
const affected: Readonly<Record<Change, readonly Operation[]>> = {
  markChatRead: [],
  replaceChatLabels: [],
  joinChat: ['getChatAttendants'],
  leaveChat: ['getChatAttendants', 'listChats'],
  transferChat: ['getChatAttendants', 'listChats', 'listContactChatMessages'],
  updateChatStatus: ['getChatAttendants', 'listChats', 'listContactChatMessages'],
};

/** Shows the chat of an answer wherever it is shown, without another request. */
function useShowChat(): (chat: Chat) => void {
  const queries = useQueryClient();
  return (chat) => {
    queries.setQueriesData<Chat>({ queryKey: ['getChatDetails'] }, (before) =>
      before?.chat_id === chat.chat_id ? chat : before,
    );
    queries.setQueriesData<ChatPages>({ queryKey: ['listChats'] }, (before) =>
      before === undefined
        ? before
        : {
            ...before,
            pages: before.pages.map((page) => ({
              ...page,
              results: page.results.map((one) => (one.chat_id === chat.chat_id ? chat : one)),
            })),
          },
    );
  };
}

/** A mutation that answers the changed chat. Pass `headers` to it, so that the agent acts. */
export function useChatChange<Name extends Change>(name: Name, onClose?: () => void) {
  const show = useShowChat();
  const headers = useAgentHeaders();
  const change = useApiMutation(name, {
    invalidates: affected[name],
    onDone: (answer) => show(answer as Chat),
    ...(onClose && { onClose }),
  });
  return { ...change, headers };
}

/** Returns a function that shows an error as a toast. */
export function useShowError(): (error: Error) => void {
  const { formatMessage } = useIntl();
  return (error) => showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
}
