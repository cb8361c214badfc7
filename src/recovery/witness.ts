/** Which events and samples name a person, and how the person's items are taken out of bodies that hold others too. */
import type { EventRecord } from '../domain/event.ts';
import type { Sample, Webhook } from '../domain/webhook.ts';
import { producerOf } from '../producers/registry.ts';
import type { ErasedEvents, Redacted } from '../store/erasures/events.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Person } from './person.ts';
import { createPages, type PagesDeps } from './pages.ts';

export type WitnessDeps = PagesDeps & { readonly events: Pick<EventStore, 'getMany'> };

type Parents = ReadonlyMap<string, EventRecord>;
type Judgement = { readonly isTheirs: boolean; readonly cuts: readonly Redacted[] };

export function createWitness(deps: WitnessDeps) {
  const pages = createPages(deps);

  async function judge(person: Person, event: EventRecord, parents: Parents): Promise<Judgement> {
    const delivery = event.delivery ?? parents.get(event.parentId ?? '')?.delivery;
    if (!delivery) return { isTheirs: false, cuts: [] };
    const page = await pages.read(event, delivery);
    if (event.parentId !== null) {
      const item = page.items[event.itemIndex ?? -1];
      return { isTheirs: item !== undefined && page.names(person, item), cuts: [] };
    }
    const theirs = page.items.flatMap((item, index) => (page.names(person, item) ? [index] : []));
    // Of some of its items only: those are taken out, and it lives on.
    if (page.items.length > theirs.length)
      return {
        isTheirs: false,
        cuts: theirs.length > 0 ? [await redact(person, event, theirs)] : [],
      };
    return { isTheirs: page.names(person), cuts: [] };
  }

  /** What is left of a body without these of its items. */
  async function redact(
    person: Person,
    parent: EventRecord,
    indexes: readonly number[],
  ): Promise<Redacted> {
    const page = parent.delivery && (await pages.read(parent, parent.delivery));
    return { parentId: parent._id, delivery: page?.without(person, indexes) ?? null };
  }

  async function redactParents(
    person: Person,
    items: readonly EventRecord[],
    parents: Parents,
  ): Promise<Redacted[]> {
    const redacted: Redacted[] = [];
    for (const [id, parent] of parents) {
      const own = items.filter(({ parentId }) => parentId === id);
      const indexes = own.map(({ itemIndex }) => itemIndex ?? -1);
      if (own.length > 0 && parent.delivery) redacted.push(await redact(person, parent, indexes));
    }
    return redacted;
  }

  return {
    /** Which of these events are the person's alone, and what is left of bodies that hold others too. */
    async sift(person: Person, found: readonly EventRecord[]): Promise<ErasedEvents> {
      const parents = await parentsOf(deps, found);
      const bodies: Redacted[] = [];
      const theirs: EventRecord[] = [];
      for (const event of found) {
        const { isTheirs, cuts } = await judge(person, event, parents);
        bodies.push(...cuts);
        if (isTheirs) theirs.push(event);
      }
      bodies.push(...(await redactParents(person, theirs, parents)));
      return { ids: theirs.map(({ _id }) => _id), bodies };
    },

    /** All of these are the person's. */
    async own(person: Person, found: readonly EventRecord[]): Promise<ErasedEvents> {
      const parents = await parentsOf(deps, found);
      const ids = found.map(({ _id }) => _id);
      return { ids, bodies: await redactParents(person, found, parents) };
    },

    async isInSample(person: Person, sample: Sample, webhook: Webhook): Promise<boolean> {
      const { contentType, body, headers, query } = sample;
      const region = await pages.regionOf(webhook.channelId);
      const raw = { contentType: contentType || undefined, body };
      const decoded = producerOf(webhook.producerProfile).decodeBody(raw);
      const value = decoded.ok ? decoded.value : body.toString();
      return person.mentionedIn([value, headers, query], region);
    },
  };
}

async function parentsOf(
  { events }: Pick<WitnessDeps, 'events'>,
  found: readonly EventRecord[],
): Promise<Parents> {
  const ids = [...new Set(found.flatMap(({ parentId }) => parentId ?? []))];
  const parents = ids.length > 0 ? await events.getMany(ids) : [];
  return new Map(parents.map((parent) => [parent._id, parent]));
}
