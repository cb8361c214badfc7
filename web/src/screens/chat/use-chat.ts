/** One chat, and its changes by the agent who acts. */
import { useQueryClient } from '@tanstack/react-query';
import type { Answer, Operation } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useAgentHeaders } from '../../session/agent.ts';

export type Chat = Answer<'getChatDetails'>;
export type Message = Answer<'listContactChatMessages'>['results'][number];

export const useChat = (chatId: string) => useApiQuery('getChatDetails', { params: { chatId } });

/** The operations whose answers a change of a chat affects. */
const affected = [
  'listChats',
  'countUnreadChats',
  'listContactChatMessages',
  'getChatAttendants',
] as const satisfies readonly Operation[];

type Change = Extract<
  Operation,
  | 'joinChat'
  | 'leaveChat'
  | 'markChatRead'
  | 'replaceChatLabels'
  | 'transferChat'
  | 'updateChatStatus'
>;

/** A mutation that answers the changed chat. Pass `headers` to it, so that the agent acts. */
export function useChatChange<Name extends Change>(name: Name, onClose?: () => void) {
  const queries = useQueryClient();
  const headers = useAgentHeaders();
  const change = useApiMutation(name, {
    invalidates: ['getChatDetails', ...affected],
    onDone: (answer) => {
      const chat = answer as Chat;
      queries.setQueriesData<Chat>({ queryKey: ['getChatDetails'] }, (before) =>
        before?.chat_id === chat.chat_id ? chat : before,
      );
    },
    ...(onClose && { onClose }),
  });
  return { ...change, headers };
}
