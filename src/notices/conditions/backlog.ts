/** The backlog of the installation: the longest due event waits longer than the objective. */
import type { Condition } from '../../domain/notices/notice.ts';
import type { EffectiveRules } from '../../domain/notices/rules.ts';
import { levelOf } from './dead-letters.ts';

const minuteMs = 60_000;

export function backlogLate(
  oldestDueAt: Date | null,
  { backlog_late: { minutes } }: EffectiveRules,
  at: Date,
): Condition[] {
  if (oldestDueAt === null) return [];
  const waitedMs = +at - +oldestDueAt;
  if (waitedMs < minutes * minuteMs) return [];
  const level = levelOf(waitedMs, minutes * minuteMs);
  const facts = { since: oldestDueAt };
  return [{ kind: 'backlog_late', webhookId: null, subject: '', level, facts }];
}
