/** Reads one event: decodes the body, finds the item and applies the pinned mapping. Pure. */
import type { Inbound, Reply } from '../../channels/channel.ts';
import { inboundOf, sendsEventMessages } from '../../channels/registry.ts';
import { identitiesOf, type Identity } from '../../domain/people/contact.ts';
import { stampOf } from '../../domain/people/stamps.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { DeliveryStatus } from '../../domain/messages/delivery-status.ts';
import type { Reason } from '../../domain/events/actions.ts';
import type { ObserveEvent } from '../../domain/mappings/drift.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MappedEvent, Payload } from '../../domain/mappings/mapping.ts';
import type { Outcome } from '../../domain/events/outcome.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { applyItem, itemBudget } from '../../mapping/evaluation/apply.ts';
import { withEmptyMessage } from '../../mapping/evaluation/empty-message.ts';
import type { WorkBudget } from '../../mapping/expressions/work-budget.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import { isAddressOfPerson } from '../../producers/messenger/messenger.ts';
import { allowsEmptyPerson } from '../../producers/registry.ts';
import type { StoredBody } from '../../producers/stored-body.ts';

/** An event that names a person, ready for its effects. */
export type Lead = {
  readonly event: EventRecord;
  readonly channelId: string;
  /** Whether the channel's messages are delivered outside. */
  readonly goesOutside: boolean;
  /** Null unless the person wrote it by the channel's service. */
  readonly reply: Reply | null;
  readonly mapped: MappedEvent;
  readonly eventDate: Date | null;
  readonly text: string;
  readonly identities: readonly Identity[];
  /** False for a person of whom nothing is known: the event may only change a contact that exists. */
  readonly mayCreateContact: boolean;
  /** Orders writers of a contact's fields and openers of a chat. */
  readonly stamp: string;
};

export type ParentEvent = {
  readonly event: EventRecord;
  readonly payload: Payload;
  readonly items: readonly unknown[];
};

/** An event that says what became of a sent message. */
export type ReceivedStatus = {
  readonly event: EventRecord;
  readonly channelId: string;
  readonly status: DeliveryStatus;
};

export type ReadResult =
  | { readonly kind: 'lead'; readonly lead: Lead }
  | { readonly kind: 'parent'; readonly parent: ParentEvent }
  | { readonly kind: 'status'; readonly received: ReceivedStatus }
  | { readonly kind: 'ended'; readonly event: EventRecord; readonly outcome: Outcome };

/** What reading an event takes; null where it does not exist. */
export type ReadInput = {
  readonly event: EventRecord;
  readonly webhook: Webhook | null;
  readonly channel: ChannelRecord | null;
  readonly mapping: CompiledMapping | null;
  /** The body of the event, or of its parent. */
  readonly content: StoredBody;
  /** The mapping version that split the parent; null for an event that is no item. */
  readonly splitBy: CompiledMapping | null;
  readonly defaultRegion: string;
  readonly observe?: ObserveEvent;
};

export const dead = (event: EventRecord, reason: string): ReadResult => ({
  kind: 'ended',
  event,
  outcome: { kind: 'dead', reason },
});

/** Returns a lead, a parent with its items, or the outcome that ended the event. */
export function readEvent(input: ReadInput): ReadResult {
  const { event, webhook, channel, mapping } = input;
  const inbound = webhook && channel && inboundOf(channel, webhook);
  if (!webhook || !channel || !(inbound || takesEvents(channel)))
    return dead(event, 'channel_missing');
  if (!mapping) return dead(event, 'mapping_unusable');
  const payload = input.content.payload();
  if (!payload) return dead(event, 'body_unreadable');

  const complete = { ...input, webhook, channel, mapping, inbound };
  if (event.parentId !== null) return readItem(complete, payload);
  if (!mapping.splits) return readLead(complete, payload);
  // The effects of its items would come on top of those that it has.
  if (event.effects) return dead(event, 'split_too_late');
  const split = input.content.split(mapping);
  if (!split?.ok) return dead(event, split?.failure ?? 'body_unreadable');
  return { kind: 'parent', parent: { event, payload, items: split.items } };
}

const noReply: Reply = { thread: null, quotedId: null };

/**
 * The messages of a disabled channel wait for their delivery; those that are not sent would have no place to wait. What its own
 * service posts is taken in any case: it is not sent.
 */
const takesEvents = (channel: ChannelRecord): boolean =>
  channel.enabled || sendsEventMessages(channel);

type Complete = ReadInput & {
  readonly webhook: Webhook;
  readonly channel: ChannelRecord;
  readonly mapping: CompiledMapping;
  readonly inbound: Inbound | null;
};

function readItem(input: Complete, payload: Payload): ReadResult {
  const items = input.splitBy ? input.content.items(input.splitBy) : [];
  const index = input.event.itemIndex ?? -1;
  if (index < 0 || index >= items.length) return dead(input.event, 'item_missing');
  return readLead(input, payload, { item: items[index], budget: itemBudget(items.length) });
}

type ItemOfBody = { readonly item: unknown; readonly budget: WorkBudget };

function readLead(input: Complete, payload: Payload, ofBody?: ItemOfBody): ReadResult {
  const { event, webhook, channel, mapping, inbound } = input;
  const mappedItem = ofBody ? ofBody.item : payload.body;
  const ignored = inbound?.ignores?.(mappedItem, channel.settings) ?? null;
  if (ignored !== null)
    return { kind: 'ended', event, outcome: { kind: 'ignored', reason: ignored } };
  const status = inbound?.readStatus?.(mappedItem);
  if (status) return readStatus(event, channel, status);
  const region = channel.settings.region;
  const read = applyItem(mapping, payload, {
    defaultRegion: typeof region === 'string' ? region : input.defaultRegion,
    ...ofBody,
  });
  const mapped = { ...read, problems: withEmptyMessage(mapping.document, read) };
  input.observe?.({ event, document: mapping.document, item: mappedItem, mapped });
  const eventDate = mapped.eventDate === null ? null : new Date(mapped.eventDate);
  const seen = { eventType: mapped.eventType, eventDate, problems: mapped.problems };
  const ended = (outcome: Outcome): ReadResult => ({ kind: 'ended', event, outcome });

  if (mapped.ignored) return ended({ kind: 'ignored', reason: mapped.ignored, ...seen });
  if (mapped.failure) return ended({ kind: 'dead', reason: mapped.failure, ...seen });
  const identities = identitiesOf(mapped.contact, {
    channelId: channel._id,
    webhookId: webhook._id,
    service: inbound ? channel.kind : undefined,
    test: event.test?.id,
  });
  if (identities.length === 0)
    return ended({ kind: 'dead', reason: 'contact_unidentified', ...seen });
  return {
    kind: 'lead',
    lead: {
      event,
      channelId: channel._id,
      goesOutside: !inbound && sendsEventMessages(channel) && event.test?.delivers !== false,
      reply: inbound && (inbound.readReply ? inbound.readReply(mappedItem) : noReply),
      mapped,
      eventDate,
      // The type of an event is nothing that a person wrote.
      text: mapped.message.text ?? webhook.name,
      identities,
      mayCreateContact:
        inbound !== null ||
        allowsEmptyPerson(webhook) ||
        isAddressOfPerson(mappedItem, mapped.contact.externalId) ||
        !isEmptyPerson(mapping, mapped),
      stamp: stampOf({ ...event, eventDate }),
    },
  };
}

/**
 * Whether name, phone and e-mail are mapped and all empty: the sender has renamed its fields, and each person would become a contact that
 * nobody can answer. A person who wrote by the channel's own service, or by a messenger that says their address, can be answered.
 */
const isEmptyPerson = ({ contact }: CompiledMapping, { contact: found }: MappedEvent): boolean =>
  (['name', 'phone', 'email'] as const).every(
    (target) => contact[target] !== null && found[target] === null,
  );

/** A test event must change no delivery. */
function readStatus(
  event: EventRecord,
  { _id: channelId }: ChannelRecord,
  status: DeliveryStatus,
): ReadResult {
  if (!event.test) return { kind: 'status', received: { event, channelId, status } };
  const reason: Reason = 'delivery_status';
  return { kind: 'ended', event, outcome: { kind: 'ignored', reason } };
}
