/** The delivery that a stored event came with, for what people make of it: a sample, or a test. */
import { AppError } from '../../base/errors.ts';
import type { InboundRequest, EventRecord } from '../../domain/events/event.ts';

export type StoredRequestDeps = {
  readonly events: { get(id: string): Promise<EventRecord | null> };
};

const refused = (message: string): AppError =>
  new AppError('invalid_field', { details: { fields: [{ path: '/eventId', message }] } });

/** That of its parent, where the event is an item of a body that split. Throws `invalid_field` at `/eventId`. */
export function createStoredRequestReader({ events }: StoredRequestDeps) {
  return async function deliveryOf(webhookId: string, eventId: string): Promise<InboundRequest> {
    const event = await events.get(eventId);
    if (event?.webhookId !== webhookId) throw refused('names no event of this webhook');
    const holder = event.parentId === null ? event : await events.get(event.parentId);
    if (!holder?.delivery) throw refused('names an event whose body is no longer kept');
    // The database may give back one of its own binary types.
    return { ...holder.delivery, body: Buffer.from(holder.delivery.body) };
  };
}
