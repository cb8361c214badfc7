/** The suggested repair of a mapping for an event that failed. */
import { useQuery } from '@tanstack/react-query';
import { client, type Answer } from '../../api/client.ts';

export type Repair = Answer<'repairWebhookMappings'>;

type Asked = { readonly eventId: string | null; readonly version: number };

/** Undefined until loaded, and without an event or a version. */
export function useRepair(webhookId: string, { eventId, version }: Asked): Repair | undefined {
  const { data } = useQuery({
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
  return data;
}
