/**
 * The requests behind live events, byte for byte, for a developer who receives a copy of them.
 *
 * Promises: the audit log records the access before the first request is shown. Must never: change an event.
 */
import type { Actor } from '../../domain/audit/audit.ts';
import type { InboundRequest } from '../../domain/events/event.ts';
import type { AdminDeps } from '../dependencies.ts';

export function createLiveRequests({ events }: Pick<AdminDeps, 'events'>) {
  return {
    /** Records that the stream with these filters shows requests. */
    recordAccess: (filters: object, actor: Actor): Promise<void> =>
      events.recordExport([...Object.keys(filters), 'live', 'request'], actor),

    /** Null for an item of a list, and when the body is not stored any more. */
    read: async (eventId: string): Promise<InboundRequest | null> =>
      (await events.get(eventId))?.delivery ?? null,
  };
}
