/** A stored body, read again as processing reads it: whom it names, and what it is without some of its items. */
import { isDeepStrictEqual } from 'node:util';
import { identitiesOf } from '../domain/people/contact.ts';
import type { ChannelRecord } from '../domain/messages/channel.ts';
import type { InboundRequest, EventRecord } from '../domain/events/event.ts';
import type { Payload } from '../domain/mappings/mapping.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { CompiledMapping } from '../mapping/language/compile.ts';
import { applyItem, splitItems } from '../mapping/evaluation/apply.ts';
import { createVersionCache, type StoredMappings } from '../mapping/evaluation/version-cache.ts';
import { producerOf } from '../producers/registry.ts';
import { removeParts, type Person } from './person.ts';

export type RedactableBodyDeps = {
  readonly webhooks: { get(id: string): Promise<Webhook | null> };
  readonly channels: { get(id: string): Promise<ChannelRecord | null> };
  readonly mappings: StoredMappings;
  readonly defaultRegion: string;
};

type Items = readonly unknown[];

export type RedactableBody = {
  /** None where its mapping makes none of it. */
  readonly items: Items;
  /** Whether one of its items names the person, or all of it. */
  names(person: Person, item?: unknown): boolean;
  /** Without these items and without any other mention, all other items in their places; null where it cannot be cut. */
  without(person: Person, indexes: readonly number[]): InboundRequest | null;
};

function decodedPayload(profile: string, request: InboundRequest): Payload | null {
  const { body, contentType, headers, query } = request;
  const decoded = producerOf(profile).decodeBody({ contentType, body });
  return decoded.ok ? { body: decoded.value, headers, query } : null;
}

function splitPayload(splitBy: CompiledMapping | null, payload: Payload | null): Items {
  const split = splitBy?.splits && payload ? splitItems(splitBy, payload) : null;
  return split?.ok ? split.items : [];
}

export function createRedactableBodies(deps: RedactableBodyDeps) {
  const compiled = createVersionCache(deps.mappings);

  async function regionOf(channelId: string): Promise<string> {
    const region = (await deps.channels.get(channelId))?.settings.region;
    return typeof region === 'string' ? region : deps.defaultRegion;
  }

  // The items of one body come one after the other, and a body may be a megabyte.
  let last: {
    delivery: InboundRequest;
    splitBy: unknown;
    payload: Payload | null;
    items: Items;
  } | null = null;

  /** An item is mapped by its own version, and its body split by the version of whoever holds the body. */
  async function read(
    event: EventRecord,
    delivery: InboundRequest,
    holder = event,
  ): Promise<RedactableBody> {
    const { webhookId, mappingVersion, channelId } = event;
    const profile = (await deps.webhooks.get(webhookId))?.producerProfile ?? '';
    const mapping = await compiled(webhookId, mappingVersion);
    const splitBy = await compiled(webhookId, holder.mappingVersion);
    const region = await regionOf(channelId);

    const payloadOf = (request: InboundRequest) => decodedPayload(profile, request);
    const itemsOf = (payload: Payload | null) => splitPayload(splitBy, payload);

    const { body, headers, query } = delivery;
    if (last?.delivery !== delivery || last.splitBy !== splitBy) {
      const decoded = payloadOf(delivery);
      last = { delivery, splitBy, payload: decoded, items: itemsOf(decoded) };
    }
    const { payload, items } = last;

    function identifies(person: Person, item: unknown): boolean {
      if (!payload || !mapping) return false;
      const given = item === undefined ? {} : { item };
      const { contact } = applyItem(mapping, payload, { defaultRegion: region, ...given });
      const identities = identitiesOf(contact, { channelId, webhookId });
      return identities.some(({ _id }) => person.identityIds.has(_id));
    }

    return {
      items,
      names(person, item) {
        const whole = payload ? [payload.body, headers, query] : body.toString();
        const text = item === undefined ? whole : item;
        return identifies(person, item) || person.isMentionedIn(text, region);
      },
      without(person, indexes) {
        const gone = new Set(indexes);
        const parts = [...gone].map((index) => items[index]);
        const kept = items.map((item) => person.redact(item, region));
        /** Events name their items by position: nobody may be given what was somebody else's. */
        const isInPlace = (cut: InboundRequest): boolean => {
          const left = itemsOf(payloadOf(cut));
          const isSame = (index: number) => gone.has(index) || isAlike(left[index], kept[index]);
          return left.length === kept.length && left.every((_item, index) => isSame(index));
        };
        const cuts = gaps.flatMap((gap) => {
          const rest = payload && removeParts(payload.body, parts, gap);
          if (!rest) return [];
          return {
            body: Buffer.from(JSON.stringify(person.redact(rest.value, region))),
            contentType: 'application/json',
            headers: textsOf(person.redact(headers, region)),
            query: textsOf(person.redact(query, region)),
          };
        });
        return cuts.find(isInPlace) ?? null;
      },
    };
  }

  return { regionOf, read };
}

/** What stands in the place of an item: a projection of the split passes over null. */
const gaps = [null, {}] as const;

/** As JSON has them, which knows no prototypes. */
const isAlike = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(plain(one), plain(other));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values as Record<string, unknown>).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
