/** The number of open dead letters of all webhooks that the token may read; undefined until loaded. */
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { pollIntervalMs } from './time-range.ts';

export function useDeadLetterCount(): number | undefined {
  const { data, isError } = useApiQuery(
    'getStatsHealth',
    {},
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  // A restricted token may not read health; an unavailable health has no count.
  const own = useDeadLetterCounts(null, isError || data?.backlog === null);
  return data?.backlog?.dead ?? own?.count;
}
