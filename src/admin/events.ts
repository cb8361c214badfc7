/** Events, as people search, read and replay them. */
import { AppError } from '../base/errors.ts';
import type { Actor } from '../domain/audit.ts';
import type { EventRecord } from '../domain/event.ts';
import type { Page, Paged } from '../domain/paging.ts';
import { splitItems } from '../mapping/apply.ts';
import { compileMapping } from '../mapping/compile.ts';
import type { EventFilter } from '../store/events/query.ts';
import type { MappingStore } from '../store/mappings.ts';
import type { WebhookStore } from '../store/webhooks.ts';
import { decodeKept, maskBody, maskNamed } from './payload.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const presentEvent = (event: EventRecord) => ({
  id: event._id,
  webhookId: event.webhookId,
  externalId: event.externalId,
  eventType: event.eventType,
  eventDate: iso(event.eventDate),
  state: event.state,
  reason: event.reason,
  attempts: event.attempts,
  deliveries: event.deliveries,
  mappingVersion: event.mappingVersion,
  receivedAt: event.receivedAt.toISOString(),
  finishedAt: iso(event.finishedAt),
  nextAt: iso(event.dueAt),
});

type Shown = { payload: unknown; headers: Record<string, string>; query: Record<string, string> };

const presentWhole = (event: EventRecord, shown: Shown) => ({
  ...presentEvent(event),
  ...shown,
  timeline: event.timeline.map(({ at, state, reason }) => ({
    at: at.toISOString(),
    state,
    reason,
  })),
  effects: event.effects && {
    contactId: event.effects.contactId,
    chatId: event.effects.chatId,
    messageId: event.effects.messageId,
  },
  problems: event.problems.map(({ target, code, message }) => ({ target, code, message })),
  parentId: event.parentId,
  items: event.items,
});

export type WholeEvent = ReturnType<typeof presentWhole>;

export type EventDeps = {
  readonly events: {
    list(filter: EventFilter, page: Page): Promise<Paged<EventRecord>>;
    get(id: string): Promise<EventRecord | null>;
  };
  readonly webhooks: WebhookStore;
  readonly mappings: MappingStore;
  /** Throws `not_found`, or `invalid_transition` with the state that forbids it. */
  readonly replayEvent: (
    id: string,
    change: 'replay' | 'remap',
    actor: Actor,
  ) => Promise<EventRecord>;
  /** Throws as above. */
  readonly discardEvent: (id: string, actor: Actor) => Promise<EventRecord>;
};

export function createEvents(deps: EventDeps) {
  const { events, webhooks, mappings, replayEvent, discardEvent } = deps;

  async function get(id: string): Promise<EventRecord> {
    const event = await events.get(id);
    if (!event) throw new AppError('not_found');
    return event;
  }

  /** An item of a body that was split has no body of its own: it is looked up in its parent's. */
  async function itemOf(event: EventRecord, parent: EventRecord, body: unknown): Promise<unknown> {
    const version = await mappings.get(parent.webhookId, parent.mappingVersion);
    const compiled = version && compileMapping(version.mapping);
    if (!compiled?.ok || !parent.delivery) return null;
    const { headers, query } = parent.delivery;
    const split = splitItems(compiled.mapping, { body, headers, query });
    return split.ok ? (split.items[event.itemIndex ?? 0] ?? null) : null;
  }

  async function shownOf(event: EventRecord): Promise<Shown> {
    const parent = event.delivery || !event.parentId ? null : await events.get(event.parentId);
    const delivery = event.delivery ?? parent?.delivery;
    if (!delivery) return { payload: null, headers: {}, query: {} };
    const profile = (await webhooks.get(event.webhookId))?.producerProfile ?? 'generic';
    const body = decodeKept(delivery, profile);
    const payload = parent ? await itemOf(event, parent, body) : body;
    const { headers, query } = delivery;
    return { payload: maskBody(payload), headers: maskNamed(headers), query: maskNamed(query) };
  }

  const whole = async (event: EventRecord) => presentWhole(event, await shownOf(event));

  return {
    list: (filter: EventFilter, page: Page) => events.list(filter, page),
    get,
    read: async (id: string): Promise<WholeEvent> => whole(await get(id)),

    replay: async (id: string, change: 'replay' | 'remap', actor: Actor): Promise<WholeEvent> =>
      whole(await replayEvent(id, change, actor)),

    discard: async (id: string, actor: Actor): Promise<WholeEvent> =>
      whole(await discardEvent(id, actor)),
  };
}
