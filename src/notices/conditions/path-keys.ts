/** Path keys that end soon although the sender needs them: it has used them since the rotation, or there is no other. */
import type { Condition } from '../../domain/notices/notice.ts';
import type { RulesOf } from './dead-letters.ts';

type EndingKey = {
  readonly _id: string;
  readonly webhookId: string;
  readonly expiresAt: Date;
  readonly uses?: number;
  readonly usesBefore?: number;
  /** Whether the webhook has a key that is valid for longer. */
  readonly hasSuccessor: boolean;
};

const hourMs = 3_600_000;

export const keysEnding = (keys: readonly EndingKey[], rulesOf: RulesOf, at: Date): Condition[] =>
  keys.flatMap(({ _id, webhookId, expiresAt, uses = 0, usesBefore = 0, hasSuccessor }) => {
    const beginsMs = +expiresAt - rulesOf(webhookId).key_ending.hours * hourMs;
    const isNeeded = !hasSuccessor || uses > usesBefore;
    if (+at < beginsMs || expiresAt <= at || !isNeeded) return [];
    const facts = { until: expiresAt };
    return [{ kind: 'key_ending', webhookId, subject: _id, level: 0, facts } as const];
  });
