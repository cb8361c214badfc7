/** How many events are dead now, of all that the token may see; undefined until it is known. */
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { pollIntervalMs } from './time-range.ts';

export function useDeadLetterCount(): number | undefined {
  const { data, isError } = useApiQuery(
    'getStatsHealth',
    {},
    { every: pollIntervalMs, keep: true },
  );
  // A token for some webhooks alone may not ask about all of it, and a health that cannot be read has no count.
  const own = useDeadLetterCounts(null, isError || data?.backlog === null);
  return data?.backlog?.dead ?? own?.count;
}
