/**
 * Event search by text, by person, by prefix of the external id, and by reason code.
 *
 * Promises: conditions without an index are first resolved by small bounded reads. A search that would take too
 * long is rejected with a hint how to narrow it. Phone numbers are parsed as in events.
 */
import { invalidQuery } from '../../base/errors.ts';
import { asLive } from '../../domain/events/attempts.ts';
import { parseEmail } from '../../domain/people/email.ts';
import { canonicalPhone, parseStoredPhone } from '../../domain/people/phone.ts';
import type { EventFilter } from '../../store/events/event-filter.ts';
import type { EventPage, EventSearchResult } from '../../store/events/search.ts';
import { QueryTooSlow } from '../../store/db/queries.ts';
import { listSets } from '../../store/sets/sets.ts';
import type { ApiContext } from '../context.ts';
import { requireBound } from './query-bounds.ts';
import { findText } from './search-text.ts';
import { listWebhooksWithVersions } from '../../store/webhooks/mappings.ts';

export type EventQuery = Omit<EventFilter, 'reasonIs' | 'anyOf' | 'id'> & {
  /** An id, a name, a phone number, an email address, a document, or words of a message. */
  readonly search?: string;
  /** The channels in which `search` finds names and words. Absent: all. */
  readonly channels?: readonly string[] | undefined;
  readonly phone?: string;
  readonly email?: string;
  readonly externalIdPrefix?: string;
};

/** More webhooks than this do not narrow the search. */
const maxWebhooks = 100;

export function rejectSlowSearch(error: unknown): never {
  if (!(error instanceof QueryTooSlow)) throw error;
  throw invalidQuery('from', 'field.slow_event_query', error);
}

/** Searches events. Throws `invalid_query`, also if the search would take too long. */
export async function searchEvents(
  ctx: ApiContext,
  asked: EventQuery,
  page: EventPage,
): Promise<EventSearchResult> {
  const { filter, isComplete } = await resolveQuery(ctx, asked, page.order);
  const found = await searchLive(ctx, filter, page);
  return { ...found, isExact: found.isExact && isComplete };
}

/**
 * Resolves conditions to indexed fields. Also returns whether the filter finds every event that matches. Throws
 * `invalid_query`, and `unbounded_query` where it would read all events.
 */
export async function resolveQuery(ctx: ApiContext, asked: EventQuery, order: EventPage['order']) {
  requireBound(asked, order);
  const { search, channels, webhookId: within } = asked;
  const [{ contactId, ...filter }, webhookId, found] = await Promise.all([
    lookUp(ctx, asked),
    webhooksOf(ctx, asked),
    search === undefined ? undefined : findText(ctx, search, { webhookId: within, channels }),
  ]);
  const ofContacts = contactId && (await ctx.people.findEventIds(contactId));
  const id = ofContacts && { id: ofContacts.ids };
  const anyOf = found && { anyOf: found.anyOf };
  const isComplete = [found, ofContacts].every((part) => part?.isComplete ?? true);
  return { filter: { ...filter, webhookId, ...id, ...anyOf }, isComplete };
}

/** Resolves conditions for live events: reasons stay prefixes, because new reasons may appear. */
export async function resolveLiveQuery(
  ctx: ApiContext,
  { reason, ...asked }: EventQuery,
): Promise<EventFilter> {
  return { ...(await lookUp(ctx, asked)), reason };
}

/** Throws `invalid_query`. */
async function lookUp(ctx: ApiContext, asked: EventQuery): Promise<EventFilter> {
  const [contactId, externalId, reasonIs] = await Promise.all([
    contactsOf(ctx, asked),
    externalIdsOf(ctx, asked),
    reasonsOf(ctx, asked),
  ]);
  const {
    search: _search,
    channels: _channels,
    phone: _phone,
    email: _email,
    externalIdPrefix: _prefix,
    reason: _reason,
    ...rest
  } = asked;
  return { ...rest, contactId, externalId, reasonIs };
}

async function externalIdsOf(
  { events }: ApiContext,
  { externalId, externalIdPrefix, webhookId }: EventQuery,
) {
  if (externalIdPrefix === undefined) return externalId;
  const named = await events.findExternalIds(externalIdPrefix, webhookId);
  if (!named) throw invalidQuery('externalIdPrefix', 'field.prefix_too_short');
  return externalId ? named.filter((id) => externalId.includes(id)) : named;
}

async function reasonsOf({ events }: ApiContext, { reason }: EventQuery) {
  if (!reason) return undefined;
  const under = await Promise.all(reason.map((code) => events.listReasonDetails(code)));
  return [...new Set([...reason, ...under.flat()])];
}

/** No index includes the version, so the search is limited to webhooks that have it. */
async function webhooksOf(ctx: ApiContext, { mappingVersion, webhookId }: EventQuery) {
  if (!mappingVersion) return webhookId;
  const asked = { webhookIds: webhookId, limit: maxWebhooks };
  return (await listWebhooksWithVersions(ctx, mappingVersion, asked)) ?? webhookId;
}

/** Returns the contacts that match all given conditions; undefined without a condition. */
async function contactsOf(ctx: ApiContext, { contactId, phone, email }: EventQuery) {
  const sets = await Promise.all([
    contactId && ctx.people.mergeTreeIds(contactId),
    phone === undefined ? undefined : contactsWith(ctx, 'phone', parsePhoneParameter(ctx, phone)),
    email === undefined ? undefined : contactsWith(ctx, 'email', parseEmail(email)),
  ]);
  const given = sets.filter((set) => set !== undefined);
  return given.reduce<string[] | undefined>(
    (all, set) => (all ? all.filter((id) => set.includes(id)) : set),
    undefined,
  );
}

/** Returns the contacts with this identity in any channel, with merged contacts. */
const contactsWith = async (
  { people }: ApiContext,
  kind: 'phone' | 'email',
  value: string | null,
): Promise<string[]> =>
  value === null ? [] : people.mergeTreeIds(await people.findByIdentity({ kind, values: [value] }));

function parsePhoneParameter({ defaultRegion }: ApiContext, text: string): string {
  // An unencoded plus in a query string is a space.
  const phone = parseStoredPhone(text.replace(/^ (?=\d)/, '+'), defaultRegion);
  if (phone === null) throw invalidQuery('phone', 'field.not_a_phone');
  return canonicalPhone(phone);
}

/** Searches the stored events, and shows those of live sets as `processing`. */
async function searchLive(
  ctx: ApiContext,
  filter: EventFilter,
  page: EventPage,
): Promise<EventSearchResult> {
  const stored = await withLiveState(ctx, filter);
  const found = await ctx.events.search(stored, page).catch(rejectSlowSearch);
  const hasOpen = found.results.some(({ open }) => open);
  const sets = hasOpen ? await listSets(ctx.connection) : [];
  return { ...found, results: found.results.map((event) => asLive(event, sets)) };
}

/** No event is stored as `processing`: those of live sets are. Beside another open state, which has them too, it says nothing. */
async function withLiveState(
  { connection }: ApiContext,
  filter: EventFilter,
): Promise<EventFilter> {
  const { state: states, id } = filter;
  if (!states?.includes('processing')) return filter;
  const open: readonly string[] = ['received', 'waiting'];
  const others = states.filter((state) => state !== 'processing');
  if (others.length > 0) {
    const hasOpen = others.some((state) => open.includes(state));
    return { ...filter, state: hasOpen ? others : [...others, ...open] };
  }
  const live = (await listSets(connection)).flatMap(({ eventIds }) => eventIds);
  return { ...filter, state: open, id: id ? live.filter((one) => id.includes(one)) : live };
}
