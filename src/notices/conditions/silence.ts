/** Senders whose silence is unusual by their own rhythm. */
import type { Condition } from '../../domain/notices/notice.ts';
import { chanceOfSilence, type Rhythm } from '../../domain/notices/rhythm.ts';
import type { RulesOf } from './dead-letters.ts';

export type ObservedSender = {
  readonly webhookId: string;
  readonly rhythm: Rhythm;
  readonly lastAt: Date;
};

type SilenceInput = {
  readonly rulesOf: RulesOf;
  /** Since when the installation has observed without a gap. A silence before is not the sender's. */
  readonly observedSince: Date;
  readonly at: Date;
};

const hourMs = 3_600_000;

export const sendersSilent = (
  senders: readonly ObservedSender[],
  { rulesOf, observedSince, at }: SilenceInput,
): Condition[] =>
  senders.flatMap(({ webhookId, rhythm, lastAt }) => {
    const { oneIn, hours } = rulesOf(webhookId).sender_silent;
    const since = lastAt > observedSince ? lastAt : observedSince;
    if (+at - +since < hours * hourMs) return [];
    if (chanceOfSilence(rhythm, { since, now: at }) > 1 / oneIn) return [];
    const facts = { since: lastAt };
    return [{ kind: 'sender_silent', webhookId, subject: '', level: 0, facts } as const];
  });
