/** The work on a claimed set: read each event, split the parents, then the effects of all leads together. */
import { derivedId } from '../base/ids.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { Outcome } from '../domain/events/outcome.ts';
import type { ContactStore } from '../store/people/contacts.ts';
import type { Converse } from './conversation/converse.ts';
import type { Enrich } from './contacts/enrich.ts';
import type { FanOut } from './fan-out.ts';
import type { Identify } from './contacts/identify.ts';
import type { Bridge } from './contacts/contact-resolver.ts';
import type { Lease } from './claim/lease.ts';
import type { Lead, ParentEvent } from './read/read-event.ts';
import type { ReadAll } from './read/read-set.ts';

/** Everything between claim and finish: what became of each event that the lease still holds. */
export type Work = (
  events: readonly EventRecord[],
  lease: Lease,
) => Promise<ReadonlyMap<string, Outcome>>;

export type WorkDeps = {
  readonly contacts: Pick<ContactStore, 'noteConflicts'>;
  readonly readAll: ReadAll;
  readonly identify: Identify;
  readonly enrich: Enrich;
  readonly converse: Converse;
  readonly fanOut: FanOut;
};

export function createWork(deps: WorkDeps): Work {
  return async function work(events, lease) {
    const outcomes = new Map<string, Outcome>();
    const leads: Lead[] = [];
    for (const reading of await deps.readAll(events)) {
      if (reading.kind === 'lead') leads.push(reading.lead);
      else if (reading.kind === 'ended') outcomes.set(reading.event._id, reading.outcome);
      else outcomes.set(reading.parent.event._id, await split(reading.parent, lease));
    }
    const held = heldOf(leads, lease);
    if (held.length > 0) await affect(held, { lease, outcomes });
    return outcomes;
  };

  async function split(parent: ParentEvent, lease: Lease): Promise<Outcome> {
    await deps.fanOut(parent, lease);
    return { kind: 'split', items: parent.items.length };
  }

  async function affect(
    all: readonly Lead[],
    { lease, outcomes }: { lease: Lease; outcomes: Map<string, Outcome> },
  ): Promise<void> {
    const leads = all.toSorted((a, b) => (a.openingStamp < b.openingStamp ? -1 : 1));
    const identified = await deps.identify(leads, lease);
    const { blocked } = identified;
    for (const id of blocked) outcomes.set(id, { kind: 'ignored', reason: 'blocked' });
    const welcome = () => heldOf(leads, lease).filter(({ event }) => !blocked.has(event._id));
    const contactOf = await deps.enrich(welcome(), identified, lease);
    const conversed = await deps.converse(welcome(), contactOf, lease);
    if (identified.bridges.length > 0) {
      lease.require();
      await deps.contacts.noteConflicts(identified.bridges.map(conflictOf));
    }
    for (const { event, mapped, eventDate } of welcome()) {
      const { chatId = '', messageId = '' } = conversed.get(event._id) ?? {};
      outcomes.set(event._id, {
        kind: 'done',
        effects: { contactId: contactOf.get(event._id) ?? '', chatId, messageId },
        eventType: mapped.eventType,
        eventDate,
        problems: mapped.problems,
      });
    }
  }
}

const heldOf = (leads: readonly Lead[], lease: Lease): readonly Lead[] =>
  leads.filter(({ event }) => lease.holds(event._id));

const conflictOf = ({ lead, contactIds, named }: Bridge) => ({
  _id: derivedId('conflict', ...contactIds.toSorted()),
  channelId: lead.channelId,
  contactIds,
  named,
  eventId: lead.event._id,
});
