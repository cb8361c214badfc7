/** The contacts and messages of the events in a list, read in groups as rows appear or end. */
import { useEffect, useState } from 'react';
import { client, type Answer } from '../../api/client.ts';
import type { EventRow } from './event-row.ts';

export type Effect = Answer<'listEventsEffects'>['results'][number];

/** The limit of the API. */
const maxIds = 100;
/** Rows of the live stream come one by one. */
const waitMs = 60;

/** Changes when a replay may have changed the effects. */
const keyOf = ({ id, finishedAt }: EventRow): string => `${id} ${finishedAt}`;

/** Returns the effects by event id. An event without effects, or not read yet, is absent. */
export function useEventEffects(rows: readonly EventRow[]): ReadonlyMap<string, Effect> {
  const [known, setKnown] = useState<ReadonlyMap<string, Effect | null>>(new Map());
  const unknown = rows
    .filter((row) => row.finishedAt !== null && !known.has(keyOf(row)))
    .slice(0, maxIds);
  const wanted = unknown.map(keyOf).join();
  useEffect(() => {
    if (wanted === '') return undefined;
    const abort = new AbortController();
    const keys = wanted.split(',');
    const eventId = keys.map((key) => key.slice(0, key.indexOf(' ')));
    const timer = setTimeout(() => void load(), waitMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };

    async function load(): Promise<void> {
      const query = { eventId };
      // Without an answer the rows stay without people; the list itself reports what is wrong.
      const found = await client
        .call('listEventsEffects', { query, signal: abort.signal })
        .catch(() => ({ results: [] as Effect[] }));
      if (abort.signal.aborted) return;
      const byId = new Map(found.results.map((one) => [one.eventId, one]));
      setKnown((before) => {
        const added = keys.map((key, at) => [key, byId.get(eventId[at] ?? '') ?? null] as const);
        return new Map([...before, ...added].slice(-10 * maxIds));
      });
    }
  }, [wanted]);
  return new Map(
    rows.flatMap((row) => {
      const effect = known.get(keyOf(row));
      return effect ? [[row.id, effect] as const] : [];
    }),
  );
}
