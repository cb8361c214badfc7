/** Decides what is written of an event: a retry gets its time, and becomes a dead letter once its attempts are spent. */
import type { Outcome } from '../domain/events/outcome.ts';
import { defaultMaxAttempts, retryDelayMs } from '../domain/webhooks/retries.ts';
import type { Finish } from '../store/events/outcomes.ts';
import type { TakenEvent } from '../store/sets/sets.ts';
import type { DefinitionCache } from './read/definition-cache.ts';

export type PlanFinishDeps = {
  readonly definitions: Pick<DefinitionCache, 'webhook'>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
};

/** Never rejects. */
export async function planFinish(
  { definitions, random }: PlanFinishDeps,
  event: TakenEvent,
  outcome: Outcome,
): Promise<Finish> {
  if (outcome.kind !== 'retry') return { event, outcome, delayMs: 0 };
  const { attempts, maxAttempts = defaultMaxAttempts, webhookId } = event;
  if (attempts >= maxAttempts) {
    const reason = `attempts_spent:${outcome.reason}`;
    return { event, outcome: { kind: 'dead', reason }, delayMs: 0 };
  }
  // Without an answer of the database the default schedule applies.
  const webhook = await definitions.webhook(webhookId).catch(() => null);
  const settings = webhook?.settings.retries;
  return { event, outcome, delayMs: retryDelayMs({ attempts, settings, random }) };
}
