/** What each lead brings to a conversation: its opening, with the labels and the sector it names found or made. */
import type { Opening } from '../../domain/messages/chat.ts';
import type { NamedRecordStore } from '../../store/chats/named-records.ts';
import type { Lease } from '../claim/lease.ts';
import type { Lead } from '../read/read-event.ts';

export type PendingMessage = {
  readonly lead: Lead;
  readonly contactId: string;
  readonly opening: Opening;
  readonly labelIds: readonly string[];
};

export type Introduce = (
  leads: readonly Lead[],
  contactOf: ReadonlyMap<string, string>,
  lease: Lease,
) => Promise<readonly PendingMessage[]>;

export const dateOf = (lead: Lead): Date => lead.eventDate ?? lead.event.receivedAt;

type IntroduceDeps = { readonly labels: NamedRecordStore; readonly sectors: NamedRecordStore };

export function createIntroduce({ labels, sectors }: IntroduceDeps): Introduce {
  return async function introduce(leads, contactOf, lease) {
    lease.require();
    const labelIds = await idsOf(labels, leads, ({ mapped }) => mapped.context.labels);
    lease.require();
    const sectorIds = await idsOf(sectors, leads, ({ mapped }) => {
      const { sector } = mapped.context;
      return sector ? [sector] : [];
    });
    return leads.map((lead): PendingMessage => {
      const { origin, campaign, sector, fields, labels: names } = lead.mapped.context;
      const given = Object.entries(fields).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      );
      return {
        lead,
        contactId: contactOf.get(lead.event._id) ?? '',
        labelIds: [...new Set(names.flatMap((name) => labelIds.get(name) ?? []))],
        opening: {
          stamp: lead.openingStamp,
          date: dateOf(lead),
          origin,
          campaign,
          sectorId: (sector && sectorIds.get(sector)) || null,
          fields: given.map(([name, value]) => ({ name, value })),
        },
      };
    });
  };
}

/** What a test names is looked up and never made, because it would stay behind when the test is deleted. */
async function idsOf(
  store: NamedRecordStore,
  leads: readonly Lead[],
  namesOf: (lead: Lead) => readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [real, tests] = [leads.filter(({ event }) => !event.test), leads.filter(isTest)];
  const made = await store.ensure(real.flatMap(namesOf));
  if (tests.length === 0) return made;
  return new Map([...(await store.known(tests.flatMap(namesOf))), ...made]);
}

const isTest = ({ event }: Lead): boolean => event.test !== undefined;
