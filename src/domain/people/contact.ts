/**
 * A contact and the identities by which events find it.
 *
 * Every field of a contact is a register of its own: the last writer by stamp wins, so the order in which events
 * are processed does not matter. An identity row claims its contact's id before the contact exists, so that two
 * events for the same new person make one contact.
 */
import { derivedId, sha256 } from '../../base/ids.ts';
import { canonicalPhone } from './phone.ts';

export type Register = { readonly value: string; readonly stamp: string };
export type Registers = Readonly<Record<string, Register>>;

export type ContactRecord = {
  readonly _id: string;
  readonly channelId: string;
  /** As they are shown: the greatest of what events wrote, what people pinned and what members have. */
  readonly registers: Registers;
  /** The test event that it is of; absent for everybody real. */
  readonly test?: string;
  /** What events wrote where `registers` show something else; null: nothing so far. */
  readonly beneath?: Readonly<Record<string, Register | null>>;
  /** What people pinned against events. */
  readonly pins?: Registers;
  /** Contacts that people merged into this one, which keep their own registers; the last merge is the last. */
  readonly members?: readonly string[];
  /** Set on a tombstone: who this contact turned out to be. */
  readonly mergedInto?: string;
  /** Set on a tombstone that a person made, and can take back. */
  readonly mergeId?: string;
  /** Set on the tombstone of a person who was forgotten. */
  readonly erased?: true;
  /** Set on every tombstone, so that they can be counted. */
  readonly gone?: true;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Strongest first: what an event is identified by when its identities disagree. */
export const identityKinds = ['externalId', 'phone', 'email', 'document'] as const;
export type IdentityKind = (typeof identityKinds)[number];

export type Identity = {
  /** Names (channel, kind, value); the key of the identity's one row. */
  readonly _id: string;
  readonly channelId: string;
  readonly kind: IdentityKind;
  readonly value: string;
  /** The test event that it is of. */
  readonly test?: string;
};

type Identifying = {
  readonly externalId: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly document: string | null;
};

export type IdentityScope = {
  readonly channelId: string;
  readonly webhookId: string;
  readonly test?: string | undefined;
};

/** The identities of a mapped contact, strongest first. An external id means something only within its webhook. */
export function identitiesOf(contact: Identifying, scope: IdentityScope): Identity[] {
  const { test } = scope;
  // Whoever a test names is never met by anybody real, nor by another test.
  const channelId = test === undefined ? scope.channelId : `test:${test}`;
  const values: Record<IdentityKind, string | null> = {
    externalId: contact.externalId && `${scope.webhookId}:${contact.externalId}`,
    phone: contact.phone && canonicalPhone(contact.phone),
    email: contact.email,
    document: contact.document,
  };
  return identityKinds.flatMap((kind) => {
    const value = values[kind];
    if (!value) return [];
    const _id = derivedId('identity', channelId, kind, value);
    return [{ _id, channelId, kind, value, ...(test !== undefined && { test }) }];
  });
}

type Stamped = {
  readonly webhookId: string;
  readonly eventDate: Date | null;
  readonly receivedAt: Date;
  readonly externalId: string | null;
  readonly bodySha256: string;
  readonly generation: number;
};

/**
 * The part of a stamp that says who wrote. Hashed, because the database and JavaScript order text beyond ASCII
 * differently; with the webhook, because two of them may give one channel the same event id.
 */
export const writerKeyOf = ({
  webhookId,
  externalId,
  bodySha256,
}: Pick<Stamped, 'webhookId' | 'externalId' | 'bodySha256'>): string =>
  externalId === null
    ? `b${sha256(`${webhookId}:${bodySha256}`)}`
    : `e${sha256(`${webhookId}:${externalId}`)}`;

/** Tells apart what has one event id by two recipes. */
const lastOf = ({ bodySha256 }: Stamped): string => bodySha256.slice(0, 16);

/** Orders openers of a chat as text: the smallest gives the chat its origin and sector. */
export const openingStampOf = (event: Stamped): string =>
  [(event.eventDate ?? event.receivedAt).toISOString(), writerKeyOf(event), lastOf(event)].join(
    '|',
  );

/**
 * Orders writers as text: dated beats undated, then the date (receipt for undated), then the event id or else the
 * body's hash, then the generation. The same event in the same generation always has the same stamp; two events have
 * the same one only where they say the same.
 */
export function stampOf(event: Stamped): string {
  const dated = event.eventDate !== null;
  const date = (event.eventDate ?? event.receivedAt).toISOString();
  const generation = String(event.generation).padStart(6, '0');
  return [dated ? '1' : '0', date, writerKeyOf(event), generation, lastOf(event)].join('|');
}

/** A register's name as a safe document key: `fields` may have dots and dollars in their names. */
export const fieldRegisterKey = (name: string): string =>
  `f:${encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E')}`;

export function fieldsOf(registers: Registers): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [key, { value }] of Object.entries(registers)) {
    if (key.startsWith('f:')) fields[decodeURIComponent(key.slice(2))] = value;
  }
  return fields;
}
