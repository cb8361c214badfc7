/** The suggested repair of a mapping for an event that failed. */
import { useQuery } from '@tanstack/react-query';
import { client, type Answer } from '../../api/client.ts';

export type Repair = Answer<'repairWebhookMappings'>;

type Asked = { readonly eventId: string | null; readonly version: number };

type Suggested = { readonly repair: Repair | undefined; readonly isLoading: boolean };

/** Without an event or a version nothing is loaded. */
export function useRepair(webhookId: string, { eventId, version }: Asked): Suggested {
  const { data: repair, isLoading } = useQuery({
    queryKey: ['repairWebhookMappings', webhookId, eventId, version],
    queryFn: ({ signal }) =>
      client.call('repairWebhookMappings', {
        params: { id: webhookId },
        body: { eventId: eventId ?? '', version },
        signal,
      }),
    enabled: eventId !== null && version > 0,
    staleTime: Infinity,
    retry: false,
  });
  return { repair, isLoading };
}
