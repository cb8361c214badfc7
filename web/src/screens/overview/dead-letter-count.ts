/** How many events are dead now, of all that the token may see; undefined until it is known. */
import { useOpenDead } from '../../api/dead-letter-counts.ts';
import { useRead } from '../../api/use-api.ts';
import { everyMs } from './time-range.ts';

export function useDeadNow(): number | undefined {
  const { data, isError } = useRead('getStatsHealth', {}, { every: everyMs, keep: true });
  // A token for some webhooks alone may not ask about all of it, and a health that cannot be read has no count.
  const own = useOpenDead(null, isError || data?.backlog === null);
  return data?.backlog?.dead ?? own?.count;
}
