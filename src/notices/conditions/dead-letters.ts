/** Dead letters: the first of a reason, and many in a short time. */
import type { Condition } from '../../domain/notices/notice.ts';
import type { EffectiveRules } from '../../domain/notices/rules.ts';

export type RulesOf = (webhookId: string | null) => EffectiveRules;

type DeadGroup = { readonly webhookId: string; readonly reason: string; readonly count: number };

/** Counts of a webhook in this hour and the last. */
export type RecentCounts = {
  readonly webhookId: string;
  readonly received: number;
  readonly dead: number;
};

/** How often the count has grown tenfold beyond the threshold. */
export const levelOf = (count: number, threshold: number): number =>
  count < threshold ? 0 : Math.floor(Math.log10(count / threshold) + 1e-9);

/** One condition for each webhook and reason that has dead letters. */
export const firstDead = (groups: readonly DeadGroup[]): Condition[] =>
  groups.map(({ webhookId, reason, count }) => ({
    kind: 'first_dead',
    webhookId,
    subject: reason,
    level: 0,
    facts: { count },
  }));

export const deadRising = (counts: readonly RecentCounts[], rulesOf: RulesOf): Condition[] =>
  counts.flatMap(({ webhookId, dead: count }) => {
    const threshold = rulesOf(webhookId).dead_rising.count;
    if (count < threshold) return [];
    const level = levelOf(count, threshold);
    return [{ kind: 'dead_rising', webhookId, subject: '', level, facts: { count } } as const];
  });
