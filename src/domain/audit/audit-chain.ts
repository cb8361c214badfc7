/**
 * Hash chain of the audit log. Each row has a hash over itself and over the hash of the previous row, so that a
 * changed, removed, inserted or moved row is detected.
 *
 * Promises: the chain contains the details (before, after, address) only as a salted hash. After details and
 * salt are redacted, the chain is still valid and the details cannot be guessed from the hash.
 * Limit: who can rewrite all rows can rewrite the chain. A head that is kept elsewhere detects that.
 */
import { createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sha256 } from '../../base/ids.ts';
import type { AuditAction, AuditDetails, AuditFacts, AuditRow, ChainLink } from './audit.ts';

/** The position before the first row. */
export const chainStart: ChainLink = { seq: 0, hash: sha256('') };

/** Canonical JSON (RFC 8785). */
const canonical = (value: unknown): string => canonicalize(value) ?? '';

/** Returns the facts as the database returns them: JSON values, well-formed text, and keys without NUL. */
export const normalizeFacts = (facts: AuditFacts): AuditFacts =>
  facts && (normalize(JSON.parse(JSON.stringify(facts))) as AuditFacts);

function normalize(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.toWellFormed().replaceAll('\0', ''),
      normalize(inner),
    ]),
  );
}

export const detailsHashOf = ({ before, after, address }: AuditDetails, salt: string): string =>
  createHmac('sha256', Buffer.from(salt, 'hex'))
    .update(canonical({ before, after, address }))
    .digest('hex');

type ChainedFields = Pick<
  AuditRow,
  '_id' | 'seq' | 'at' | 'actor' | 'action' | 'target' | 'detailsHash'
>;

export function rowHashOf(row: ChainedFields, previousHash: string): string {
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
type ChainBreakReason = (typeof chainBreakReasons)[number];

/** `seq` is the actual or expected position of the row. */
export type ChainBreak = { readonly seq: number; readonly reason: ChainBreakReason };

/** Returns null if the row correctly follows `previous`. The caller checks that a redaction is recorded. */
export function findChainBreak(row: AuditRow, previous: ChainLink): ChainBreak | null {
  const seq = previous.seq + 1;
  if (row.seq > seq) return { seq, reason: 'row_missing' };
  if (row.seq < seq) return { seq: row.seq, reason: 'row_repeated' };
  if (!areDetailsValid(row)) return { seq, reason: 'details_altered' };
  return rowHashOf(row, previous.hash) === row.hash ? null : { seq, reason: 'row_altered' };
}

function areDetailsValid(row: AuditRow): boolean {
  const { before, after, address, salt, redactedAt, redactedBy, detailsHash } = row;
  if (redactedAt || redactedBy !== null) {
    return [before, after, address, salt].every((part) => part === null);
  }
  return salt !== null && detailsHashOf(row, salt) === detailsHash;
}

/** Rows with these actions prove redactions and deletions. They are never redacted. */
export const redactAction = 'audit.redact' satisfies AuditAction;
export const forgetAction = 'audit.forget' satisfies AuditAction;

/** Whether `record` is the row that records the redaction of the other one. */
export function isRedactionRecorded(
  record: AuditRow | undefined,
  { seq, redactedAt }: AuditRow,
): boolean {
  const seqs = record?.action === redactAction ? record.after?.['seqs'] : undefined;
  return Array.isArray(seqs) && seqs.includes(seq) && +(record?.at ?? 0) === Number(redactedAt);
}

/** The last deleted row, and `by`: the `seq` of the row that records the deletion. */
export type ChainAnchor = ChainLink & { readonly by: number };

export const isAnchorRecorded = (record: AuditRow | null, { seq, hash }: ChainAnchor): boolean =>
  record?.action === forgetAction &&
  record.after?.['upTo'] === seq &&
  record.after['hash'] === hash;
