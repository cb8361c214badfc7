/** A stored body as processing reads it: whether it names a person, and what remains of it without the person's items. */
import { isDeepStrictEqual } from 'node:util';
import type { ProcessContext } from '../context/process-context.ts';
import type { EventRecord, InboundRequest } from '../domain/events/event.ts';
import { inboundOf } from '../channels/registry.ts';
import { regionOf } from '../domain/messages/channel.ts';
import { identitiesOf } from '../domain/people/contact.ts';
import { applyItem, itemBudget } from '../mapping/evaluation/apply.ts';
import { removeParts, type Person } from './person.ts';
import { findChannel } from '../store/channels/channels.ts';
import { getWebhook } from '../store/webhooks/webhooks.ts';

type RedactableBody = Awaited<ReturnType<typeof readRedactable>>;

/** An item is mapped by its own mapping version; its body is split by the version of the event that holds the body. */
export async function readRedactable(
  ctx: ProcessContext,
  event: EventRecord,
  { delivery, holder }: { delivery: InboundRequest; holder: EventRecord },
) {
  const { bodies } = ctx;
  const { webhookId, channelId, mappingVersion } = event;
  const profile = (await getWebhook(ctx, webhookId))?.producerProfile ?? '';
  const channel = await findChannel(ctx, channelId);
  const inbound = channel && inboundOf(channel, { producerProfile: profile });
  const mapping = await bodies.compiledMapping(webhookId, mappingVersion);
  const splitter = await bodies.compiledMapping(webhookId, holder.mappingVersion);
  // Null where the body is not split.
  const splitBy = splitter?.splits ? splitter : null;
  const source = { delivery, profile };
  const body = splitBy ? bodies.readShared(holder._id, source) : bodies.read(source);
  return {
    event: { webhookId, channelId, service: inbound ? channel.kind : undefined },
    delivery,
    profile,
    region: regionOf(channel, ctx.defaultRegion),
    mapping,
    splitBy,
    payload: body.payload(),
    items: splitBy ? body.items(splitBy) : [],
  };
}

/** Whether this item names the person, or the whole body where no item is given. */
export function isNamedInBody(body: RedactableBody, person: Person, item?: unknown): boolean {
  const { payload, delivery, region } = body;
  const { headers, query } = delivery;
  const whole = payload ? [payload.body, headers, query] : delivery.body.toString();
  const value = item === undefined ? whole : item;
  return isIdentifiedBy(body, person, item) || person.isMentionedIn(value, region);
}

/** Whether the mapping makes an identity of the person of it. */
function isIdentifiedBy(body: RedactableBody, person: Person, item: unknown): boolean {
  const { payload, mapping, region, event, items } = body;
  if (!payload || !mapping) return false;
  const given = item === undefined ? {} : { item, budget: itemBudget(items.length) };
  const { contact } = applyItem(mapping, payload, { defaultRegion: region, ...given });
  return identitiesOf(contact, event).some(({ _id }) => person.identityIds.has(_id));
}

type Removal = { readonly person: Person; readonly indexes: readonly number[] };

/** All other items keep their indexes. Returns null where that is not possible. */
export function redactItems(
  { bodies }: ProcessContext,
  { delivery, profile, region, splitBy, payload, items }: RedactableBody,
  { person, indexes }: Removal,
): InboundRequest | null {
  if (!payload) return null;
  const removed = new Set(indexes);
  const parts = [...removed].map((index) => items[index]);
  const kept = items.map((item) => person.redact(item, region));
  const itemsOf = (request: InboundRequest): readonly unknown[] =>
    splitBy ? bodies.read({ delivery: request, profile }).items(splitBy) : [];
  /** Events name their items by index, so an item must not get the index of another. */
  const keepsIndexes = (request: InboundRequest): boolean => {
    const left = itemsOf(request);
    const isSame = (index: number) => removed.has(index) || isSameJson(left[index], kept[index]);
    return left.length === kept.length && left.every((_item, index) => isSame(index));
  };
  const candidates = placeholders.flatMap((placeholder) => {
    const rest = removeParts(payload.body, parts, placeholder);
    if (!rest) return [];
    return {
      body: Buffer.from(JSON.stringify(person.redact(rest.value, region))),
      contentType: 'application/json',
      headers: textsOf(person.redact(delivery.headers, region)),
      query: textsOf(person.redact(delivery.query, region)),
    };
  });
  return candidates.find(keepsIndexes) ?? null;
}

/** What replaces a removed item. A projection of the split skips null, so an empty object is the second choice. */
const placeholders = [null, {}] as const;

/** Compares as JSON, which has no prototypes. */
const isSameJson = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(plain(one), plain(other));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values as Record<string, unknown>).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
