/**
 * Erasure of a person: what is searched for, the progress, and the certificate.
 *
 * The record names the person while the erasure runs. Afterwards it has only ids and salted hashes.
 */
import type { Actor, AuditRow } from '../audit/audit.ts';
import type { IdentityKind, OwnedIdentity } from './contact.ts';
import type { EventState } from '../events/event.ts';

/** Phases in order. `rescan` finds what came while the others went on. */
type ErasurePhase = 'events' | 'samples' | 'people' | 'rescan' | 'done';

/** States that are scanned. Events in state `done` are found by their messages. */
export const scannedStates = [
  'received',
  'waiting',
  'held',
  'ignored',
  'dead',
  'discarded',
] as const satisfies readonly EventState[];

/**
 * States that are scanned a second time: a replay, resend or resume may have moved an event to one of them
 * during the first scan.
 */
export const rescannedStates = [
  'received',
  'waiting',
  'held',
] as const satisfies readonly EventState[];

export const erasureCounts = [
  'events',
  'bodies',
  'resends',
  'samples',
  'rejections',
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

/**
 * Identities that the record and the certificate name: phones, addresses and documents first. Further ones are searched for in
 * groups, and their rows are deleted in steps.
 */
export const maxSought = 1_000;

/** Identities of one kind, with ids after `after` up to `upTo`. */
export type IdentityGroup = {
  readonly kind: IdentityKind;
  readonly after: string;
  readonly upTo: string;
};

/** The channel is absent in a group that is only searched for. */
export type SoughtIdentity = OwnedIdentity & { readonly channelId?: string };

export type ErasureSubject = {
  readonly contactIds: readonly string[];
  readonly channelIds: readonly string[];
  readonly identities: readonly SoughtIdentity[];
};

/** Position of the scan of events, or of samples and rejections. */
type ErasureCursor = {
  readonly state?: EventState;
  readonly isAgain?: boolean;
  readonly id: string;
};

export type ErasureRecord = {
  readonly _id: string;
  /** Set until the erasure is done. */
  readonly open?: true;
  /** End of the lease. */
  readonly nextAt: Date;
  readonly token?: string;
  readonly phase: ErasurePhase;
  readonly cursor: ErasureCursor | null;
  /** The identities that are searched for in `events` and `samples`. Null: those of `sought`. */
  readonly group: IdentityGroup | null;
  readonly sought: ErasureSubject | null;
  readonly salt: string;
  readonly identifiers: readonly { readonly kind: string; readonly hash: string }[];
  /** Also of those that are not listed. */
  readonly identifiersTotal: number;
  readonly contactIds: readonly string[];
  readonly block: boolean;
  readonly reason: string | null;
  readonly counts: ErasureCounts;
  readonly createdAt: Date;
  readonly createdBy: Pick<Actor, 'tokenId' | 'name'>;
  readonly finishedAt: Date | null;
  /** The audit row that records the counts. */
  readonly audit: Pick<AuditRow, '_id'> | null;
};
