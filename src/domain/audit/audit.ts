/** Who changed what, from where, and from what to what. Secrets and payloads are never part of a row. */
import { derivedId } from '../../base/ids.ts';

export type Actor = {
  readonly tokenId: string;
  readonly name: string;
  /** The client's address; what Inlet does by itself comes from none. */
  readonly address?: string | null;
  /**
   * Throws `precondition_failed` where the record that is to be changed is not the one that the actor has seen. Whoever
   * changes asks it inside the transaction that changes, of the record as it was before, and of that one alone.
   */
  readonly checkPrecondition?: (record: unknown) => void;
};

/** Inlet itself, under the name of the work that it does. */
export const systemActor = (name: string): Actor => ({ tokenId: derivedId('system', name), name });

export const auditTargetTypes = [
  'audit',
  'block',
  'channel',
  'conflict',
  'contact',
  'delivery',
  'erasure',
  'event',
  'key',
  'mapping',
  'run',
  'sample',
  'secrets',
  'token',
  'webhook',
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

/** All that a row may tell of, by noun and verb; rows from before may tell of what is done no more. */
export const auditActions = [
  'audit.forget',
  'audit.redact',
  'block.remove',
  'channel.change',
  'channel.create',
  'channel.delete',
  'conflict.dismiss',
  'contact.change',
  'contact.erase',
  'contact.merge',
  'contact.unmerge',
  'delivery.retry',
  'discard.cancel',
  'discard.create',
  'erasure.finish',
  'event.discard',
  'event.export',
  'event.remap',
  'event.replay',
  'event.reveal',
  'event.test',
  'event.test_delete',
  'key.revoke',
  'key.rotate',
  'mapping.create',
  'replay.cancel',
  'replay.create',
  'sample.change',
  'sample.create',
  'sample.delete',
  'secrets.rotate',
  'token.change',
  'token.create',
  'token.revoke',
  'webhook.activate',
  'webhook.archive',
  'webhook.configure',
  'webhook.create',
  'webhook.pause',
  'webhook.restore',
  'webhook.resume',
  'webhook.rollback',
  'webhook.schedule',
  'webhook.schedule_failed',
  'webhook.unschedule',
  'webhook.update',
] as const;
export type AuditAction = (typeof auditActions)[number];

export type AuditTarget = { readonly type: AuditTargetType; readonly id: string };

export type AuditFacts = Readonly<Record<string, unknown>> | null;

/** What a row says that may have to be forgotten before the row is. */
export type AuditDetails = {
  readonly before: AuditFacts;
  readonly after: AuditFacts;
  readonly address: string | null;
};

/** A row before it has an id, a time and its place in the chain. */
export type AuditEntry = {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly before: AuditFacts;
  readonly after: AuditFacts;
};

export type AuditRow = AuditDetails & {
  readonly _id: string;
  /** Counts from 1 without a gap. */
  readonly seq: number;
  readonly at: Date;
  readonly actor: { readonly tokenId: string; readonly name: string };
  readonly action: string;
  readonly target: AuditTarget;
  /** Makes the details' hash say nothing about them; goes with them when they are redacted. */
  readonly salt: string | null;
  readonly detailsHash: string;
  /** Over all of the above but details and salt, and over the hash of the row before. */
  readonly hash: string;
  readonly redactedAt: Date | null;
  /** The row that tells of the redaction. */
  readonly redactedBy: number | null;
};

/** Where a chain has come to: a row's number and hash. */
export type ChainLink = Pick<AuditRow, 'seq' | 'hash'>;
