/**
 * Forgetting a person: what is sought, how far it has come, and the certificate that is left of it.
 *
 * While it is under way the record knows whom it is about; once it is done only ids and salted hashes are left.
 */
import type { Actor, AuditRow } from '../audit/audit.ts';
import type { Identity } from './contact.ts';
import type { EventState } from '../events/event.ts';

/** In this order. Waits are for workers that may still have one of the person's events in hand. */
export const erasurePhases = ['events', 'samples', 'wait', 'people', 'settle', 'done'] as const;
export type ErasurePhase = (typeof erasurePhases)[number];

/** Everything but what is done: that is found by the messages it made. */
export const scannedStates = [
  'received',
  'processing',
  'waiting',
  'held',
  'ignored',
  'dead',
  'discarded',
] as const satisfies readonly EventState[];

/** Looked through once more: a replay, a resend or a resumption may have led an event back here before it was come to. */
export const rescannedStates = [
  'received',
  'processing',
  'waiting',
  'held',
] as const satisfies readonly EventState[];

export const erasureCounts = [
  'events',
  'bodies',
  'resends',
  'samples',
  'messages',
  'chats',
  'contacts',
  'identities',
  'conflicts',
  'auditRows',
] as const;
export type ErasureCounts = Readonly<Record<(typeof erasureCounts)[number], number>>;

export const noErasureCounts = Object.fromEntries(
  erasureCounts.map((name) => [name, 0]),
) as ErasureCounts;

export type ErasureSubject = {
  readonly contactIds: readonly string[];
  readonly channelIds: readonly string[];
  readonly identities: readonly Identity[];
  /** Chats that are gone already: a worker that saw one before may still say something there. */
  readonly chatIds?: readonly string[];
};

/** Where the look through events or samples stands. */
export type ErasureCursor = {
  readonly state?: EventState;
  readonly isAgain?: boolean;
  readonly receivedAt?: Date;
  readonly id: string;
};

export type ErasureRecord = {
  readonly _id: string;
  /** Set until it is done. */
  readonly open?: true;
  /** Nobody else works on it before this. */
  readonly nextAt: Date;
  readonly token?: string;
  readonly phase: ErasurePhase;
  readonly cursor: ErasureCursor | null;
  /** Workers may have one of the person's events until then. */
  readonly waitUntil: Date | null;
  readonly sought: ErasureSubject | null;
  readonly salt: string;
  readonly identifiers: readonly { readonly kind: string; readonly hash: string }[];
  readonly contactIds: readonly string[];
  readonly block: boolean;
  readonly reason: string | null;
  readonly counts: ErasureCounts;
  readonly createdAt: Date;
  readonly createdBy: Pick<Actor, 'tokenId' | 'name'>;
  readonly finishedAt: Date | null;
  /** The link of the audit log's chain that vouches for the counts. */
  readonly audit: Pick<AuditRow, '_id' | 'seq' | 'hash'> | null;
};
