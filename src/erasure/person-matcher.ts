/** Finds the events, samples and rejections that name a person, and redacts the person from bodies that name others too. */
import { systemClock } from '../base/clock.ts';
import { createEventLoopYield } from '../base/concurrency/yield-to-event-loop.ts';
import type { ProcessContext } from '../context/process-context.ts';
import type { EventRecord, InboundRequest } from '../domain/events/event.ts';
import { regionOf } from '../domain/messages/channel.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { decodeStored } from '../producers/stored-body.ts';
import type { EventErasure, RedactedBody } from '../store/erasures/event-erasure.ts';
import type { Person } from './person.ts';
import { isNamedInBody, readRedactable, redactItems } from './redactable-body.ts';
import { findChannel } from '../store/channels/channels.ts';

type Parents = ReadonlyMap<string, EventRecord>;

/** `items`: the indexes of the items that are the person's, in a body with items of others. */
type Match = { readonly isWhole: boolean; readonly items: readonly number[] };

/** Returns the events that are the person's alone, and the redacted bodies of those that name others too. */
export async function matchEvents(
  ctx: ProcessContext,
  person: Person,
  found: readonly EventRecord[],
): Promise<EventErasure> {
  const parents = new Map(await parentsOf(ctx, found));
  const own: EventRecord[] = [];
  const itemsOf = new Map<string, readonly number[]>();
  for (const event of found) {
    const match = await matchEvent(ctx, person, { event, parents });
    if (match.isWhole) own.push(event);
    if (match.items.length === 0) continue;
    itemsOf.set(event._id, match.items);
    parents.set(event._id, event);
  }
  // A redacted body names the person no more, so its other items are matched before.
  const parentIds = [...itemsOf.keys(), ...own.flatMap(({ parentId }) => parentId ?? [])];
  const known = new Set(own.map(({ _id }) => _id));
  for (const item of await ctx.events.findUnfinishedItems([...new Set(parentIds)])) {
    if (known.has(item._id)) continue;
    const { isWhole } = await matchEvent(ctx, person, { event: item, parents });
    if (isWhole) own.push(item);
  }
  const ids = own.map(({ _id }) => _id);
  return { ids, bodies: await redactParents(ctx, person, { own, parents, itemsOf }) };
}

/** Returns these events, all of which are the person's, with the redacted bodies of their parents. */
export async function redactEvents(
  ctx: ProcessContext,
  person: Person,
  own: readonly EventRecord[],
): Promise<EventErasure> {
  const parents = await parentsOf(ctx, own);
  const bodies = await redactParents(ctx, person, { own, parents, itemsOf: new Map() });
  return { ids: own.map(({ _id }) => _id), bodies };
}

/** Whether the body of the event names the person anywhere. */
export async function isNamedInEvent(ctx: ProcessContext, person: Person, event: EventRecord) {
  const { isWhole, items } = await matchEvent(ctx, person, { event, parents: new Map() });
  return isWhole || items.length > 0;
}

/** A sample or a rejection. Of a rejection there may be no body, or one that cannot be decoded. */
export type KeptRequest = Omit<InboundRequest, 'body'> & {
  readonly _id: string;
  readonly body: Buffer | null;
};

export async function isNamedInRequest(
  ctx: ProcessContext,
  person: Person,
  { request, webhook }: { request: KeptRequest; webhook: Webhook },
): Promise<boolean> {
  const { headers, query } = request;
  const region = regionOf(await findChannel(ctx, webhook.channelId), ctx.defaultRegion);
  return person.isMentionedIn([valueOf(request, webhook), headers, query], region);
}

function valueOf({ body, contentType }: KeptRequest, { producerProfile }: Webhook): unknown {
  if (!body) return null;
  const decoded = decodeStored({ body, contentType }, producerProfile);
  return decoded.ok ? decoded.value : wordsOf(body.toString());
}

/** Values of a body that cannot be decoded: its whole text, and the texts between quotes, brackets and separators. */
function wordsOf(text: string): string[] {
  const words = (one: string) => one.split(/[\s"'<>{}[\](),;:=&?]+/);
  const plain = text.replaceAll(/%([0-7][0-9a-fA-F])|\\u00([0-7][0-9a-fA-F])/g, unescaped);
  return [text, plain, ...words(text), ...words(plain)];
}

const unescaped = (_whole: string, percent?: string, unicode?: string): string =>
  String.fromCharCode(Number.parseInt(percent ?? unicode ?? '', 16));

async function matchEvent(
  ctx: ProcessContext,
  person: Person,
  { event, parents }: { event: EventRecord; parents: Parents },
): Promise<Match> {
  const parent = parents.get(event.parentId ?? '');
  const delivery = event.delivery ?? parent?.delivery;
  if (!delivery) return { isWhole: false, items: [] };
  const body = await readRedactable(ctx, event, { delivery, holder: parent ?? event });
  if (event.parentId !== null) {
    const item = body.items[event.itemIndex ?? -1];
    return { isWhole: item !== undefined && isNamedInBody(body, person, item), items: [] };
  }
  const items: number[] = [];
  const pause = createEventLoopYield(systemClock);
  for (const [index, item] of body.items.entries()) {
    if (isNamedInBody(body, person, item)) items.push(index);
    await pause();
  }
  // A body with items of others stays, without these items.
  if (body.items.length > items.length) return { isWhole: false, items };
  return { isWhole: isNamedInBody(body, person), items: [] };
}

async function parentsOf({ events }: ProcessContext, found: readonly EventRecord[]) {
  const ids = [...new Set(found.flatMap(({ parentId }) => parentId ?? []))];
  const parents = ids.length > 0 ? await events.getMany(ids) : [];
  return new Map(parents.map((parent) => [parent._id, parent]));
}

type Redaction = {
  readonly own: readonly EventRecord[];
  readonly parents: Parents;
  readonly itemsOf: ReadonlyMap<string, readonly number[]>;
};

/** Returns what remains of each parent's body without the items of the person. */
async function redactParents(
  ctx: ProcessContext,
  person: Person,
  { own, parents, itemsOf }: Redaction,
): Promise<RedactedBody[]> {
  const redacted: RedactedBody[] = [];
  for (const [id, parent] of parents) {
    const { delivery } = parent;
    const children = own.filter(({ parentId }) => parentId === id);
    const indexes = [
      ...children.map(({ itemIndex }) => itemIndex ?? -1),
      ...(itemsOf.get(id) ?? []),
    ];
    if (indexes.length === 0 || !delivery) continue;
    const body = await readRedactable(ctx, parent, { delivery, holder: parent });
    redacted.push({
      parentId: id,
      seen: delivery,
      delivery: redactItems(ctx, body, { person, indexes }),
      items: indexes,
    });
  }
  return redacted;
}
