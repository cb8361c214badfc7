/**
 * Events by the thousand, one after the other.
 *
 * Promises: memory holds one batch, whatever there is to tell; each batch is a search of its own from where the last one
 * ended, so that nothing stays open in the database and an export that broke off goes on from its last line. What is
 * secret is masked, as in a read.
 */
import type { Actor } from '../../domain/audit/audit.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { EventStore } from '../../store/events/events.ts';
import {
  eventPosition,
  type EventPosition,
  type EventPage,
} from '../../store/event-queries/search.ts';
import { maskContent, type ReadContent } from '../payloads/event-content.ts';
import { rejectSlowSearch, type EventQuery, type Search } from './event-search.ts';

export type ExportDeps = {
  readonly events: Pick<EventStore, 'page' | 'noteExport'>;
  readonly search: Pick<Search, 'resolve'>;
  readonly contentOf: ReadContent;
};

export type ExportedEvent = {
  readonly event: EventRecord;
  readonly position: EventPosition;
  /** Absent where it was not asked for. */
  readonly payload?: unknown;
};

export type ExportOptions = Pick<EventPage, 'order' | 'after'> & {
  readonly payload: boolean;
  readonly signal: AbortSignal;
};

/** Of payloads twenty at most are in memory, each of 1 MiB at most. */
const batchOf = (payload: boolean): number => (payload ? 20 : 500);

const namesOf = ({ parents: _parents, ...filters }: EventQuery): string[] =>
  Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));

export function createExport({ events, search, contentOf }: ExportDeps) {
  return {
    /** Payloads leave a row in the audit log before the first of them is told. Throws `invalid_query`. */
    async begin(asked: EventQuery, terms: ExportOptions, actor: Actor) {
      const filter = await search.resolve(asked);
      if (terms.payload) await events.noteExport(namesOf(asked), actor);
      return exported();

      async function* exported(): AsyncGenerator<ExportedEvent> {
        const { order, payload, signal } = terms;
        const limit = batchOf(payload);
        let { after } = terms;
        while (!signal.aborted) {
          const page = { order, skip: 0, limit, bodies: payload, ...(after && { after }) };
          const batch = await events.page(filter, page).catch(rejectSlowSearch);
          for (const event of batch) {
            const position = eventPosition(event, order);
            const shown = payload ? { payload: maskContent(await contentOf(event)).payload } : {};
            yield { event, position, ...shown };
            after = position;
          }
          if (batch.length < limit) return;
        }
      }
    },
  };
}
