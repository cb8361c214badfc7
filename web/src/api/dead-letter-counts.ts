/** How many events are dead now, whenever they died. What was counted of a time says nothing of it: since then they may have been replayed. */
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../i18n/language.ts';
import { client, type Answer } from './client.ts';
import { keepFor, keyOf } from './use-api.ts';

const everyMs = 30_000;

/** Undefined until it is known. */
export type OpenDead = { readonly count: number; readonly groups: Groups };
type Groups = Answer<'listDeadLetters'>['results'];
type Query = { readonly webhookId?: string[]; readonly per_page: number };

/** All pages: what is not among the groups is taken for none. */
async function readGroups(query: Query, signal: AbortSignal): Promise<Groups> {
  const groups: Groups = [];
  for (let page = 1; ; page += 1) {
    const { results, pagings } = await client.call('listDeadLetters', {
      query: { ...query, current_page: page },
      signal,
    });
    groups.push(...results);
    if (page >= pagings.total_pages) return groups;
  }
}

/** Of some webhooks, or of all that the token may see. */
export function useOpenDead(
  webhookIds: readonly string[] | null,
  enabled = true,
  every = everyMs,
): OpenDead | undefined {
  // In whatever order they are shown, it is the same reading.
  const query = { per_page: 200, ...(webhookIds && { webhookId: webhookIds.toSorted() }) };
  const queryKey = [...keyOf('listDeadLetters', { query }), useLanguage(), 'all'];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readGroups(query, signal),
    enabled,
    refetchInterval: every,
    // Of other webhooks nothing stays: a new one would read 0.
    placeholderData: keepFor(queryKey),
  });
  return data && { count: countOf(data), groups: data };
}

export const countOf = (groups: Groups): number =>
  groups.reduce((sum, { count }) => sum + count, 0);
