/** The pages of the chat list. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { client, type Answer } from '../../api/client.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useAgentHeaders } from '../../session/agent.ts';
import { listFilters, type InboxQuery } from './inbox-query.ts';

export type Chat = Answer<'listChats'>['results'][number];

const perPage = 30;

/** A chat that moves up while pages are read is in two of them. */
const withoutDoubles = (chats: readonly Chat[]): Chat[] => [
  ...new Map(chats.map((chat) => [chat.chat_id, chat])).values(),
];

export function useChats(query: InboxQuery) {
  const language = useLanguage();
  const headers = useAgentHeaders();
  const filters = listFilters(query);
  const read = useInfiniteQuery({
    queryKey: ['listChats', filters, headers, language],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      client.call('listChats', {
        query: { ...filters, per_page: perPage, current_page: pageParam },
        headers,
        signal,
      }),
    getNextPageParam: ({ pagings }) =>
      pagings.current_page < pagings.total_pages ? pagings.current_page + 1 : undefined,
  });
  return {
    ...read,
    chats: read.data && withoutDoubles(read.data.pages.flatMap(({ results }) => results)),
  };
}
