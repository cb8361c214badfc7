/**
 * What an event was sent as: its body decoded, or of an item its part of the parent's body, with headers and query.
 *
 * Must never: mask. Whoever shows it does, or has a reason not to.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import { splitItems } from '../../mapping/evaluation/apply.ts';
import { compileMapping } from '../../mapping/language/compile.ts';
import type { MappingStore } from '../../store/webhooks/mappings.ts';
import type { WebhookStore } from '../../store/webhooks/webhooks.ts';
import { maskBody, maskNamed } from './mask-credentials.ts';
import { decodeStored } from './payload.ts';

export type EventContent = {
  readonly payload: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string>;
};

/** Where a body lies: with whoever was sent it, or in a parent's. */
export type ContentSource = Pick<EventRecord, 'webhookId' | 'delivery' | 'parentId' | 'itemIndex'>;

export type ContentDeps = {
  readonly events: { get(id: string): Promise<EventRecord | null> };
  readonly webhooks: Pick<WebhookStore, 'get'>;
  readonly mappings: Pick<MappingStore, 'get'>;
};

const nothing: EventContent = { payload: null, headers: {}, query: {} };

export const maskContent = ({ payload, headers, query }: EventContent): EventContent => ({
  payload: maskBody(payload),
  headers: maskNamed(headers),
  query: maskNamed(query),
});

export type ReadContent = ReturnType<typeof createContentReader>;

export function createContentReader({ events, webhooks, mappings }: ContentDeps) {
  /** An item of a body that was split has no body of its own: it is looked up in its parent's. */
  async function itemOf(
    place: ContentSource,
    parent: EventRecord,
    body: unknown,
  ): Promise<unknown> {
    const version = await mappings.get(parent.webhookId, parent.mappingVersion);
    const compiled = version && compileMapping(version.mapping);
    if (!compiled?.ok || !parent.delivery) return null;
    const { headers, query } = parent.delivery;
    const split = splitItems(compiled.mapping, { body, headers, query });
    return split.ok ? (split.items[place.itemIndex ?? 0] ?? null) : null;
  }

  return async function contentOf(place: ContentSource): Promise<EventContent> {
    const parent = place.delivery || !place.parentId ? null : await events.get(place.parentId);
    const delivery = place.delivery ?? parent?.delivery;
    if (!delivery) return nothing;
    const profile = (await webhooks.get(place.webhookId))?.producerProfile ?? 'generic';
    const body = decodeStored(delivery, profile);
    const payload = parent ? await itemOf(place, parent, body) : body;
    const { headers, query } = delivery;
    return { payload, headers: { ...headers }, query: { ...query } };
  };
}
