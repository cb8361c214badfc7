/** Which events and samples name a person, and how the person's items are taken out of bodies that hold others too. */
import type { EventRecord } from '../domain/events/event.ts';
import type { Sample, Webhook } from '../domain/webhooks/webhook.ts';
import { producerOf } from '../producers/registry.ts';
import type { EventErasure, RedactedBody } from '../store/erasures/event-erasure.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Person } from './person.ts';
import { createRedactableBodies, type RedactableBodyDeps } from './redactable-body.ts';

export type PersonMatcherDeps = RedactableBodyDeps & {
  readonly events: Pick<EventStore, 'getMany' | 'findUnfinishedItems'>;
};

type Parents = ReadonlyMap<string, EventRecord>;
/** `cuts`: which items of its body are the person's, where others are not. */
type Judgement = { readonly isTheirs: boolean; readonly cuts: readonly number[] };

export function createPersonMatcher(deps: PersonMatcherDeps) {
  const pages = createRedactableBodies(deps);
  const redactAll = createRedaction(pages);

  async function judge(person: Person, event: EventRecord, parents: Parents): Promise<Judgement> {
    const parent = parents.get(event.parentId ?? '');
    const delivery = event.delivery ?? parent?.delivery;
    if (!delivery) return { isTheirs: false, cuts: [] };
    const page = await pages.read(event, delivery, parent);
    if (event.parentId !== null) {
      const item = page.items[event.itemIndex ?? -1];
      return { isTheirs: item !== undefined && page.names(person, item), cuts: [] };
    }
    const theirs = page.items.flatMap((item, index) => (page.names(person, item) ? [index] : []));
    // Of some of its items only: those are taken out, and it lives on.
    if (page.items.length > theirs.length) return { isTheirs: false, cuts: theirs };
    return { isTheirs: page.names(person), cuts: [] };
  }

  return {
    /** Which of these events are the person's alone, and what is left of bodies that hold others too. */
    async sift(person: Person, found: readonly EventRecord[]): Promise<EventErasure> {
      const parents = new Map(await parentsOf(deps, found));
      const theirs: EventRecord[] = [];
      const cuts = new Map<string, readonly number[]>();
      for (const event of found) {
        const judged = await judge(person, event, parents);
        if (judged.isTheirs) theirs.push(event);
        if (judged.cuts.length === 0) continue;
        cuts.set(event._id, judged.cuts);
        parents.set(event._id, event);
      }
      // What is cut names them no more: whatever else of it is theirs is found now or never.
      const cutIds = new Set([...cuts.keys(), ...theirs.flatMap(({ parentId }) => parentId ?? [])]);
      const known = new Set(theirs.map(({ _id }) => _id));
      for (const item of await deps.events.findUnfinishedItems([...cutIds])) {
        if (known.has(item._id)) continue;
        const { isTheirs } = await judge(person, item, parents);
        if (isTheirs) theirs.push(item);
      }
      const ids = theirs.map(({ _id }) => _id);
      return { ids, bodies: await redactAll(person, { items: theirs, parents, cuts }) };
    },

    /** All of these are the person's. */
    async own(person: Person, found: readonly EventRecord[]): Promise<EventErasure> {
      const parents = await parentsOf(deps, found);
      const ids = found.map(({ _id }) => _id);
      return { ids, bodies: await redactAll(person, { items: found, parents, cuts: new Map() }) };
    },

    /** Whether the body of an event has anything of the person. */
    async isNamedIn(person: Person, event: EventRecord): Promise<boolean> {
      const { isTheirs, cuts } = await judge(person, event, new Map());
      return isTheirs || cuts.length > 0;
    },

    async isInSample(person: Person, sample: Sample, webhook: Webhook): Promise<boolean> {
      const { contentType, body, headers, query } = sample;
      const region = await pages.regionOf(webhook.channelId);
      const raw = { contentType: contentType || undefined, body };
      const decoded = producerOf(webhook.producerProfile).decodeBody(raw);
      const value = decoded.ok ? decoded.value : body.toString();
      return person.isMentionedIn([value, headers, query], region);
    },
  };
}

async function parentsOf(
  { events }: Pick<PersonMatcherDeps, 'events'>,
  found: readonly EventRecord[],
): Promise<Parents> {
  const ids = [...new Set(found.flatMap(({ parentId }) => parentId ?? []))];
  const parents = ids.length > 0 ? await events.getMany(ids) : [];
  return new Map(parents.map((parent) => [parent._id, parent]));
}

type Redaction = {
  readonly items: readonly EventRecord[];
  readonly parents: Parents;
  readonly cuts: ReadonlyMap<string, readonly number[]>;
};

function createRedaction(pages: ReturnType<typeof createRedactableBodies>) {
  /** What is left of each body without the items that are the person's. */
  return async function redactAll(
    person: Person,
    { items, parents, cuts }: Redaction,
  ): Promise<RedactedBody[]> {
    const redacted: RedactedBody[] = [];
    for (const [id, parent] of parents) {
      const { delivery } = parent;
      const own = items.filter(({ parentId }) => parentId === id);
      const indexes = [...own.map(({ itemIndex }) => itemIndex ?? -1), ...(cuts.get(id) ?? [])];
      if (indexes.length === 0 || !delivery) continue;
      const page = await pages.read(parent, delivery);
      redacted.push({ parentId: id, seen: delivery, delivery: page.without(person, indexes) });
    }
    return redacted;
  };
}
