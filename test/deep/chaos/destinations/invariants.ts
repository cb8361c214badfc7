// The invariants between what people and agents wrote, what the services received and were told, and what Inlet says.
import type { Breach } from '../checker/breach.ts';
import { channelNames, maxAttempts, plans, type ChannelName } from './channels.ts';
import type { ChannelFacts, DestinationFacts, ObservedDelivery } from './facts.ts';
import type { PostedStatus } from './ledger.ts';
import { findNoticeBreaches } from './notices.ts';
import { findRateBreaches } from './rates.ts';
import { losesAnswers, type Arrival } from './stand-ins.ts';

type Invariant = (facts: DestinationFacts) => Breach[];
type Check = (channel: ChannelFacts, name: ChannelName, facts: DestinationFacts) => string[];

/** Applies a check to each channel. */
const inEachChannel =
  (check: Check): Invariant =>
  (facts) =>
    channelNames.flatMap((name) =>
      check(facts.channels[name], name, facts).map((what) => ({ what: `${name}: ${what}` })),
    );

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const textsOf = ({ chats }: ChannelFacts, from: 'client' | 'operator') =>
  chats.flatMap((chat) =>
    chat.messages
      .filter(({ type_user: user }) => user === from)
      .map(({ content }) => ({ chat, text: content.message })),
  );

/** Each message that was written is in one chat of its person, once; one that was not acknowledged at most once. */
const oneChatForEachMessage = inEachChannel((channel, name, { ledger }) => {
  const incoming = ledger.incoming.filter(({ person }) => person.channel === name);
  const outgoing = ledger.outgoing.filter((one) => one.channel === name);
  const received = textsOf(channel, 'client');
  const sent = textsOf(channel, 'operator');
  const counts = countBy([...received, ...sent], ({ text }) => text);
  const expected = [
    ...incoming.map(({ text, isAcknowledged: isDue }) => ({ text, isDue })),
    ...outgoing.map(({ text, id }) => ({ text, isDue: id !== null })),
  ];
  const known = new Set(expected.map(({ text }) => text));
  return [
    ...expected.flatMap(({ text, isDue }) => {
      const count = counts.get(text) ?? 0;
      return count === 1 || (count === 0 && !isDue) ? [] : [`"${text}" is there ${count} times`];
    }),
    ...[...counts.keys()]
      .filter((text) => !known.has(text))
      .map((text) => `nobody wrote "${text}"`),
    ...placesAreRight(channel, incoming),
  ];
});

function placesAreRight(
  channel: ChannelFacts,
  incoming: DestinationFacts['ledger']['incoming'],
): string[] {
  const addressOf = new Map(incoming.map(({ text, person }) => [text, person.address]));
  const contacts = new Map<string, Set<string>>();
  const open = new Map<string, Set<string>>();
  const breaches: string[] = [];
  for (const { chat, text } of textsOf(channel, 'client')) {
    const address = addressOf.get(text) ?? '';
    const contactId = chat.contact?.id ?? '';
    contacts.set(address, (contacts.get(address) ?? new Set()).add(contactId));
    if (chat.status !== 'closed')
      open.set(address, (open.get(address) ?? new Set()).add(chat.chat_id));
  }
  for (const [address, { size }] of contacts)
    if (size > 1) breaches.push(`${address} is ${size} contacts`);
  for (const [address, { size }] of open)
    if (size > 1) breaches.push(`${address} has ${size} open chats`);
  const addresses = groupBy([...contacts], ([, ids]) => [...ids].join());
  for (const [, found] of addresses)
    if (found.length > 1)
      breaches.push(`${found.map(([one]) => one).join(' and ')} are one contact`);
  return breaches;
}

/** What was delivered has arrived at its person, under its id; nothing else has arrived. */
const deliveredIsReceived = inEachChannel((channel, name, { ledger }) => {
  const arrivals = groupBy(channel.arrivals, ({ text }) => text);
  const byText = new Map(channel.deliveries.map((one) => [one.text, one]));
  const addresses = addressesOfChats(channel, ledger.incoming);
  const breaches = [...arrivals.keys()]
    .filter((text) => !byText.has(text))
    .map((text) => `"${text}" arrived, and Inlet has no delivery of it`);
  for (const delivery of channel.deliveries) {
    const mine = arrivals.get(delivery.text) ?? [];
    if (delivery.state === 'delivered' && mine.length === 0)
      breaches.push(`${delivery.id} is delivered and did not arrive`);
    for (const arrival of mine) breaches.push(...arrivedRightly(arrival, delivery, addresses));
    const { externalId } = delivery;
    if (externalId !== null && !mine.some((arrival) => arrival.externalId === externalId))
      breaches.push(`${delivery.id} has the id ${externalId}, which the service did not give it`);
    if (hasIds(name) && delivery.state === 'delivered' && externalId === null)
      breaches.push(`${delivery.id} is delivered without the service's id`);
  }
  const due = ledger.outgoing.filter(({ channel: own, id }) => own === name && id !== null);
  const ids = new Set(channel.deliveries.map(({ id }) => id));
  breaches.push(
    ...due.filter(({ id }) => !ids.has(id ?? '')).map(({ text }) => `"${text}" has no delivery`),
  );
  return breaches;
});

const hasIds = (name: ChannelName): boolean => ['telegram', 'whatsapp'].includes(plans[name].kind);

function arrivedRightly(
  { recipient, messageId }: Arrival,
  { id, chatId }: ObservedDelivery,
  addresses: ReadonlyMap<string, string>,
): string[] {
  const address = addresses.get(chatId);
  return [
    ...(messageId !== null && messageId !== id ? [`${id} arrived under the id ${messageId}`] : []),
    ...(recipient === address ? [] : [`${id} arrived at ${recipient}, not at ${String(address)}`]),
  ];
}

/** The address of each chat's person, by what the person wrote into any chat of the contact. */
function addressesOfChats(
  channel: ChannelFacts,
  incoming: DestinationFacts['ledger']['incoming'],
): Map<string, string> {
  const addressOf = new Map(incoming.map(({ text, person }) => [text, person.address]));
  const ofContact = new Map<string, string>();
  for (const { chat, text } of textsOf(channel, 'client')) {
    const address = addressOf.get(text);
    if (address !== undefined) ofContact.set(chat.contact?.id ?? '', address);
  }
  return new Map(
    channel.chats.map(({ chat_id: id, contact }) => [id, ofContact.get(contact?.id ?? '') ?? '']),
  );
}

/** Whether a fault may have cost a worker the record of an attempt within the time. */
const isFaulty = ({ faults }: DestinationFacts, from: number, until: number): boolean =>
  faults.some((fault) => fault.mayCostLease && fault.from <= until && fault.until >= from);

/** Under `hold` a message arrives once. Under `resend` it arrives again only after an attempt whose answer was lost. */
const nothingIsSentTwice = inEachChannel((channel, name, facts) => {
  const breaches: string[] = [];
  for (const [text, arrivals] of groupBy(channel.arrivals, (arrival) => arrival.text)) {
    if (arrivals.length === 1) continue;
    if (plans[name].onUnknown === 'hold') {
      breaches.push(`"${text}" arrived ${arrivals.length} times`);
      continue;
    }
    for (const [index, arrival] of arrivals.entries()) {
      const next = arrivals[index + 1];
      if (!next || !arrival.isAnswered || isFaulty(facts, arrival.at, next.at)) continue;
      breaches.push(`"${text}" arrived again although its arrival was answered`);
    }
  }
  return breaches;
});

const ranks = ['sent', 'failed', 'delivered', 'read'];
const rankOf = ({ status }: PostedStatus): number => ranks.indexOf(status);

/** A delivery has the state that the last of its acknowledged statuses says, in whatever order they came. */
const statusesSettle = inEachChannel((channel, name, { ledger }) => {
  if (plans[name].kind !== 'whatsapp') return [];
  const statuses = groupBy(
    ledger.statuses.filter((one) => one.channel === name && one.isKnown && one.isAcknowledged),
    ({ externalId }) => externalId,
  );
  const arrivals = groupBy(channel.arrivals, ({ text }) => text);
  return channel.deliveries.flatMap((delivery) => {
    const ids = (arrivals.get(delivery.text) ?? []).map(({ externalId }) => externalId ?? '');
    const reports = ids.flatMap((id) => statuses.get(id) ?? []);
    return reports.length === 0 ? [] : settledRightly(delivery, reports);
  });
});

function settledRightly(
  { id, state, reported }: ObservedDelivery,
  reports: readonly PostedStatus[],
): string[] {
  const isOne = new Set(reports.map((report) => report.externalId)).size === 1;
  const last = reports.toSorted((a, b) => rankOf(b) - rankOf(a))[0]?.status;
  const must = last === 'failed' ? 'dead' : 'delivered';
  // Of a message that was sent twice, one may have failed although the other arrived.
  const isSettled = isOne ? state === must : state === 'delivered' || last === 'failed';
  return [
    ...(isSettled ? [] : [`${id} is ${state}, and its status was ${String(last)}`]),
    ...((!isOne && last === 'failed') || reported === last
      ? []
      : [`${id} is reported ${String(reported)}, and its status was ${String(last)}`]),
  ];
}

/** Each delivery ends, and is dead only for a cause. */
const nothingIsGivenUp = inEachChannel((channel, name, facts) => {
  const arrivals = groupBy(channel.arrivals, ({ text }) => text);
  const failed = new Set(
    facts.ledger.statuses
      .filter(({ channel: own, status }) => own === name && status === 'failed')
      .map(({ externalId }) => externalId),
  );
  return channel.deliveries.flatMap((delivery) => {
    const { id, state, reason } = delivery;
    if (state === 'delivered') return [];
    if (state !== 'dead') return [`${id} is ${state} (${String(reason)})`];
    const mine = arrivals.get(delivery.text) ?? [];
    const isExplained =
      isSpent(delivery) ||
      mine.some(
        ({ externalId }) => reason !== null && isFailure(reason) && failed.has(externalId ?? ''),
      ) ||
      (reason === 'delivery_unknown' && isUnknown(delivery, { mine, name, facts }));
    return isExplained ? [] : [`${id} is dead (${String(reason)}) without a cause`];
  });
});

const isSpent = ({ reason, attempts }: ObservedDelivery): boolean =>
  reason?.startsWith('attempts_spent') === true && attempts >= maxAttempts;
const isFailure = (reason: string): boolean => reason.startsWith('destination_rejected');

type Attempted = {
  readonly mine: readonly Arrival[];
  readonly name: ChannelName;
  readonly facts: DestinationFacts;
};

/** Under `hold`, where an answer was lost, or a fault may have ended the attempt. A status would have settled it. */
function isUnknown(
  { createdAt, finishedAt }: ObservedDelivery,
  { mine, name, facts }: Attempted,
): boolean {
  const { onUnknown, kind } = plans[name];
  if (onUnknown !== 'hold' || (kind === 'whatsapp' && mine.length > 0)) return false;
  const until = finishedAt ?? Date.now();
  const isLost = facts.ledger.faults.some(
    (fault) =>
      fault.channel === name &&
      losesAnswers(fault.kind) &&
      fault.from <= until &&
      fault.until >= createdAt,
  );
  // On a busy machine the time limit of an attempt, half of its lease, may pass without a fault.
  const isTimeout = until - createdAt >= facts.leaseMs / 2;
  return (
    isLost ||
    isTimeout ||
    mine.some(({ isAnswered }) => !isAnswered) ||
    isFaulty(facts, createdAt, until)
  );
}

/** Each event of the services ends as it must. A status is ignored, and unmatched only where the service did not send the message. */
const everyPostEnds = inEachChannel((channel, _name, { ledger }) => {
  const known = new Set(
    ledger.statuses.filter(({ isKnown }) => isKnown).map(({ externalId }) => externalId),
  );
  return channel.posts.flatMap(({ id, state, reason, statusOf }) => {
    const must =
      statusOf === null
        ? ['done', null]
        : ['ignored', known.has(statusOf) ? 'delivery_status' : 'delivery_status_unmatched'];
    return state === must[0] && reason === must[1]
      ? []
      : [`the event ${id} is ${state} (${String(reason)}) and must be ${must.join(' ')}`];
  });
});

const ratesHold = inEachChannel((channel, name, facts) =>
  findRateBreaches(channel.arrivals, {
    name,
    leaseMs: facts.leaseMs,
    isFaulty: (from, until) => isFaulty(facts, from, until),
  }),
);

export const destinationInvariants = {
  '11 one chat for each message of a channel': oneChatForEachMessage,
  '12 what is delivered has arrived': deliveredIsReceived,
  '13 nothing is sent twice without cause': nothingIsSentTwice,
  '14 a status settles its delivery': statusesSettle,
  '15 no delivery is stuck or dead without cause': nothingIsGivenUp,
  '16 each post of a service ends': everyPostEnds,
  '17 rates hold over all workers': ratesHold,
  '18 each notice is sent once': ({ notices }) => findNoticeBreaches(notices),
} as const satisfies Record<string, Invariant>;
