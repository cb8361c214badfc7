/** The stored inbound request of an event, as the source of a sample or test event. */
import { invalidField } from '../../base/errors.ts';
import type { InboundRequest, EventRecord } from '../../domain/events/event.ts';

type StoredRequestDeps = {
  readonly events: { get(id: string): Promise<EventRecord | null> };
};

/** Returns the event's request; for an item that of its parent. Throws `invalid_field` at `/eventId`. */
export function createStoredRequestReader({ events }: StoredRequestDeps) {
  return async function deliveryOf(webhookId: string, eventId: string): Promise<InboundRequest> {
    const event = await events.get(eventId);
    if (event?.webhookId !== webhookId)
      throw invalidField('/eventId', 'is not an event of this webhook');
    const holder = event.parentId === null ? event : await events.get(event.parentId);
    if (!holder?.delivery) throw invalidField('/eventId', 'is an event whose body was deleted');
    // MongoDB may return its own binary type.
    return { ...holder.delivery, body: Buffer.from(holder.delivery.body) };
  };
}
