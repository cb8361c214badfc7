/** The webhooks of a channel, by name. */
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';

type ChannelWebhook = Answer<'listWebhooks'>['results'][number];

/** Undefined while loading. */
export function useChannelWebhooks(channelId: string): readonly ChannelWebhook[] | undefined {
  const query = { channelId: [channelId], per_page: 50, sort_by: 'name' as const };
  return useApiQuery('listWebhooks', { query }).data?.results;
}
