/**
 * Streams an export of events. Also the requests behind live events, byte for byte, for a developer who receives a copy of them.
 *
 * Promises: memory holds one batch. Each batch is a separate query from the position of the last event, so no
 * cursor stays open and an interrupted export can continue. Credentials are masked. The audit log records the access
 * before the first request is shown.
 */
import { invalidQuery } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { EventRecord, InboundRequest } from '../../domain/events/event.ts';
import type { EventFilter } from '../../store/events/event-filter.ts';
import { eventPosition, type EventPosition, type EventPage } from '../../store/events/search.ts';
import { maskContent, readContents } from '../samples/event-content.ts';
import type { ApiContext } from '../context.ts';
import { rejectSlowSearch, resolveQuery, type EventQuery } from './event-search.ts';

type ExportedEvent = {
  readonly event: EventRecord;
  readonly position: EventPosition;
  readonly payload?: unknown;
};

type ExportOptions = Pick<EventPage, 'order' | 'after'> & {
  readonly asked: EventQuery;
  readonly payload: boolean;
  readonly signal: AbortSignal;
};

/** Batch size: with payloads, at most 20 bodies of up to 1 MiB are in memory. */
const batchOf = (payload: boolean): number => (payload ? 20 : 500);

const namesOf = ({ parents: _parents, channels: _channels, ...filters }: EventQuery): string[] =>
  Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));

type Shown = Omit<ExportedEvent, 'position'>;

const plain = (events: readonly EventRecord[]): Shown[] => events.map((event) => ({ event }));

async function* withPayloads(
  ctx: ApiContext,
  events: readonly EventRecord[],
): AsyncGenerator<Shown> {
  for await (const { source: event, content } of readContents(ctx, events))
    yield { event, payload: maskContent(content).payload };
}

/** Records that the live stream with these filters shows requests. */
export const recordLiveAccess = (
  { events }: ApiContext,
  filters: object,
  actor: Actor,
): Promise<void> => events.recordExport([...Object.keys(filters), 'live', 'request'], actor);

/** Null for an item of a list, and when the body is not stored any more. */
export const readRequest = async (
  { events }: ApiContext,
  eventId: string,
): Promise<InboundRequest | null> => (await events.get(eventId))?.delivery ?? null;

/** Starts an export. An export with payloads is recorded in the audit log before the first event. Throws `invalid_query`. */
export async function exportEvents(
  ctx: ApiContext,
  { asked, ...options }: ExportOptions,
  actor: Actor,
): Promise<AsyncIterable<ExportedEvent>> {
  const { filter, isComplete } = await resolveQuery(ctx, asked, options.order);
  if (!isComplete) throw invalidQuery('search', 'field.matches_too_many');
  if (options.payload) await ctx.events.recordExport(namesOf(asked), actor);
  return exported(ctx, filter, options);
}

async function* exported(
  ctx: ApiContext,
  filter: EventFilter,
  { order, payload, signal, after: start }: Omit<ExportOptions, 'asked'>,
): AsyncGenerator<ExportedEvent> {
  const limit = batchOf(payload);
  let after = start;
  while (!signal.aborted) {
    const page = { order, skip: 0, limit, bodies: payload, ...(after && { after }) };
    const { found, isFull } = await ctx.events.page(filter, page).catch(rejectSlowSearch);
    for await (const { event, ...shown } of payload ? withPayloads(ctx, found) : plain(found)) {
      const position = eventPosition(event, order);
      yield { event, position, ...shown };
      after = position;
    }
    if (!isFull) return;
  }
}
