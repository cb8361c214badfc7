/** The stages of a claimed set: read each event, split the parents, then apply the effects of all leads together. */
import { derivedId } from '../base/ids.ts';
import { DeadlineExceeded } from '../base/process/deadline.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { MappingProblem } from '../domain/mappings/mapping.ts';
import type { Outcome } from '../domain/events/outcome.ts';
import type { ContactStore } from '../store/people/contacts.ts';
import type { Lease } from './claim/lease.ts';
import type { Bridge } from './contacts/contact-resolver.ts';
import { enrich, type EnrichDeps } from './contacts/enrich.ts';
import { identify, type IdentifyDeps } from './contacts/identify.ts';
import { converse, type ConverseDeps } from './conversation/converse.ts';
import { fanOut, type FanOutDeps } from './fan-out.ts';
import type { Lead, ParentEvent, ReceivedStatus } from './read/read-event.ts';
import { readSet, type ReadSetDeps } from './read/read-set.ts';
import { settleStatuses, type SettleStatusesDeps } from './settle-statuses.ts';
import { timeStep, type TimeStepDeps } from './time-step.ts';

export type StageDeps = ReadSetDeps &
  FanOutDeps &
  IdentifyDeps &
  EnrichDeps &
  ConverseDeps &
  SettleStatusesDeps &
  TimeStepDeps & {
    readonly contacts: Pick<ContactStore, 'recordConflicts'>;
    /** The lease of the set that is processed. */
    readonly lease: Lease;
  };

/** Returns the outcome of each event that the lease still holds. Throws LeaseLost, Contended and errors of the store. */
export async function runStages(
  deps: StageDeps,
  events: readonly EventRecord[],
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const leads: Lead[] = [];
  const statuses: ReceivedStatus[] = [];
  for (const result of await timeStep(deps, 'read', () => readSet(deps, events))) {
    if (result.kind === 'lead') leads.push(result.lead);
    else if (result.kind === 'status') statuses.push(result.received);
    else if (result.kind === 'ended') outcomes.set(result.event._id, result.outcome);
    else {
      outcomes.set(result.parent.event._id, await split(deps, result.parent));
    }
  }
  for (const [id, outcome] of await settleStatuses(deps, statuses)) outcomes.set(id, outcome);
  const held = heldLeads(leads, deps.lease);
  if (held.length === 0) return outcomes;
  return new Map([...outcomes, ...(await applyEffects(deps, held))]);
}

async function split(deps: FanOutDeps, parent: ParentEvent): Promise<Outcome> {
  try {
    await fanOut(deps, parent);
    return { kind: 'split', items: parent.items.filter((item) => item !== null).length };
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { kind: 'dead', reason: 'too_much_work' };
  }
}

/** Contacts, then chats and messages, then conflicts; in the order of dates, so that the leads meet as if one by one. */
async function applyEffects(
  deps: StageDeps,
  held: readonly Lead[],
): Promise<ReadonlyMap<string, Outcome>> {
  const { lease, contacts } = deps;
  const outcomes = new Map<string, Outcome>();
  const leads = held.toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1));
  const identified = await timeStep(deps, 'identify', () => identify(deps, leads));
  const { blocked, unknown } = identified;
  for (const id of blocked) outcomes.set(id, { kind: 'ignored', reason: 'blocked' });
  for (const lead of leads) {
    if (unknown.has(lead.event._id)) outcomes.set(lead.event._id, emptyPerson(lead));
  }
  const remaining = () => heldLeads(leads, lease).filter(({ event }) => !outcomes.has(event._id));
  const enriched = await timeStep(deps, 'enrich', () => enrich(deps, remaining(), identified));
  const conversed = await timeStep(deps, 'converse', () => converse(deps, remaining(), enriched));
  if (identified.bridges.length > 0) {
    lease.require();
    await contacts.recordConflicts(identified.bridges.map(conflictOf));
  }
  for (const { event, mapped, eventDate } of remaining()) {
    const { chatId = '', messageId = '', problems = [] } = conversed.get(event._id) ?? {};
    outcomes.set(event._id, {
      kind: 'done',
      effects: { contactId: enriched.contactOf.get(event._id) ?? '', chatId, messageId },
      eventType: mapped.eventType,
      eventDate,
      problems: [
        ...mapped.problems,
        ...problems,
        ...(identified.crowded.has(event._id) ? [tooManyIdentities] : []),
      ],
    });
  }
  return outcomes;
}

const tooManyIdentities: MappingProblem = {
  target: 'contact',
  code: 'too_many_identities',
  message: 'The contact has as many ids, numbers and addresses as it may. A new one was left out.',
};

const emptyPerson = ({ mapped, eventDate }: Lead): Outcome => ({
  kind: 'dead',
  reason: 'person_empty',
  eventType: mapped.eventType,
  eventDate,
  problems: mapped.problems,
});

const heldLeads = (leads: readonly Lead[], lease: Lease): readonly Lead[] =>
  leads.filter(({ event }) => lease.holds(event._id));

const conflictOf = ({ lead, contactIds, named }: Bridge) => ({
  _id: derivedId('conflict', ...contactIds.toSorted()),
  channelId: lead.channelId,
  contactIds,
  named,
  eventId: lead.event._id,
});
