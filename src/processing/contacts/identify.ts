/**
 * Identify: finds the contact of each lead of a set.
 *
 * One read of all identity rows and one of their contacts, one insert of the rows that are new, and a second read only where
 * another worker was faster. Promises: one new person never becomes two contacts, however many workers race. Two contacts
 * that an event bridges are never merged silently: the conflict is recorded and the stronger identity decides.
 */
import { maxIdentities } from '../../domain/people/contact.ts';
import type { ContactStore } from '../../store/people/contacts.ts';
import type { IdentityStore } from '../../store/people/identities.ts';
import type { Lease } from '../claim/lease.ts';
import { Contended, requireNoErased } from '../contended.ts';
import type { Lead } from '../read/read-event.ts';
import { ContactResolver, type IdentifyResult } from './contact-resolver.ts';
import { unifyContactIds } from './unify-ids.ts';
import type { IdentityRow, OwnedIdentity } from '../../store/people/records.ts';

export type IdentifyDeps = {
  readonly identities: IdentityStore;
  readonly contacts: ContactStore;
  readonly lease: Lease;
};

/** The leads must be in (date, id) order, so that the result is that of processing them one by one. Throws Contended. */
export async function identify(
  deps: IdentifyDeps,
  leads: readonly Lead[],
): Promise<IdentifyResult> {
  const { identities, contacts, lease } = deps;
  const rowIds = [...new Set(leads.flatMap((lead) => lead.identities.map(({ _id }) => _id)))];
  const rows = await findOwned(deps, rowIds);
  await requireNoErased(
    rows.map(({ contact }) => contact),
    lease,
  );
  const blockedRows = new Set(rows.flatMap(({ _id, blocked }) => (blocked ? [_id] : [])));
  const isBlocked = (lead: Lead) => lead.identities.some(({ _id }) => blockedRows.has(_id));
  const allowed = leads.filter((lead) => !isBlocked(lead));
  const resolver = new ContactResolver(rows.filter(({ blocked }) => !blocked));
  await resolver.follow(contacts);
  const known = assignLeads(resolver, allowed);
  const { claims, refused } = await withinLimit(deps, resolver);
  lease.require();
  const lost = claims.length === 0 ? new Set<string>() : await identities.claim(claims);
  if (lost.size > 0 || resolver.splitLeads().length > 0)
    await reconcile(deps, resolver, { claims, lost });
  const blocked = new Set(leads.filter(isBlocked).map(({ event }) => event._id));
  const unknown = new Set(allowed.filter((lead) => !known.has(lead)).map(({ event }) => event._id));
  const crowded = new Set(
    [...known].flatMap(({ event, identities: named }) =>
      named.some(({ _id }) => refused.has(_id)) ? [event._id] : [],
    ),
  );
  return { ...resolver.result([...known]), blocked, unknown, crowded };
}

/**
 * Returns the rows to insert, and the ids of those that a contact has no room for. Its events find it by its other identities. Costs
 * a read only where a contact that exists gets a new identity; two workers at once may exceed the limit by what they insert.
 */
async function withinLimit(
  { identities }: IdentifyDeps,
  resolver: ContactResolver,
): Promise<{ claims: readonly IdentityRow[]; refused: ReadonlySet<string> }> {
  const claims = resolver.claims();
  const growing = new Set(
    claims.map(({ contactId }) => contactId).filter((id) => resolver.exists(id)),
  );
  const counts = new Map(growing.size === 0 ? [] : await identities.countOwned([...growing]));
  const accepted: IdentityRow[] = [];
  for (const row of claims) {
    const count = counts.get(row.contactId) ?? 0;
    if (count >= maxIdentities) continue;
    counts.set(row.contactId, count + 1);
    accepted.push(row);
  }
  const kept = new Set(accepted);
  const refused = new Set(claims.flatMap((row) => (kept.has(row) ? [] : [row._id])));
  return { claims: accepted, refused };
}

/**
 * Returns the leads that have a contact. Those that may not create one come last, so that they find the contacts of the others in
 * any order.
 */
function assignLeads(resolver: ContactResolver, leads: readonly Lead[]): ReadonlySet<Lead> {
  const creating = leads.filter(({ mayCreateContact }) => mayCreateContact);
  for (const lead of creating) resolver.assign(lead);
  const changing = leads.filter((lead) => !lead.mayCreateContact && resolver.knows(lead));
  for (const lead of changing) resolver.assign(lead);
  return new Set([...creating, ...changing]);
}

/**
 * Returns the rows with their contacts. Two reads cost MongoDB half of one with `$lookup`, which reads the contact of each row for
 * itself. A contact is read after its row, so it is at least as new.
 */
async function findOwned(
  { identities, contacts }: IdentifyDeps,
  ids: readonly string[],
): Promise<OwnedIdentity[]> {
  const rows = await identities.findOwners(ids);
  // A blocked row has no contact.
  const owners = new Set(rows.flatMap(({ contactId }) => contactId ?? []));
  const found = owners.size === 0 ? [] : await contacts.getMany([...owners]);
  const contactOf = new Map(found.map((contact) => [contact._id, contact]));
  return rows.map((row) => ({ ...row, contact: contactOf.get(row.contactId) ?? null }));
}

/** Another worker won rows of this set, or claimed rows and has not created their contact yet: unifies what is one person. */
async function reconcile(
  deps: IdentifyDeps,
  resolver: ContactResolver,
  { claims, lost }: { claims: readonly IdentityRow[]; lost: ReadonlySet<string> },
): Promise<void> {
  const { identities, contacts, lease } = deps;
  const won = claims.filter(({ _id }) => !lost.has(_id));
  if (lost.size > 0) resolver.acceptWinners(await winnersOf(deps, lost), won);
  await resolver.follow(contacts);
  for (const { channelId, contactIds } of resolver.splitLeads()) {
    for (const ids of pairs(contactIds.map((id) => resolver.idOf(id)))) {
      lease.require();
      const id = await unifyContactIds(deps, { ids, channelId });
      if (id === null) continue;
      for (const alias of ids) resolver.alias(alias, id);
    }
  }
  for (const { from, to, rowIds } of resolver.moved(won)) {
    lease.require();
    await identities.repoint(rowIds, { from, to });
  }
  await resolver.reload(contacts);
}

/** Right after a fail-over, a row that another worker won may not be readable yet. Without it this set would add a contact. */
async function winnersOf(
  deps: IdentifyDeps,
  lost: ReadonlySet<string>,
): Promise<readonly OwnedIdentity[]> {
  const rows = await findOwned(deps, [...lost]);
  if (rows.length < lost.size) throw new Contended('A row that is taken cannot be read yet.');
  if (rows.some(isGone)) throw new Contended('A contact was erased while its event was processed.');
  return rows;
}

const isGone = ({ blocked, contact }: OwnedIdentity): boolean =>
  blocked === true || contact?.erased === true;

const pairs = (ids: readonly string[]): [string, string][] =>
  ids.slice(1).map((id) => [ids[0] ?? id, id]);
