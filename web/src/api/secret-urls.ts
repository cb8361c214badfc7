/** The secret URLs that were shown in this tab: in memory alone, and forgotten with the session or a reload. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';

const keyOf = (webhookId: string) => ['freshUrl', webhookId] as const;

/** Null where it was not shown since the page was loaded. */
export function useFreshUrl(webhookId: string): string | null {
  const { data } = useQuery<string>({
    queryKey: keyOf(webhookId),
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ?? null;
}

export function useKeepUrl(): (webhookId: string, url: string) => void {
  const queries = useQueryClient();
  return (webhookId, url) => {
    queries.setQueryDefaults(keyOf(webhookId), { gcTime: Infinity });
    queries.setQueryData(keyOf(webhookId), url);
  };
}
