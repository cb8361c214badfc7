/** The stored forms of identities, conflicts and merges, and the collections of people and their conversations. */
import type { Actor } from '../../domain/audit/audit.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type {
  ContactRecord,
  Identity,
  IdentityKind,
  OwnedIdentity,
} from '../../domain/people/contact.ts';
import { collectionOf } from '../db/collection.ts';
import type { Connection, Session } from '../db/connection.ts';

export type IdentityRow = OwnedIdentity & { readonly contactId: string };

export const identityRowOf = (
  { channelId: _channelId, ...identity }: Identity,
  contactId: string,
): IdentityRow => ({ ...identity, contactId });

/** Fields of a blocked row. It has no contact and no value. Its id identifies it. */
export type BlockedFields = {
  readonly blocked?: true;
  readonly blockedAt?: Date;
  readonly erasureId?: string;
};
export type StoredIdentity = IdentityRow & BlockedFields;
/** What is read of the identities of an event. */
export type IdentityOwner = Pick<StoredIdentity, '_id' | 'contactId' | 'blocked'>;

export type Conflict = {
  readonly _id: string;
  readonly channelId: string;
  /** The contact that the event is assigned to comes first. */
  readonly contactIds: readonly string[];
  /** The owner of each kind of identity in the event. */
  readonly named: readonly { readonly kind: IdentityKind; readonly contactId: string }[];
  readonly eventId: string;
};

export type ConflictRecord = Conflict & {
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
  /** Set with `resolvedAt`; `mergeId` names the merge of `merged`. */
  readonly resolution?: 'merged' | 'dismissed' | 'erased';
  readonly mergeId?: string;
};

/** `fate`: closed because the survivor has an open chat, or moved to the survivor. */
export type MergedChat = { readonly before: ChatRecord; readonly fate: 'closed' | 'moved' };

export type MergeRecord = {
  readonly _id: string;
  readonly survivorId: string;
  readonly mergedId: string;
  readonly channelId: string;
  readonly chat: MergedChat | null;
  readonly createdAt: Date;
  readonly createdBy: Pick<Actor, 'tokenId' | 'name'>;
  readonly undoneAt: Date | null;
  readonly undoneBy?: MergeRecord['createdBy'];
};

/** Matches contacts that are not tombstones. */
export const activeContact = {
  mergedInto: { $exists: false },
  erased: { $exists: false },
} as const;

export type PeopleCollections = ReturnType<typeof peopleCollections>;

/** The collections within a transaction. */
export type MergeWork = PeopleCollections & { readonly session: Session };

export const peopleCollections = (connection: Connection) => ({
  contacts: collectionOf<ContactRecord>(connection, 'contacts'),
  identities: collectionOf<StoredIdentity>(connection, 'identities'),
  conflicts: collectionOf<ConflictRecord>(connection, 'conflicts'),
  merges: collectionOf<MergeRecord>(connection, 'merges'),
  chats: collectionOf<ChatRecord>(connection, 'chats'),
  messages: collectionOf<MessageRecord>(connection, 'messages'),
  events: collectionOf<EventRecord>(connection, 'events'),
});
