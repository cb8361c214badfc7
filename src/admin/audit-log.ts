/**
 * Reading and verifying the audit log.
 *
 * Promises: verification reads the whole chain in small batches, concurrently with changes, redactions and
 * retention, and returns the first break.
 * Must never: repair anything.
 */
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { createEventLoopYield } from '../base/concurrency/yield-to-event-loop.ts';
import type { AuditRow, ChainLink } from '../domain/audit/audit.ts';
import {
  chainStart,
  findChainBreak,
  isRedactionRecorded,
  isAnchorRecorded,
  type ChainAnchor,
  type ChainBreak,
} from '../domain/audit/audit-chain.ts';
import type { AdminDeps } from './dependencies.ts';

type Walk = {
  /** Valid rows before the break. */
  readonly checked: number;
  readonly redacted: number;
  readonly broken: ChainBreak | null;
  readonly head: ChainLink | null;
};

type ChainVerification = Walk & {
  readonly ok: boolean;
  readonly anchor: ChainLink | null;
  /** Whether the chain contains the given head; null if retention deleted that row, or no head was given. */
  readonly matches: boolean | null;
};

// Each retry follows a deletion by retention.
const maxTries = 5;
/** Retention deletes a few batches at a time. */
const retryAfterMs = 10_000;

type AuditDeps = Pick<AdminDeps, 'audit'>;

export function createAuditLog({ audit }: AuditDeps) {
  /**
   * Walks the chain. A break in rows that retention may have deleted during the walk is not reported. Throws `unavailable` when
   * each walk has one.
   */
  async function walkUntilStable(
    signal?: AbortSignal,
  ): Promise<{ walk: Walk; anchor: ChainAnchor | null }> {
    for (let tries = 1; ; tries += 1) {
      const anchor = await audit.anchor();
      const walk = await walkChain(audit, anchor, signal);
      if (!walk.broken) return { walk, anchor };
      const deletedTo = (await audit.anchor())?.seq;
      const isReal = deletedTo === anchor?.seq || walk.broken.seq > (deletedTo ?? 0);
      if (isReal) return { walk, anchor };
      if (tries === maxTries) throw new AppError('unavailable', { retryAfterMs });
    }
  }

  async function containsHead(outside: ChainLink, anchor: ChainAnchor | null) {
    if (outside.seq < (anchor?.seq ?? 0)) return null;
    if (outside.seq === anchor?.seq) return outside.hash === anchor.hash;
    const [row] = await audit.getBySeq([outside.seq]);
    return row?.hash === outside.hash;
  }

  return {
    list: audit.list,
    stream: audit.stream,
    get: audit.get,

    /**
     * Verifies the chain. `outside` is a head that was stored elsewhere; the chain must contain it. Throws `request_timeout` when the
     * client has left.
     */
    async verify(outside?: ChainLink, signal?: AbortSignal): Promise<ChainVerification> {
      const { walk, anchor } = await walkUntilStable(signal);
      const matches = outside ? await containsHead(outside, anchor) : null;
      const differs: ChainBreak | null =
        outside && matches === false ? { seq: outside.seq, reason: 'head_differs' } : null;
      const broken = walk.broken ?? differs;
      return {
        ...walk,
        ok: broken === null,
        broken,
        anchor: anchor && toChainLink(anchor),
        matches,
      };
    },
  };
}

const toChainLink = ({ seq, hash }: ChainLink): ChainLink => ({ seq, hash });

async function walkChain(
  audit: AuditDeps['audit'],
  anchor: ChainAnchor | null,
  signal?: AbortSignal,
): Promise<Walk> {
  let last: ChainLink = anchor ?? chainStart;
  let checked = 0;
  let redacted = 0;
  let head: ChainLink | null = null;
  const yieldToEventLoop = createEventLoopYield(systemClock);
  const end = (broken: ChainBreak | null): Walk => ({ checked, redacted, broken, head });

  if (anchor && !(await isAnchorProven(audit, anchor))) {
    return end({ seq: anchor.seq, reason: 'anchor_altered' });
  }
  for (;;) {
    if (signal?.aborted)
      throw new AppError('request_timeout', { internal: 'The client has left.' });
    const rows = await audit.rowsAfter(last.seq);
    const records = await loadRecords(audit, rows);
    for (const row of rows) {
      const broken = findChainBreak(row, last) ?? findUnprovenRedaction(row, records);
      if (broken) return end(broken);
      checked += 1;
      if (row.redactedAt) redacted += 1;
      last = toChainLink(row);
      await yieldToEventLoop();
    }
    if (rows.length > 0) continue;
    // Read after the last row, so the head is at least as new.
    head = await audit.head();
    const broken = findEndBreak(last, head);
    if (broken?.reason === 'end_missing' && (await audit.rowsAfter(last.seq)).length > 0) continue;
    if (broken) return end(broken);
    const isStray = await audit.hasUnchainedRow(anchor?.seq ?? 0);
    return end(isStray ? { seq: last.seq, reason: 'row_unchained' } : null);
  }
}

function findEndBreak(last: ChainLink, head: ChainLink | null): ChainBreak | null {
  const { seq, hash } = head ?? chainStart;
  if (seq > last.seq) return { seq: last.seq + 1, reason: 'end_missing' };
  return seq === last.seq && hash === last.hash ? null : { seq: last.seq, reason: 'head_altered' };
}

async function isAnchorProven(audit: AuditDeps['audit'], anchor: ChainAnchor): Promise<boolean> {
  const [record] = await audit.getBySeq([anchor.by]);
  return isAnchorRecorded(record ?? null, anchor);
}

async function loadRecords(
  audit: AuditDeps['audit'],
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<number, AuditRow>> {
  const seqs = new Set(rows.flatMap(({ redactedBy }) => redactedBy ?? []));
  const found = seqs.size > 0 ? await audit.getBySeq([...seqs]) : [];
  return new Map(found.map((row) => [row.seq, row]));
}

const findUnprovenRedaction = (
  row: AuditRow,
  records: ReadonlyMap<number, AuditRow>,
): ChainBreak | null =>
  row.redactedBy === null || isRedactionRecorded(records.get(row.redactedBy), row)
    ? null
    : { seq: row.seq, reason: 'redaction_unknown' };
