/** The work on a claimed set: read each event, split the parents, then the effects of all leads together. */
import { derivedId } from '../base/ids.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { CompiledMapping } from '../mapping/compile.ts';
import type { ContactStore } from '../store/contacts.ts';
import type { Converse } from './converse.ts';
import type { Enrich } from './enrich.ts';
import type { FanOut } from './fan-out.ts';
import type { Identify } from './identify.ts';
import type { Library } from './library.ts';
import type { Bridge } from './people.ts';
import type { Work } from './process-events.ts';
import type { Lead, Parent } from './read.ts';
import type { ReadAll } from './reader.ts';

export type WorkDeps = {
  readonly contacts: Pick<ContactStore, 'noteConflicts'>;
  readonly library: Library;
  readonly readAll: ReadAll;
  readonly identify: Identify;
  readonly enrich: Enrich;
  readonly converse: Converse;
  readonly fanOut: FanOut;
  readonly now: () => Date;
};

export function createWork(deps: WorkDeps): Work {
  const { library } = deps;

  return async function work(events) {
    const outcomes = new Map<string, Outcome>();
    const leads: Lead[] = [];
    for (const reading of await deps.readAll(events)) {
      if (reading.kind === 'lead') leads.push(reading.lead);
      else if (reading.kind === 'ended') outcomes.set(reading.event._id, reading.outcome);
      else outcomes.set(reading.parent.event._id, await split(reading.parent));
    }
    if (leads.length > 0) await affect(leads, outcomes);
    return outcomes;
  };

  async function split(parent: Parent): Promise<Outcome> {
    const { webhookId, mappingVersion } = parent.event;
    const webhook = await library.webhook(webhookId);
    const versions = [
      mappingVersion,
      ...(webhook?.overlaps ?? [])
        .filter(({ until }) => until > deps.now())
        .map(({ version }) => version),
    ];
    const mappings = await Promise.all(
      [...new Set(versions)].map((version) => library.mapping(webhookId, version)),
    );
    await deps.fanOut(
      parent,
      mappings.filter((mapping): mapping is CompiledMapping => mapping !== null),
    );
    return { kind: 'split', items: parent.items.length };
  }

  async function affect(leads: Lead[], outcomes: Map<string, Outcome>): Promise<void> {
    leads.sort((a, b) => (a.openingStamp < b.openingStamp ? -1 : 1));
    const identified = await deps.identify(leads);
    const contactOf = await deps.enrich(leads, identified);
    const conversed = await deps.converse(leads, contactOf);
    if (identified.bridges.length > 0) {
      await deps.contacts.noteConflicts(identified.bridges.map(conflictOf));
    }
    for (const { event, mapped, eventDate } of leads) {
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

const conflictOf = ({ lead, contactIds }: Bridge) => ({
  _id: derivedId('conflict', ...contactIds.toSorted()),
  channelId: lead.channelId,
  contactIds,
  eventId: lead.event._id,
});
