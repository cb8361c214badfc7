/** Prepares the leads of a set before its transaction: their openings of chats, with the ids of the labels and sectors that they name. */
import type { MappingProblem } from '../../domain/mappings/mapping.ts';
import type { Opening } from '../../domain/messages/chat.ts';
import type { NamedRecordStore } from '../../store/chats/named-records.ts';
import type { Lead } from '../read/read-event.ts';

export type PreparedLead = {
  readonly lead: Lead;
  readonly opening: Opening;
  readonly labelIds: readonly string[];
  /** Names that the webhook may not create. */
  readonly problems: readonly MappingProblem[];
};

export type PrepareLeadsDeps = {
  readonly labels: NamedRecordStore;
  readonly sectors: NamedRecordStore;
};

/** The date of a lead's message: the event's own date, or else its receipt. */
export const dateOf = (lead: Lead): Date => lead.eventDate ?? lead.event.receivedAt;

/** Creates the labels and sectors that do not exist yet. */
export async function prepareLeads(
  { labels, sectors }: PrepareLeadsDeps,
  leads: readonly Lead[],
): Promise<readonly PreparedLead[]> {
  const labelIds = await idsOf(labels, leads, labelsOf);
  const sectorIds = await idsOf(sectors, leads, sectorsOf);
  return leads.map((lead) => ({
    lead,
    labelIds: [...new Set(labelsOf(lead).flatMap((name) => labelIds.get(name) ?? []))],
    opening: openingOf(lead, sectorIds),
    problems: isTest(lead)
      ? []
      : [
          ...(labelsOf(lead).every((name) => labelIds.has(name)) ? [] : [tooManyLabels]),
          ...(sectorsOf(lead).every((name) => sectorIds.has(name)) ? [] : [tooManySectors]),
        ],
  }));
}

const labelsOf = ({ mapped }: Lead): readonly string[] => mapped.context.labels;

const sectorsOf = ({ mapped: { context } }: Lead): readonly string[] =>
  context.sector ? [context.sector] : [];

const tooMany = (target: string): MappingProblem => ({
  target,
  code: 'too_many_names',
  message: 'problem.too_many_names',
});
const tooManyLabels = tooMany('context.labels');
const tooManySectors = tooMany('context.sector');

function openingOf(lead: Lead, sectorIds: ReadonlyMap<string, string>): Opening {
  const { origin, campaign, sector, fields } = lead.mapped.context;
  const given = Object.entries(fields).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    stamp: lead.stamp,
    date: dateOf(lead),
    origin,
    campaign,
    sectorId: (sector && sectorIds.get(sector)) || null,
    fields: given.map(([name, value]) => ({ name, value })),
  };
}

/** The names of a test event are looked up but never created, because they would outlive the test event. */
async function idsOf(
  store: NamedRecordStore,
  leads: readonly Lead[],
  namesOf: (lead: Lead) => readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [real, tests] = [leads.filter(({ event }) => !event.test), leads.filter(isTest)];
  const ensured = new Map<string, string>();
  for (const webhookId of new Set(real.map(({ event }) => event.webhookId))) {
    const names = real.filter(({ event }) => event.webhookId === webhookId).flatMap(namesOf);
    for (const [name, id] of await store.ensureIds(webhookId, names)) ensured.set(name, id);
  }
  if (tests.length === 0) return ensured;
  return new Map([...(await store.known(tests.flatMap(namesOf))), ...ensured]);
}

const isTest = ({ event }: Lead): boolean => event.test !== undefined;
