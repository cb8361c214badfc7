/**
 * The chain of audit rows: each carries a hash over itself and over the hash of the row before, so that a row that is
 * altered, removed, inserted or moved shows.
 *
 * Promises: the details (before, after, address) are in the chain by a salted hash only; once they and their salt are
 * erased the chain still holds, and the hash that stays cannot be guessed back.
 * Must never: be taken for more than it is. Who can rewrite all rows can rewrite the chain; a head kept elsewhere shows that.
 */
import { createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sha256 } from '../../base/ids.ts';
import type { AuditAction, AuditDetails, AuditFacts, AuditRow, ChainLink } from './audit.ts';

/** Before the first row. */
export const chainStart: ChainLink = { seq: 0, hash: sha256('') };

/** JSON in the one form that RFC 8785 gives it. */
const canonical = (value: unknown): string => canonicalize(value) ?? '';

/** As it will be read back: JSON, in well-formed text, and without what a database key may not hold. */
export const normalizeFacts = (facts: AuditFacts): AuditFacts =>
  facts && (plain(JSON.parse(JSON.stringify(facts))) as AuditFacts);

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.toWellFormed().replaceAll('\0', ''),
      plain(inner),
    ]),
  );
}

export const detailsHashOf = ({ before, after, address }: AuditDetails, salt: string): string =>
  createHmac('sha256', Buffer.from(salt, 'hex'))
    .update(canonical({ before, after, address }))
    .digest('hex');

type Chained = Pick<AuditRow, '_id' | 'seq' | 'at' | 'actor' | 'action' | 'target' | 'detailsHash'>;

export function rowHashOf(row: Chained, previousHash: string): string {
  const { _id: id, seq, at, actor, action, target, detailsHash } = row;
  return sha256(
    canonical({
      previous: previousHash,
      seq,
      id,
      at: at.toISOString(),
      actor: { tokenId: actor.tokenId, name: actor.name },
      action,
      target: { type: target.type, id: target.id },
      details: detailsHash,
    }),
  );
}

export const chainBreakReasons = [
  'row_missing',
  'row_repeated',
  'row_altered',
  'details_altered',
  'redaction_unknown',
  'anchor_altered',
  'end_missing',
  'head_altered',
  'row_unchained',
  'head_differs',
] as const;
export type ChainBreakReason = (typeof chainBreakReasons)[number];

/** `seq` is where the row is, or should be. */
export type ChainBreak = { readonly seq: number; readonly reason: ChainBreakReason };

/** Null where the row is what must follow the link. Whether a redaction is told of is for the caller to see. */
export function findChainBreak(row: AuditRow, previous: ChainLink): ChainBreak | null {
  const seq = previous.seq + 1;
  if (row.seq > seq) return { seq, reason: 'row_missing' };
  if (row.seq < seq) return { seq: row.seq, reason: 'row_repeated' };
  if (!hasItsDetails(row)) return { seq, reason: 'details_altered' };
  return rowHashOf(row, previous.hash) === row.hash ? null : { seq, reason: 'row_altered' };
}

function hasItsDetails(row: AuditRow): boolean {
  const { before, after, address, salt, redactedAt, redactedBy, detailsHash } = row;
  if (redactedAt || redactedBy !== null) {
    return [before, after, address, salt].every((part) => part === null);
  }
  return salt !== null && detailsHashOf(row, salt) === detailsHash;
}

/** Rows that vouch for others are never redacted. */
export const redactAction = 'audit.redact' satisfies AuditAction;
export const forgetAction = 'audit.forget' satisfies AuditAction;

/** Whether `witness` is the row that tells of this row's redaction. */
export function isRedactionRecorded(
  witness: AuditRow | undefined,
  { seq, redactedAt }: AuditRow,
): boolean {
  const seqs = witness?.action === redactAction ? witness.after?.['seqs'] : undefined;
  return Array.isArray(seqs) && seqs.includes(seq) && +(witness?.at ?? 0) === Number(redactedAt);
}

/** Up to where the chain was forgotten, and the row that tells of it. */
export type ChainAnchor = ChainLink & { readonly by: number };

export const isAnchorRecorded = (witness: AuditRow | null, { seq, hash }: ChainAnchor): boolean =>
  witness?.action === forgetAction &&
  witness.after?.['upTo'] === seq &&
  witness.after['hash'] === hash;
