// Composes the bodies that senders post: several events of each person, with contradicting fields.
import type { WebhookRequest, ComposedEvent } from './ledger.ts';
import { phoneOf, spellingCount, type Person } from './people.ts';
import type { Random } from './random.ts';
import type { WebhookName } from './webhooks.ts';

export type EventComposer = {
  /** The next body for this webhook. */
  compose(webhook: WebhookName): WebhookRequest;
  /** An event with all identities of a person, so that later events can identify the person by one of them. */
  firstEvent(webhook: WebhookName, person: Person): WebhookRequest;
  /** A different body with the event id of an earlier one. */
  contradict(webhookRequest: WebhookRequest): WebhookRequest;
};

const cities = ['Recife', 'Olinda', 'São Paulo', ''] as const;
const plansOfLeads = ['$gold', 'silver', 'basic.plus'] as const;
const firstDay = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

type Draft = { readonly composed: ComposedEvent; readonly item: Record<string, unknown> };
type Wish = {
  readonly webhook: WebhookName;
  readonly person: Person;
  readonly eventId: string | null;
  readonly isWhole: boolean;
};

/** The identities that an event may contain without identifying two people. */
function namesFor({ webhook, person, isWhole }: Wish, random: Random) {
  if (isWhole) return { phone: true, email: true, externalId: true };
  const may = { phone: random.chance(0.6), email: random.chance(0.5) };
  const knowsId = webhook === 'crm' || webhook === 'shop';
  const externalId = random.chance(0.4);
  if (!person.isKnown) return { ...may, externalId, phone: true };
  if (knowsId && externalId) return { ...may, externalId };
  if (may.phone || may.email) return { ...may, externalId: externalId && may.phone };
  return { phone: true, email: false, externalId: false };
}

/** `mark` distinguishes the events of two senders. */
export function createEventComposer(
  people: readonly Person[],
  random: Random,
  mark: string,
): EventComposer {
  let count = 0;
  const next = () => `${mark}-${(count += 1)}`;

  function draft(wish: Wish): Draft {
    const { webhook, person, eventId } = wish;
    const nonce = next();
    const names = namesFor(wish, random);
    const phone = phoneOf(person, random.whole(0, spellingCount - 1));
    // No phone, although the first version of the mapping requires one.
    const isAstray = webhook === 'strict' && !wish.isWhole && random.chance(0.3);
    const isNoise = webhook === 'crm' && !wish.isWhole && random.chance(0.08);
    const hasPhone = names.phone || webhook === 'strict';
    const date = webhook === 'shop' ? null : firstDay + random.whole(0, 9) * dayMs;
    const given = {
      name: random.chance(0.7) ? `Name ${random.whole(1, 5)}` : undefined,
      city: random.chance(0.6) ? random.pick(cities) : undefined,
      plan: random.chance(0.5) ? random.pick(plansOfLeads) : undefined,
    };
    const fields = {
      ...given,
      phone: hasPhone ? phone.national : undefined,
      email: names.email ? person.email : undefined,
      external_id: names.externalId ? person.externalId : undefined,
    };
    const item = {
      ...(eventId !== null && webhook !== 'shop' && { id: eventId }),
      type: isNoise ? 'noise' : 'lead',
      ...(date !== null && { at: new Date(date).toISOString() }),
      text: nonce,
      origin: random.pick(['google', 'meta', null]),
      label: random.pick(['Lead', 'VIP', null]),
      lead: {
        ...given,
        id: fields.external_id,
        email: fields.email,
        ...(hasPhone && { [isAstray ? 'tel' : 'phone']: phone.text }),
      },
    };
    const composed: ComposedEvent = {
      nonce,
      person: person.number,
      eventId,
      date,
      fields: Object.fromEntries(
        Object.entries(fields).filter(
          (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
        ),
      ),
      improved: webhook === 'crm' ? { city: ['City', given.city].filter(Boolean).join(' ') } : {},
      fate: isNoise ? { 1: 'ignored', 2: 'ignored' } : isAstray ? { 1: 'dead' } : {},
    };
    return { composed, item };
  }

  /** Without an identity: its event ends dead under every mapping. */
  function anonymous(): Draft {
    const nonce = next();
    const composed: ComposedEvent = {
      nonce,
      person: null,
      eventId: null,
      date: null,
      fields: {},
      improved: {},
      fate: { 1: 'dead' },
    };
    return { composed, item: { type: 'lead', text: nonce, lead: { name: 'Nobody' } } };
  }

  const freshId = (webhook: WebhookName) => (webhook === 'form' ? null : `${webhook}-${next()}`);

  const requestOf = (webhook: WebhookName, drafts: readonly Draft[]): WebhookRequest => ({
    webhook,
    composed: drafts.map(({ composed }) => composed),
    isBatch: webhook === 'batch',
    body: webhook === 'batch' ? { leads: drafts.map(({ item }) => item) } : drafts[0]?.item,
    headers:
      webhook === 'shop' && drafts[0]?.composed.eventId
        ? { 'x-event-id': drafts[0].composed.eventId }
        : {},
  });

  const wishFor = (webhook: WebhookName, eventId = freshId(webhook)): Wish => ({
    webhook,
    person: random.pick(people),
    eventId,
    isWhole: false,
  });

  return {
    compose(webhook) {
      if (webhook === 'form' && random.chance(0.05)) return requestOf(webhook, [anonymous()]);
      const size = webhook === 'batch' ? random.whole(1, 6) : 1;
      return requestOf(
        webhook,
        Array.from({ length: size }, () => draft(wishFor(webhook))),
      );
    },
    firstEvent: (webhook, person) =>
      requestOf(webhook, [draft({ webhook, person, eventId: freshId(webhook), isWhole: true })]),
    contradict({ webhook, composed }) {
      const name = webhook as WebhookName;
      return requestOf(
        name,
        composed.map(({ eventId }) => draft(wishFor(name, eventId))),
      );
    },
  };
}
