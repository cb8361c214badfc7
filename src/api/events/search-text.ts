/**
 * The text of the event search: an id, a name, a phone number, an email address, a document, or words of a message.
 *
 * Promises: each meaning is looked up by an index or in a bounded number of records; `isComplete` says whether a bound was
 * reached.
 */
import { eventIdOf } from '../../domain/messages/message.ts';
import type { Paged } from '../../domain/pagination.ts';
import { parseEmail } from '../../domain/people/email.ts';
import { canonicalPhone, parseStoredPhone } from '../../domain/people/phone.ts';
import { nullIfTooSlow } from '../../store/db/queries.ts';
import type { EventFilter } from '../../store/events/event-filter.ts';
import type { ApiContext } from '../context.ts';
import { identityValue } from '../people/contacts.ts';

/** `isComplete` is false if more events may match. */
type TextMatch = Required<Pick<EventFilter, 'anyOf'>> & { readonly isComplete: boolean };

/** What the search is limited to. Absent: all. */
type TextScope = {
  readonly webhookId: readonly string[] | undefined;
  /** The channels in which names and words are searched. */
  readonly channels: readonly string[] | undefined;
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const minPrefix = 3;
const maxContacts = 100;
const maxMessages = 200;

type Found = { readonly ids: readonly string[]; readonly isComplete: boolean };
const none: Found = { ids: [], isComplete: true };

/** `found` is null when the query took too long. */
function idsOf<Item>(found: Paged<Item> | null, idOf: (item: Item) => string | never[]): Found {
  if (found === null) return { ids: [], isComplete: false };
  const { results, total, isExact = true } = found;
  return { ids: results.flatMap(idOf), isComplete: isExact && total <= results.length };
}

/** Returns the events and contacts that the text may mean. */
export async function findText(
  ctx: ApiContext,
  text: string,
  { webhookId, channels }: TextScope,
): Promise<TextMatch> {
  const isId = uuid.test(text);
  const [external, known, named, worded] = await Promise.all([
    findExternalIds(ctx, text, webhookId),
    findByIdentity(ctx, text),
    isId ? none : findByName(ctx, text, channels),
    isId ? none : findByWords(ctx, text, channels),
  ]);
  const own = isId ? [text.toLowerCase()] : [];
  const contactIds = [...known, ...named.ids, ...own];
  const tree = contactIds.length > 0 ? await ctx.people.mergeTreeIds(contactIds) : [];
  const theirs = await ctx.people.findEventIds(tree);
  return {
    anyOf: { id: [...worded.ids, ...own, ...theirs.ids], externalId: external.ids },
    isComplete: [external, named, worded, theirs].every(({ isComplete }) => isComplete),
  };
}

async function findExternalIds(
  { events }: ApiContext,
  text: string,
  webhookId: TextScope['webhookId'],
): Promise<Found> {
  if (text.length < minPrefix) return { ids: [text], isComplete: true };
  const found = await events.findExternalIds(text, webhookId);
  return { ids: found ?? [text], isComplete: found !== null };
}

/** Finds by phone, email and document: one look-up by an index for each. */
async function findByIdentity(
  { people, defaultRegion }: ApiContext,
  text: string,
): Promise<string[]> {
  const phone = parseStoredPhone(text, defaultRegion);
  const email = parseEmail(text);
  const document = identityValue('document', text, defaultRegion);
  const found = await Promise.all([
    phone === null ? [] : people.findByIdentity({ kind: 'phone', values: [canonicalPhone(phone)] }),
    email === null ? [] : people.findByIdentity({ kind: 'email', values: [email] }),
    document === null ? [] : people.findByIdentity({ kind: 'document', values: [document] }),
  ]);
  return found.flat();
}

async function findByName(
  { people }: ApiContext,
  search: string,
  channelId: TextScope['channels'],
): Promise<Found> {
  const page = { skip: 0, limit: maxContacts, sort: { createdAt: -1 } } as const;
  const found = people.list({ search, ...(channelId && { channelId }) }, page);
  return idsOf(await found.catch(nullIfTooSlow), ({ _id }) => _id);
}

async function findByWords(
  { inbox }: ApiContext,
  query: string,
  channelIds: TextScope['channels'],
): Promise<Found> {
  const page = { skip: 0, limit: maxMessages, sort: { date: -1 } } as const;
  const found = inbox.searchAll({ query, channelIds }, page);
  return idsOf(await found.catch(nullIfTooSlow), (message) => eventIdOf(message) ?? []);
}
