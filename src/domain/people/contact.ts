/**
 * A contact and the identities that events find it by.
 *
 * Every field of a contact is a last-writer-wins register: the value with the greatest stamp wins, so the order
 * of processing does not matter. An identity row reserves the contact's id before the contact exists, so that
 * two concurrent events of a new person create one contact.
 */
import { derivedId } from '../../base/ids.ts';
import { externalIdKeys } from './external-id.ts';
import { phoneKeys } from './phone.ts';

export type Register = { readonly value: string; readonly stamp: string };
export type Registers = Readonly<Record<string, Register>>;

export type ContactRecord = {
  readonly _id: string;
  readonly channelId: string;
  /** Effective values: per field the greatest stamp of values from events, pins and merged contacts. */
  readonly registers: Registers;
  /** Id of the test event that created it; absent for real contacts. */
  readonly test?: string;
  /** Values from events that `registers` override; null: no event has written the field. */
  readonly beneath?: Readonly<Record<string, Register | null>>;
  /** Values that a person pinned. They override events. */
  readonly pins?: Registers;
  /** Ids of contacts that were merged into this one, in order of the merges. Each keeps its own registers. */
  readonly members?: readonly string[];
  /** Id of the person's contact in another channel, whose values a person's action copied here. */
  readonly copiedFrom?: string;
  /** Set on a tombstone: id of the surviving contact. */
  readonly mergedInto?: string;
  /** Set on a tombstone of a manual merge, which can be undone. */
  readonly mergeId?: string;
  /** Set on the tombstone of an erased person. */
  readonly erased?: true;
  /** Raised by each event that relies on the contact, so that it conflicts with other changes of it. Absent: 0. */
  readonly rev?: number;
  /** Set on every tombstone, for counting. */
  readonly gone?: true;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * Identities of a contact. A person has a few; a sender that gives a person another id in each event would make a contact that
 * nobody can read, move or erase.
 */
export const maxIdentities = 300;

/** Contacts that are merged into one, directly and indirectly. Reading, editing and erasing the survivor read all of them. */
export const maxMembers = 200;

/** Values of a contact that a person edits: each request names up to 100 fields, and a document has at most 16 MiB. */
export const maxContactFields = 500;

/** Strongest first. If the identities of an event disagree, the strongest decides. */
export const identityKinds = ['externalId', 'phone', 'email', 'document'] as const;
export type IdentityKind = (typeof identityKinds)[number];

export type Identity = {
  /** Derived from channel, kind and value; unique. */
  readonly _id: string;
  readonly channelId: string;
  readonly kind: IdentityKind;
  readonly value: string;
  /** Id of the test event that created it. */
  readonly test?: string;
};

/** What is stored of an identity with its contact, which has the channel. */
export type OwnedIdentity = Omit<Identity, 'channelId'>;

/** Identities of a test are in a channel of their own, so that they never match real ones or those of another test. */
export const identityChannelOf = (channelId: string, test: string | undefined): string =>
  test === undefined ? channelId : `test:${test}`;

type IdentityScope = {
  readonly channelId: string;
  readonly webhookId: string;
  /** The producer of the channel's own service, which has one id for a person in all webhooks of the channel. */
  readonly service?: string | undefined;
  readonly test?: string | undefined;
};

type Known = Readonly<Record<IdentityKind, string | null>> & {
  readonly former?: readonly { readonly kind: IdentityKind; readonly value: string }[];
};

/** The id of the row of an identity: a look-up by value needs no index. */
export const identityIdOf = ({ channelId, kind, value }: Omit<Identity, '_id' | 'test'>): string =>
  derivedId('identity', channelId, kind, value);

/**
 * Returns the identities of a mapped contact, strongest first, and after them those that it had before; an external id and a phone
 * may have two. An external id is scoped to its webhook, or to the service of the channel.
 */
export function identitiesOf({ former = [], ...now }: Known, scope: IdentityScope): Identity[] {
  const before = former.map(({ kind, value }) => ({ ...unknown, [kind]: value }));
  const all = [now, ...before].flatMap((contact) => ofContact(contact, scope));
  const seen = new Set<string>();
  return all.filter(({ _id }) => !seen.has(_id) && seen.add(_id));
}

const unknown = { externalId: null, phone: null, email: null, document: null };

function ofContact(
  contact: Readonly<Record<IdentityKind, string | null>>,
  scope: IdentityScope,
): Identity[] {
  const { test } = scope;
  const channelId = identityChannelOf(scope.channelId, test);
  const { externalId, phone, email, document } = contact;
  const values: Record<IdentityKind, readonly (string | null)[]> = {
    externalId: externalIdKeys(externalId ?? '').map(
      (key) => `${scope.service ?? scope.webhookId}:${key}`,
    ),
    phone: phone ? phoneKeys(phone) : [],
    email: [email],
    document: [document],
  };
  return identityKinds.flatMap((kind) =>
    values[kind].flatMap((value) => {
      if (!value) return [];
      const _id = identityIdOf({ channelId, kind, value });
      return [{ _id, channelId, kind, value, ...(test !== undefined && { test }) }];
    }),
  );
}

/** The register of the time when the person last wrote by the service of the channel. It is no field. */
export const repliedAtRegister = 'repliedAt';
/** The register of what the next answer needs in order to join the person's last message. It is no field. */
export const threadRegister = 'thread';

/** Returns the register key of a custom field, escaped: field names may contain dots and dollar signs. */
export const fieldRegisterKey = (name: string): string =>
  `f:${encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E')}`;

export function fieldsOf(registers: Registers): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [key, { value }] of Object.entries(registers)) {
    if (key.startsWith('f:')) fields[decodeURIComponent(key.slice(2))] = value;
  }
  return fields;
}
