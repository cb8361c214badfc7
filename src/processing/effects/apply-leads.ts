/**
 * Applies the leads of a set, or of a part of it, in its transaction: reads, plans in memory, writes. Returns the outcome of each.
 *
 * The leads are applied in the order of their stamps, so that they meet as if they were processed one by one.
 */
import { derivedId } from '../../base/ids.ts';
import type { Outcome } from '../../domain/events/outcome.ts';
import type { MappingProblem } from '../../domain/mappings/mapping.ts';
import {
  countIdentities,
  newestDate,
  readChats,
  readContacts,
  readIdentities,
  readMessages,
} from '../../store/effects/effect-reads.ts';
import { writeEffects, type EffectWrites } from '../../store/effects/effect-writes.ts';
import type { IdentityRow } from '../../store/people/records.ts';
import type { Tx } from '../../store/sets/set-transaction.ts';
import type { Lead } from '../read/read-event.ts';
import type { ChatDraft } from './chat-draft.ts';
import { ContactDraft } from './contact-draft.ts';
import { ConversationPlan, type PlacedLead } from './plan-conversation.ts';
import type { PreparedLead } from './prepare-leads.ts';
import { assignLeads, endOf, PeopleResolver, withinLimit, type Bridge } from './resolve-people.ts';

/** A point between two steps of the transaction. */
export type EffectStep = 'identities' | 'contacts' | 'chats' | 'write' | 'relist';

type ApplyLeadsDeps = {
  readonly tx: Tx;
  readonly now: Date;
  /** Resolves when the step may begin. */
  readonly onStep: (step: EffectStep) => Promise<void>;
};

type Applied = {
  /** By event id. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Whether a message is due for outbound delivery. */
  readonly hasDeliveries: boolean;
};

type People = {
  readonly resolver: PeopleResolver;
  readonly claims: readonly IdentityRow[];
  /** The leads that have a contact, by event id, in the order of their stamps. */
  readonly placed: ReadonlyMap<string, PlacedLead>;
  readonly bridges: readonly Bridge[];
  /** Events that name an identity for which their contact has no room. */
  readonly crowded: ReadonlySet<string>;
};

export async function applyLeads(
  deps: ApplyLeadsDeps,
  prepared: readonly PreparedLead[],
): Promise<Applied> {
  if (prepared.length === 0) return { outcomes: new Map(), hasDeliveries: false };
  const ordered = prepared.toSorted((a, b) => (a.lead.stamp < b.lead.stamp ? -1 : 1));
  const people = await resolvePeople(deps, ordered);
  const conversation = await planConversation(deps, people);
  const writes = { ...writesOfPeople(people, conversation, deps.now), ...writesOf(conversation) };
  await deps.onStep('write');
  await writeEffects(deps.tx, writes, deps.now);
  await relistChats(deps, [...conversation.left]);
  return {
    outcomes: new Map(
      ordered.map((one) => [one.lead.event._id, outcomeOf(one.lead, people, conversation)]),
    ),
    hasDeliveries:
      writes.newMessages.some(({ delivery }) => delivery) ||
      writes.messages.some(({ changed }) => changed.delivery),
  };
}

async function resolvePeople(
  { tx, onStep }: ApplyLeadsDeps,
  ordered: readonly PreparedLead[],
): Promise<People> {
  const leads = ordered.map(({ lead }) => lead);
  await onStep('identities');
  const rowIds = new Set(leads.flatMap(({ identities }) => identities.map(({ _id }) => _id)));
  const rows = await readIdentities(tx, [...rowIds]);
  await onStep('contacts');
  // A blocked row has no contact.
  const contacts = await readContacts(
    tx,
    rows.flatMap(({ contactId }) => contactId ?? []),
  );
  const resolver = new PeopleResolver({ rows, contacts });
  const known = assignLeads(
    resolver,
    leads.filter((lead) => !resolver.isBlocked(lead)),
  );
  const wanted = resolver.claims();
  const growing = new Set(
    wanted.map(({ contactId }) => contactId).filter((id) => resolver.exists(id)),
  );
  const claims = withinLimit(wanted, await countIdentities(tx, [...growing]));
  const kept = new Set(claims.map(({ _id }) => _id));
  const refused = new Set(wanted.flatMap(({ _id }) => (kept.has(_id) ? [] : [_id])));
  return {
    resolver,
    claims,
    placed: new Map(
      ordered
        .filter(({ lead }) => known.has(lead))
        .map((one) => [one.lead.event._id, { ...one, contactId: resolver.contactOf(one.lead) }]),
    ),
    bridges: resolver.bridges([...known]),
    crowded: new Set(
      [...known].flatMap(({ event, identities }) =>
        identities.some(({ _id }) => refused.has(_id)) ? [event._id] : [],
      ),
    ),
  };
}

async function planConversation(
  { tx, now, onStep }: ApplyLeadsDeps,
  { resolver, placed: byEvent }: People,
): Promise<ConversationPlan> {
  const placed = [...byEvent.values()];
  await onStep('chats');
  const replayed = placed.filter(({ lead }) => lead.event.generation > 0);
  const stored = await readMessages(
    tx,
    replayed.map(({ lead }) => lead.event._id),
  );
  const quoted = await readMessages(
    tx,
    placed.flatMap(({ lead }) => lead.reply?.quotedId ?? []),
  );
  const contactIds = new Set(placed.map(({ contactId }) => contactId));
  const chats = await readChats(
    tx,
    [...contactIds].filter((id) => resolver.exists(id)),
    stored.map(({ chatId }) => chatId),
  );
  const plan = new ConversationPlan({
    chats,
    messages: new Map(stored.map((message) => [message._id, message])),
    quotedIn: new Map(quoted.map(({ _id, chatId }) => [_id, chatId])),
    rootOf: await rootsOf(
      tx,
      stored.map(({ contactId }) => contactId),
    ),
    now,
  });
  for (const one of placed) plan.add(one);
  return plan;
}

/** Returns a function from a contact to the one that it was merged into. */
async function rootsOf(tx: Tx, contactIds: readonly string[]): Promise<(id: string) => string> {
  const contacts = await readContacts(tx, contactIds);
  return (id) => endOf(id, (one) => contacts.get(one)?.mergedInto);
}

function writesOfPeople(
  { resolver, placed, claims, bridges }: People,
  { opened }: ConversationPlan,
  now: Date,
): Pick<EffectWrites, 'identities' | 'newContacts' | 'contacts' | 'conflicts'> {
  const drafts = new Map<string, ContactDraft>();
  const draftOf = (id: string): ContactDraft => {
    const draft = drafts.get(id) ?? new ContactDraft(id, resolver.contact(id));
    drafts.set(id, draft);
    return draft;
  };
  for (const { contactId, lead } of placed.values()) draftOf(contactId).apply(lead);
  const relied = [
    ...opened,
    ...claims.map(({ contactId }) => contactId),
    ...bridges.flatMap(({ contactIds }) => contactIds),
  ];
  for (const id of relied) draftOf(id).relyOn();
  const all = [...drafts.values()];
  return {
    identities: claims,
    newContacts: all.flatMap((draft) => draft.inserted(now) ?? []),
    contacts: all.flatMap((draft) => draft.update() ?? []),
    conflicts: [...new Map(bridges.map(conflictOf).map((one) => [one._id, one])).values()],
  };
}

const writesOf = ({
  drafts,
  newMessages,
  messages,
}: ConversationPlan): Pick<EffectWrites, 'newChats' | 'chats' | 'newMessages' | 'messages'> => ({
  newChats: drafts.flatMap((draft) => draft.inserted() ?? []),
  chats: drafts.flatMap((draft) => draft.update() ?? []),
  newMessages,
  messages,
});

/** Lists the chats that messages have left by their newest message. Reads what the transaction has written. */
async function relistChats(
  { tx, now, onStep }: ApplyLeadsDeps,
  left: readonly ChatDraft[],
): Promise<void> {
  if (left.length === 0) return;
  await onStep('relist');
  const chats = [];
  for (const draft of left)
    chats.push(...[draft.relisted(await newestDate(tx, draft.record._id)) ?? []].flat());
  await writeEffects(tx, { ...noWrites, chats }, now);
}

const noWrites: EffectWrites = {
  identities: [],
  newContacts: [],
  contacts: [],
  conflicts: [],
  newChats: [],
  chats: [],
  newMessages: [],
  messages: [],
};

const conflictOf = ({ lead, contactIds, named }: Bridge) => ({
  _id: derivedId('conflict', ...contactIds.toSorted()),
  channelId: lead.channelId,
  contactIds,
  named,
  eventId: lead.event._id,
});

const tooManyIdentities: MappingProblem = {
  target: 'contact',
  code: 'too_many_identities',
  message: 'problem.too_many_identities',
};

function outcomeOf(
  lead: Lead,
  { resolver, placed, crowded }: People,
  { chatOf }: ConversationPlan,
): Outcome {
  const { event, mapped, eventDate } = lead;
  if (resolver.isBlocked(lead)) return { kind: 'ignored', reason: 'blocked' };
  const own = placed.get(event._id);
  const { eventType } = mapped;
  if (!own) {
    const { problems } = mapped;
    return { kind: 'dead', reason: 'person_empty', eventType, eventDate, problems };
  }
  const chatId = chatOf.get(event._id) ?? '';
  return {
    kind: 'done',
    effects: { contactId: own.contactId, chatId },
    eventType,
    eventDate,
    problems: [
      ...mapped.problems,
      ...own.problems,
      ...(crowded.has(event._id) ? [tooManyIdentities] : []),
    ],
  };
}
