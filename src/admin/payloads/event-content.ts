/**
 * Content of an event: the decoded body (for an item its part of the parent's body), headers and query.
 *
 * Credentials are not masked; the caller masks them.
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

/** Fields that locate a body: in the record itself, or in its parent's. */
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
  /** Returns an item's part of its parent's body. */
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
