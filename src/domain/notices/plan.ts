/**
 * Plans what becomes of notices: which begin, change and are resolved, from what an evaluation found.
 *
 * Promises: no side effects. A notice that is open and still true is no change, unless its level rises. A condition that
 * comes and goes within the clearing time stays one notice.
 */
import {
  noticeIdOf,
  noticeKeptDays,
  type Condition,
  type NoticeFacts,
  type NoticeRecord,
} from './notice.ts';

/** What was evaluated of one kind. */
export type Finding = {
  readonly kind: Condition['kind'];
  readonly conditions: readonly Condition[];
  /** Whether the evaluation would have found the condition of the notice. False: the notice stays as it is. */
  readonly covers: (notice: Condition) => boolean;
};

type PlanInput = {
  readonly open: readonly NoticeRecord[];
  readonly findings: readonly Finding[];
  /** Whether the rule of the condition is turned on. A notice whose rule is off ends without being sent. */
  readonly isOn: (condition: Condition) => boolean;
  readonly at: Date;
  readonly turn: number;
};

/** A notice is resolved when its condition was not found for so long. */
export const clearAfterMs = 5 * 60_000;
/** The facts of an open notice are at most so old, if they change. */
const refreshMs = 10 * 60_000;
const dayMs = 86_400_000;
/** The rest is planned at the next turn, because conditions are found again. */
export const maxChanges = 500;

/** Returns the changed notices, whole, at most `maxChanges`. */
export function planNotices({ open, findings, isOn, at, turn }: PlanInput): NoticeRecord[] {
  const byId = new Map(open.map((notice) => [notice._id, notice]));
  const found = new Set<string>();
  const changed: NoticeRecord[] = [];
  for (const condition of findings.flatMap(({ conditions }) => conditions)) {
    if (!isOn(condition)) continue;
    const _id = noticeIdOf(condition);
    if (found.has(_id)) continue;
    found.add(_id);
    const before = byId.get(_id);
    const after = before ? updated(before, condition, { at, turn }) : opened(condition, at, turn);
    if (after !== before) changed.push(after);
  }
  const findingOf = new Map(findings.map((finding) => [finding.kind, finding]));
  for (const notice of open) {
    if (found.has(notice._id)) continue;
    if (!isOn(notice)) changed.push(resolved(notice, at, notice.changedTurn));
    else if (findingOf.get(notice.kind)?.covers(notice)) {
      const after = cleared(notice, at, turn);
      if (after !== notice) changed.push(after);
    }
  }
  return changed.slice(0, maxChanges);
}

function opened(condition: Condition, at: Date, turn: number): NoticeRecord {
  return {
    ...condition,
    _id: noticeIdOf(condition),
    state: 'open',
    openedAt: at,
    openedTurn: turn,
    changedAt: at,
    changedTurn: turn,
    absentSince: null,
    resolvedAt: null,
  };
}

function updated(
  before: NoticeRecord,
  { level, facts }: Condition,
  { at, turn }: Pick<PlanInput, 'at' | 'turn'>,
): NoticeRecord {
  if (level > before.level) {
    return { ...before, level, facts, changedAt: at, changedTurn: turn, absentSince: null };
  }
  const isOld = +at - +before.changedAt >= refreshMs && !isSame(facts, before.facts);
  if (isOld) return { ...before, facts, changedAt: at, absentSince: null };
  return before.absentSince ? { ...before, absentSince: null } : before;
}

function cleared(notice: NoticeRecord, at: Date, turn: number): NoticeRecord {
  const { absentSince } = notice;
  if (absentSince === null) return { ...notice, absentSince: at };
  return +at - +absentSince >= clearAfterMs ? resolved(notice, at, turn) : notice;
}

const resolved = (notice: NoticeRecord, at: Date, changedTurn: number): NoticeRecord => ({
  ...notice,
  state: 'resolved',
  resolvedAt: at,
  changedAt: at,
  changedTurn,
  expiresAt: new Date(+at + noticeKeptDays * dayMs),
});

const isSame = (one: NoticeFacts, other: NoticeFacts): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
