/** The number of open dead letters of all webhooks that the token may read; undefined until loaded. */
import { useIsRestricted } from '../session/session.ts';
import { useDeadLetterCounts } from './dead-letter-counts.ts';
import { useApiQuery } from './use-api.ts';

const pollIntervalMs = 30_000;

export function useDeadLetterCount(): number | undefined {
  // A restricted token may not read health.
  const isRestricted = useIsRestricted();
  const { data, isError } = useApiQuery(
    'getStatsHealth',
    {},
    { enabled: !isRestricted, refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  // An unavailable health has no count.
  const own = useDeadLetterCounts(null, {
    enabled: isRestricted || isError || data?.backlog === null,
  });
  return data?.backlog?.dead ?? own?.count;
}
