/**
 * The number of open dead letters. The statistics of a period cannot tell it: dead letters counted there may
 * have been replayed since.
 */
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../i18n/language.ts';
import { client, type Answer } from './client.ts';
import { placeholderFor, queryKeyOf } from './use-api.ts';

const pollIntervalMs = 30_000;

/** Undefined until loaded. */
type DeadLetterCounts = { readonly count: number; readonly groups: Groups };
type Groups = Answer<'listDeadLetters'>['results'];
type Query = { readonly webhookId?: string[]; readonly per_page: number };

/** Reads all pages: a webhook without a group has no dead letters. */
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

/** Of the given webhooks, or of all that the token may read. */
export function useDeadLetterCounts(
  webhookIds: readonly string[] | null,
  { enabled = true, refetchInterval = pollIntervalMs } = {},
): DeadLetterCounts | undefined {
  // Sorted, so that the order on the screen does not change the query key.
  const query = { per_page: 200, ...(webhookIds && { webhookId: webhookIds.toSorted() }) };
  const queryKey = [...queryKeyOf('listDeadLetters', { query }), useLanguage(), 'all'];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readGroups(query, signal),
    enabled,
    refetchInterval,
    // Without data of other webhooks: a webhook missing there would read 0.
    placeholderData: placeholderFor(queryKey),
  });
  return data && { count: totalOf(data), groups: data };
}

export const totalOf = (groups: Groups): number =>
  groups.reduce((sum, { count }) => sum + count, 0);
