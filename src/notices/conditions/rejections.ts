/** Rejections that rise: many in a short time, and a considerable share of the requests. */
import type { Condition } from '../../domain/notices/notice.ts';
import { levelOf, type RecentCounts, type RulesOf } from './dead-letters.ts';

type Rejected = { readonly webhookId: string; readonly count: number };

export function rejectionsRising(
  rejected: readonly Rejected[],
  counts: readonly RecentCounts[],
  rulesOf: RulesOf,
): Condition[] {
  const receivedBy = new Map(counts.map(({ webhookId, received }) => [webhookId, received]));
  return rejected.flatMap(({ webhookId, count }) => {
    const rule = rulesOf(webhookId).rejections_rising;
    const requests = count + (receivedBy.get(webhookId) ?? 0);
    if (count < rule.count || (count / requests) * 100 < rule.percent) return [];
    const level = levelOf(count, rule.count);
    return [
      { kind: 'rejections_rising', webhookId, subject: '', level, facts: { count } } as const,
    ];
  });
}
