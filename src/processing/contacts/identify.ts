/**
 * Identify: which contact each lead of a set belongs to.
 *
 * One read of all identity rows with their contacts, one insert of the rows that are new, and only where somebody else
 * was faster a second look. Promises: one new person never becomes two contacts, whoever races; two contacts that an
 * event bridges are never merged silently, the conflict is recorded and the stronger identity decides.
 */
import type { ContactStore } from '../../store/people/contacts.ts';
import type { IdentityRow, IdentityStore, OwnedIdentity } from '../../store/people/identities.ts';
import { Contended, requireStanding } from './enrich.ts';
import type { Lease } from '../claim/lease.ts';
import { ContactResolver, type IdentifyResult } from './contact-resolver.ts';
import type { Lead } from '../read/read-event.ts';
import { createUnite } from './unify-ids.ts';

type Stores = { readonly identities: IdentityStore; readonly contacts: ContactStore };

export type Identify = (leads: readonly Lead[], lease: Lease) => Promise<IdentifyResult>;

/** The leads come in (date, id) order: so they meet each other as if they had come one by one. */
export function createIdentify(stores: Stores): Identify {
  return async function identify(all, lease) {
    const rowIds = [...new Set(all.flatMap((lead) => lead.identities.map(({ _id }) => _id)))];
    const rows = await stores.identities.findOwned(rowIds);
    await requireStanding(
      rows.map(({ contact }) => contact),
      lease,
    );
    const barred = new Set(rows.flatMap(({ _id, blocked }) => (blocked ? [_id] : [])));
    const isBarred = ({ identities }: Lead) => identities.some(({ _id }) => barred.has(_id));
    const leads = all.filter((lead) => !isBarred(lead));
    const people = new ContactResolver(rows.filter(({ blocked }) => !blocked));
    await people.follow(stores.contacts);
    for (const lead of leads) people.meet(lead);
    const claims = people.claims();
    lease.require();
    const lost = claims.length === 0 ? new Set<string>() : await stores.identities.claim(claims);
    if (lost.size > 0 || people.split().length > 0)
      await settle(stores, people, { claims, lost, lease });
    const blocked = new Set(all.filter(isBarred).map(({ event }) => event._id));
    return { ...people.result(leads), blocked };
  };
}

/** Somebody else has rows that this run wanted, or has claimed some and made no contact yet: unite what is one person. */
async function settle(
  stores: Stores,
  people: ContactResolver,
  run: { claims: readonly IdentityRow[]; lost: ReadonlySet<string>; lease: Lease },
): Promise<void> {
  const { claims, lost, lease } = run;
  const won = claims.filter(({ _id }) => !lost.has(_id));
  if (lost.size > 0) people.yield(await winnersOf(stores, lost), won);
  await people.follow(stores.contacts);
  const unite = createUnite(stores.contacts);
  for (const { channelId, contactIds } of people.split()) {
    for (const [a, b] of pairs(contactIds.map((id) => people.idOf(id)))) {
      lease.require();
      const id = await unite(a, b, channelId);
      if (id === null) continue;
      people.alias(a, id);
      people.alias(b, id);
    }
  }
  for (const { from, to, rowIds } of people.moved(won)) {
    lease.require();
    await stores.identities.repoint(rowIds, { from, to });
  }
  await people.reload(stores.contacts);
}

/** Right after a fail-over a row that refused ours may not be seen yet; without it this run would make a third person. */
async function winnersOf({ identities }: Stores, lost: ReadonlySet<string>) {
  const rows = await identities.findOwned([...lost]);
  if (rows.length < lost.size) throw new Contended('A row that is taken cannot be read yet.');
  if (rows.some(isGone))
    throw new Contended('A person was forgotten while an event was on the way.');
  return rows;
}

const isGone = ({ blocked, contact }: OwnedIdentity): boolean =>
  blocked === true || contact?.erased === true;

const pairs = (ids: readonly string[]): [string, string][] =>
  ids.slice(1).map((id) => [ids[0] ?? id, id]);
