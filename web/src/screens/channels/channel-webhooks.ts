/** The webhooks that send to a channel, by name. */
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/use-api.ts';

export type Sender = Answer<'listWebhooks'>['results'][number];

/** Absent before they are known. */
export function useSenders(channelId: string): readonly Sender[] | undefined {
  const query = { channelId: [channelId], per_page: 50, sort_by: 'name' as const };
  return useRead('listWebhooks', { query }).data?.results;
}
