/** The secret URLs shown in this tab. They stay in memory and are lost with the session or a reload. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';

const keyOf = (webhookId: string) => ['freshUrl', webhookId] as const;

/** Null when the URL was not shown since the page loaded. */
export function useSecretUrl(webhookId: string): string | null {
  const { data } = useQuery<string>({
    queryKey: keyOf(webhookId),
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? null;
}

export function useRememberSecretUrl(): (webhookId: string, url: string) => void {
  const queries = useQueryClient();
  return (webhookId, url) => {
    queries.setQueryDefaults(keyOf(webhookId), { gcTime: Infinity });
    queries.setQueryData(keyOf(webhookId), url);
  };
}
