// The invariants between the answers that clients got and the stored data. Each is a function that returns its breaches.
import type { Breach } from './breach.ts';
import { deadLettersOf, type DeadLetter } from './dead-letters.ts';
import { expectedFields, type Writer } from './expected-fields.ts';
import {
  acknowledged,
  type Ledger,
  type WebhookRequest,
  type ComposedEvent,
} from '../load/ledger.ts';
import type { DestinationFacts } from '../destinations/facts.ts';
import { destinationInvariants } from '../destinations/invariants.ts';
import type {
  ObservedChat,
  ObservedContact,
  ObservedEvent,
  ObservedState,
} from './observed-state.ts';
import { numberOfPhone, type Person } from '../load/people.ts';
import { retries, type Targets, type WebhookName } from '../load/webhooks.ts';

export type Facts = {
  readonly ledger: Ledger;
  readonly seen: ObservedState;
  /** Dead events as they were before the harness replayed them. */
  readonly deadBeforeReplay: readonly ObservedEvent[];
  readonly targets: Targets;
  readonly people: readonly Person[];
  /** Wrong metrics, found while the processes ran. */
  readonly miscounts: readonly string[];
  /** Of the channels that send messages out of Inlet; null without them. They are in no other part. */
  readonly destinations: DestinationFacts | null;
};

type Invariant = (facts: Facts) => Breach[];

type Index = ReturnType<typeof indexOf>;

/** Lookups from ids and nonces to sent bodies and stored records. */
function indexOf({ ledger, seen, targets }: Facts) {
  const composed = new Map<string, { composed: ComposedEvent; webhookRequest: WebhookRequest }>();
  for (const { webhookRequest } of ledger.sendings) {
    for (const one of webhookRequest.composed)
      composed.set(one.nonce, { composed: one, webhookRequest });
  }
  const nameOf = new Map(Object.values(targets).map(({ id, name }) => [id, name]));
  const channelOf = new Map(Object.values(targets).map(({ id, channelId }) => [id, channelId]));
  const byId = new Map(seen.events.map((event) => [event.id, event]));
  /** Events without split batches, whose items are events too. */
  const single = seen.events.filter(({ payload }) => payload?.leads === undefined);
  const texts = seen.chats.flatMap((chat) =>
    chat.messages
      .filter(({ type_user }) => type_user === 'client')
      .map((message) => ({ chat, message, nonce: message.content.message })),
  );
  return { composed, nameOf, channelOf, byId, single, texts };
}

const nonceOf = (event: ObservedEvent): string => event.payload?.text ?? '';
const keyOf = (webhook: string, { eventId, nonce }: ComposedEvent): string =>
  `${webhook}/${eventId ?? `alone:${nonce}`}`;

/** The final state that an event must have under the mapping version that processed it. */
const fateOf = ({ fate }: ComposedEvent, { mappingVersion }: ObservedEvent) =>
  // The second mapping is saved more than once when an answer was lost.
  fate[mappingVersion > 1 ? 2 : 1] ?? 'done';

const presentAfterAcknowledgement: Invariant = (facts) => {
  const { byId, nameOf, single } = indexOf(facts);
  const ids = new Map<string, Set<string>>();
  const breaches: Breach[] = [];
  for (const { webhookRequest, answer } of acknowledged(facts.ledger.sendings)) {
    const event = byId.get(answer.eventId);
    const [composed] = webhookRequest.composed;
    if (!composed) continue;
    const about = { eventId: answer.eventId, nonce: composed.nonce };
    if (!event) breaches.push({ what: 'acknowledged and not there', ...about });
    else if (nameOf.get(event.webhookId) !== webhookRequest.webhook)
      breaches.push({ what: 'acknowledged by one webhook and in another', ...about });
    else if (webhookRequest.isBatch) breaches.push(...itemsMissing(webhookRequest, event, single));
    else if (event.externalId !== composed.eventId)
      breaches.push({ what: `is there with the event id ${String(event.externalId)}`, ...about });
    if (webhookRequest.isBatch || composed.eventId === null) continue;
    const key = keyOf(webhookRequest.webhook, composed);
    const known = ids.get(key) ?? new Set();
    ids.set(key, known.add(answer.eventId));
    if (known.size > 1) breaches.push({ what: `${key} was acknowledged as two events`, ...about });
  }
  return breaches;
};

function itemsMissing(
  webhookRequest: WebhookRequest,
  event: ObservedEvent,
  single: readonly ObservedEvent[],
): Breach[] {
  const known = new Set(
    single
      .filter(({ webhookId }) => webhookId === event.webhookId)
      .map(({ externalId }) => externalId),
  );
  return webhookRequest.composed
    .filter(({ eventId }) => !known.has(eventId))
    .map(({ nonce }) => ({ what: 'an item is not there', eventId: event.id, nonce }));
}

const everythingEnds: Invariant = (facts) => {
  const { composed } = indexOf(facts);
  return facts.seen.events.flatMap((event) => {
    const { id: eventId, state, reason } = event;
    const meant = composed.get(nonceOf(event))?.composed;
    const fate = meant ? fateOf(meant, event) : 'done';
    if (state === fate) return [];
    const what = `is ${state} (${String(reason)}) and must be ${fate}`;
    return [{ what, eventId, ...(meant && { nonce: meant.nonce }) }];
  });
};

const oneMessageEach: Invariant = (facts) => {
  const { composed, single, nameOf, texts } = indexOf(facts);
  const breaches: Breach[] = [];
  const messages = new Map<string, number>();
  for (const { nonce } of texts) messages.set(nonce, (messages.get(nonce) ?? 0) + 1);
  const expected = new Map<string, number>();
  const events = new Map<string, number>();
  for (const event of single) {
    const nonce = nonceOf(event);
    const meant = composed.get(nonce);
    if (!meant) continue;
    if (fateOf(meant.composed, event) === 'done')
      expected.set(nonce, (expected.get(nonce) ?? 0) + 1);
    if (meant.composed.eventId === null) continue;
    const key = keyOf(nameOf.get(event.webhookId) ?? '', meant.composed);
    events.set(key, (events.get(key) ?? 0) + 1);
    if (events.get(key) === 2)
      breaches.push({ what: `${key} is several events`, eventId: event.id, nonce });
  }
  for (const nonce of new Set([...messages.keys(), ...expected.keys()])) {
    const is = messages.get(nonce) ?? 0;
    const must = expected.get(nonce) ?? 0;
    if (is !== must) breaches.push({ what: `has ${is} messages and must have ${must}`, nonce });
  }
  return [...breaches, ...standaloneCounts(facts, single)];
};

/** A body without an event id makes one event for each acknowledgement, and at most one more for each lost answer. */
function standaloneCounts({ ledger }: Facts, single: readonly ObservedEvent[]): Breach[] {
  const bounds = new Map<string, { least: number; most: number }>();
  for (const { webhookRequest, answer } of ledger.sendings) {
    const [composed] = webhookRequest.composed;
    if (!composed || webhookRequest.isBatch || composed.eventId !== null) continue;
    const bound = bounds.get(composed.nonce) ?? { least: 0, most: 0 };
    bound.least += answer.kind === 'acknowledged' ? 1 : 0;
    bound.most += answer.kind === 'refused' ? 0 : 1;
    bounds.set(composed.nonce, bound);
  }
  const counts = new Map<string, number>();
  for (const event of single) counts.set(nonceOf(event), (counts.get(nonceOf(event)) ?? 0) + 1);
  return [...bounds].flatMap(([nonce, { least, most }]) => {
    const is = counts.get(nonce) ?? 0;
    return is >= least && is <= most
      ? []
      : [{ what: `is ${is} events and must be ${least} to ${most}`, nonce }];
  });
}

function personOf(contact: ObservedContact, people: readonly Person[]): number | null {
  if (contact.phone !== null) return numberOfPhone(contact.phone);
  const found = people.find(
    ({ email, externalId }) => email === contact.email || externalId === contact.external_id,
  );
  return found?.number ?? null;
}

/** The contacts by channel and person; the channel is that of the contact's chat. */
function placesOf(
  { seen, people }: Facts,
  isSeen: (chat: ObservedChat) => boolean = () => true,
): Map<string, ObservedContact[]> {
  const contacts = new Map(seen.contacts.map((contact) => [contact.id, contact]));
  const places = new Map<string, ObservedContact[]>();
  for (const chat of seen.chats.filter(isSeen)) {
    const contact = contacts.get(chat.contact?.id ?? '');
    if (!contact) continue;
    const place = `${chat.worker.id}/${String(personOf(contact, people))}`;
    places.set(place, [...(places.get(place) ?? []), contact]);
  }
  return places;
}

const onePersonOneContactOneChat: Invariant = (facts) => {
  const { seen } = facts;
  const breaches: Breach[] = [];
  for (const [place, contacts] of placesOf(facts)) {
    const ids = new Set(contacts.map(({ id }) => id));
    if (ids.size > 1) breaches.push({ what: `${place} is the contacts ${[...ids].join(', ')}` });
  }
  for (const [place, { length }] of placesOf(facts, ({ status }) => status !== 'closed')) {
    if (length > 1) breaches.push({ what: `${place} has several open chats` });
  }
  const seated = new Set(seen.chats.map(({ contact }) => contact?.id));
  for (const { id } of seen.contacts) {
    if (!seated.has(id)) breaches.push({ what: `the contact ${id} has no chat` });
  }
  if (seen.conflicts > 0)
    breaches.push({ what: `${seen.conflicts} conflicts were recorded, and nobody bridges` });
  return breaches;
};

/** The done events of each person in each channel. */
function writersOf(facts: Facts, { composed, single, channelOf }: Index): Map<string, Writer[]> {
  const writers = new Map<string, Writer[]>();
  for (const event of single) {
    const meant = composed.get(nonceOf(event));
    if (!meant || meant.composed.person === null || fateOf(meant.composed, event) !== 'done')
      continue;
    const place = `${channelOf.get(event.webhookId) ?? ''}/${meant.composed.person}`;
    const writer = {
      composed: meant.composed,
      id: event.id,
      version: event.mappingVersion,
      receivedAt: Date.parse(event.receivedAt),
    };
    writers.set(place, [...(writers.get(place) ?? []), writer]);
  }
  return writers;
}

const lastWriterWins: Invariant = (facts) => {
  const index = indexOf(facts);
  const places = placesOf(facts);
  const breaches: Breach[] = [];
  for (const [place, writers] of writersOf(facts, index)) {
    const contact = places.get(place)?.[0];
    if (!contact) {
      breaches.push({ what: `${place} has events and no contact with a chat` });
      continue;
    }
    const { name, phone, email, external_id, fields } = contact;
    const is: Record<string, string | null> = { name, phone, email, external_id, ...fields };
    const must = expectedFields(writers);
    for (const field of new Set([...Object.keys(is), ...Object.keys(must)])) {
      if ((is[field] ?? null) === (must[field] ?? null)) continue;
      const what = `${place} has ${field} ${String(is[field])} and must have ${String(must[field])}`;
      breaches.push({ what: `${what} (contact ${contact.id})` });
    }
  }
  return breaches;
};

const nothingFromNowhere: Invariant = (facts) => {
  const { seen } = facts;
  const index = indexOf(facts);
  const breaches: Breach[] = [];
  for (const event of seen.events) {
    const nonces = event.payload?.leads?.map(({ text }) => text) ?? [nonceOf(event)];
    const unknown = nonces.filter((nonce) => {
      const sent = index.composed.get(nonce);
      return sent?.webhookRequest.webhook !== (index.nameOf.get(event.webhookId) as WebhookName);
    });
    if (unknown.length > 0) {
      breaches.push({ what: `an event that no sender sent: ${unknown.join()}`, eventId: event.id });
    }
  }
  const made = new Set(index.single.map(nonceOf));
  for (const { nonce, message } of index.texts) {
    if (!made.has(nonce)) breaches.push({ what: `the message ${message.message_id} of no event` });
  }
  const writers = writersOf(facts, index);
  for (const [place, contacts] of placesOf(facts)) {
    if (!writers.has(place))
      breaches.push({ what: `the contact ${contacts[0]?.id ?? ''} of no person (${place})` });
  }
  return breaches;
};

const countsAgree: Invariant = (facts) => {
  const { ledger, seen, miscounts } = facts;
  const { byId } = indexOf(facts);
  const breaches: Breach[] = miscounts.map((what) => ({ what }));
  for (const { what, api, db } of seen.counts) {
    if (api !== db) breaches.push({ what: `${what}: ${api} by the API, ${db} in the database` });
  }
  const acknowledgements = new Map<string, number>();
  for (const { answer } of acknowledged(ledger.sendings)) {
    acknowledgements.set(answer.eventId, (acknowledgements.get(answer.eventId) ?? 0) + 1);
  }
  for (const [eventId, count] of acknowledgements) {
    const deliveries = byId.get(eventId)?.deliveries ?? 0;
    if (deliveries < count)
      breaches.push({ what: `${count} acknowledgements, ${deliveries} deliveries`, eventId });
  }
  return breaches;
};

/** Temporary failures are answered by 503 with Retry-After; a valid request gets no other error. */
const noWrongAnswers: Invariant = ({ ledger }) => ledger.wrongAnswers.map((what) => ({ what }));

/** After the first crash of a worker an event is processed alone; after three more it is dead. */
const endsToDieOf = 4;

/** A poisonous event may die of crashed workers; another event only if faults explain each crash. */
const givenUpForCause: Invariant = ({ seen, deadBeforeReplay, ledger }) => {
  const costly = ledger.faults.filter(({ mayCostLease }) => mayCostLease);
  const isExplained = ([from, until]: DeadLetter['abandoned'][number]): boolean =>
    costly.some((fault) => fault.from <= until && fault.until >= from);
  const deaths = new Map<string, Breach>();
  for (const event of [...seen.events, ...deadBeforeReplay]) {
    for (const { eventId, at, reason, attempts, abandoned } of deadLettersOf(event)) {
      const about = { eventId, nonce: nonceOf(event) };
      const ends = event.payload?.poison ? abandoned : abandoned.filter(isExplained);
      if (reason === 'crashed_worker' && ends.length < endsToDieOf) {
        const what = `died of ${abandoned.length} ends of workers, ${ends.length} of them by faults`;
        deaths.set(`${eventId} ${at}`, { what, ...about });
      } else if (reason.startsWith('attempts_spent') && attempts < retries.maxAttempts) {
        const what = `died of ${attempts} attempts and may have ${retries.maxAttempts}`;
        deaths.set(`${eventId} ${at}`, { what, ...about });
      }
    }
  }
  return [...deaths.values()];
};

/** A reply is stored once if it was acknowledged, and at most once if its answers were lost. */
const oneMessageForEachReply: Invariant = ({ seen, ledger }) => {
  const counts = new Map<string, number>();
  for (const { messages } of seen.chats) {
    for (const { type_user, content } of messages) {
      if (type_user !== 'operator') continue;
      counts.set(content.message, (counts.get(content.message) ?? 0) + 1);
    }
  }
  return ledger.replies.flatMap(({ text, isAcknowledged }) => {
    const count = counts.get(text) ?? 0;
    return count === 1 || (count === 0 && !isAcknowledged)
      ? []
      : [{ what: `${text} is stored ${count} times` }];
  });
};

export const invariants = {
  '1 acknowledged is present': presentAfterAcknowledgement,
  '2 everything comes to its end': everythingEnds,
  '3 one message for each event': oneMessageEach,
  '4 one contact, one open chat': onePersonOneContactOneChat,
  '5 the last writer wins': lastWriterWins,
  '6 nothing from nowhere': nothingFromNowhere,
  '7 the counts agree': countsAgree,
  '8 no answer blames a producer': noWrongAnswers,
  '9 nothing is given up without cause': givenUpForCause,
  '10 one message for each reply': oneMessageForEachReply,
} as const satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof invariants | keyof typeof destinationInvariants;
export type Verdict = ReadonlyMap<InvariantName, readonly Breach[]>;

/** The invariants that are broken, each with what breaks it. */
export function check(facts: Facts): Verdict {
  const verdict = new Map<InvariantName, readonly Breach[]>();
  for (const name of Object.keys(invariants) as (keyof typeof invariants)[]) {
    const breaches = invariants[name](facts);
    if (breaches.length > 0) verdict.set(name, breaches);
  }
  return facts.destinations
    ? new Map([...verdict, ...checkDestinations(facts.destinations)])
    : verdict;
}

/** The same for the channels that send messages out of Inlet. */
export function checkDestinations(facts: DestinationFacts): Verdict {
  const verdict = new Map<InvariantName, readonly Breach[]>();
  for (const name of Object.keys(destinationInvariants) as (keyof typeof destinationInvariants)[]) {
    const breaches = destinationInvariants[name](facts);
    if (breaches.length > 0) verdict.set(name, breaches);
  }
  return verdict;
}
