/** Reading one event: decode the body, find the item, apply the pinned mapping. Pure once its inputs are there. */
import { isOutbound } from '../../channels/registry.ts';
import {
  identitiesOf,
  openingStampOf,
  stampOf,
  type Identity,
} from '../../domain/people/contact.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { ObserveEvent } from '../../domain/mappings/drift.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MappedEvent, Payload } from '../../domain/mappings/mapping.ts';
import type { Outcome } from '../../domain/events/outcome.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { applyItem, splitItems } from '../../mapping/evaluation/apply.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import type { DecodedBody } from './content.ts';

/** An event that names a person, ready for its effects. */
export type Lead = {
  readonly event: EventRecord;
  readonly channelId: string;
  /** Whether the channel's messages are delivered outside. */
  readonly goesOutside: boolean;
  readonly mapped: MappedEvent;
  readonly eventDate: Date | null;
  readonly text: string;
  readonly identities: readonly Identity[];
  /** Orders writers of a contact's fields. */
  readonly stamp: string;
  /** Orders openers of a chat. */
  readonly openingStamp: string;
};

export type ParentEvent = {
  readonly event: EventRecord;
  readonly payload: Payload;
  readonly items: readonly unknown[];
};

export type ReadResult =
  | { readonly kind: 'lead'; readonly lead: Lead }
  | { readonly kind: 'parent'; readonly parent: ParentEvent }
  | { readonly kind: 'ended'; readonly event: EventRecord; readonly outcome: Outcome };

/** Everything that reading an event takes; null where it is not to be had. */
export type ReadInput = {
  readonly event: EventRecord;
  readonly webhook: Webhook | null;
  readonly channel: ChannelRecord | null;
  readonly mapping: CompiledMapping | null;
  /** The event's own, or its parent's. */
  readonly content: DecodedBody;
  /** Of an item: the version that split its parent. */
  readonly splitBy: CompiledMapping | null;
  readonly defaultRegion: string;
  readonly observe?: ObserveEvent;
};

const dead = (event: EventRecord, reason: string): ReadResult => ({
  kind: 'ended',
  event,
  outcome: { kind: 'dead', reason },
});

export function readEvent(source: ReadInput): ReadResult {
  const { event, webhook, channel, mapping } = source;
  if (!webhook || !channel || !takesEvents(channel)) return dead(event, 'channel_missing');
  if (!mapping) return dead(event, 'mapping_unusable');
  const payload = source.content.payload();
  if (!payload) return dead(event, 'body_unreadable');

  if (event.parentId !== null) return readItem({ ...source, webhook, channel, mapping }, payload);
  if (!mapping.splits) return readLead({ ...source, webhook, channel, mapping }, payload);
  // Its items would be effects of their own, beside those that it has.
  if (event.effects) return dead(event, 'split_too_late');
  const split = splitItems(mapping, payload);
  if (!split.ok) return dead(event, split.code);
  return { kind: 'parent', parent: { event, payload, items: split.items } };
}

/** Where messages go on from here they wait for their channel; an inbox has nowhere else to let them wait. */
const takesEvents = ({ enabled, kind }: ChannelRecord): boolean => enabled || isOutbound(kind);

type Complete = ReadInput & {
  readonly webhook: Webhook;
  readonly channel: ChannelRecord;
  readonly mapping: CompiledMapping;
};

function readItem(source: Complete, payload: Payload): ReadResult {
  const items = source.splitBy ? source.content.items(source.splitBy) : [];
  const index = source.event.itemIndex ?? -1;
  if (index < 0 || index >= items.length) return dead(source.event, 'item_missing');
  return readLead(source, payload, items[index]);
}

function readLead(source: Complete, payload: Payload, item?: unknown): ReadResult {
  const { event, webhook, channel, mapping } = source;
  const region = channel.settings.region;
  const mapped = applyItem(mapping, payload, {
    defaultRegion: typeof region === 'string' ? region : source.defaultRegion,
    ...(event.parentId !== null && { item }),
  });
  const read = event.parentId === null ? payload.body : item;
  source.observe?.({ event, document: mapping.document, item: read, mapped });
  const eventDate = mapped.eventDate === null ? null : new Date(mapped.eventDate);
  const seen = { eventType: mapped.eventType, eventDate, problems: mapped.problems };
  const ended = (outcome: Outcome): ReadResult => ({ kind: 'ended', event, outcome });

  if (mapped.ignored) return ended({ kind: 'ignored', reason: mapped.ignored, ...seen });
  if (mapped.failure) return ended({ kind: 'dead', reason: mapped.failure, ...seen });
  const scope = { channelId: channel._id, webhookId: webhook._id, test: event.test?.id };
  const identities = identitiesOf(mapped.contact, scope);
  if (identities.length === 0)
    return ended({ kind: 'dead', reason: 'contact_unidentified', ...seen });
  const stamped = { ...event, eventDate };
  return {
    kind: 'lead',
    lead: {
      event,
      channelId: channel._id,
      goesOutside: isOutbound(channel.kind) && event.test?.delivers !== false,
      mapped,
      eventDate,
      text: mapped.message.text ?? mapped.eventType ?? webhook.name,
      identities,
      stamp: stampOf(stamped),
      openingStamp: openingStampOf(stamped),
    },
  };
}
