/** Decides what is written of each event: a retry gets its time, and becomes a dead letter once its attempts are spent. */
import type { Outcome } from '../domain/events/outcome.ts';
import { defaultMaxAttempts, retryDelayMs } from '../domain/webhooks/retries.ts';
import type { ClaimedEvent } from '../store/events/claim.ts';
import type { Finish } from '../store/events/finish.ts';
import type { DefinitionCache } from './read/definition-cache.ts';

export type PlanFinishDeps = {
  readonly definitions: Pick<DefinitionCache, 'webhook'>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
};

const internalError: Outcome = { kind: 'retry', reason: 'internal_error' };

/** An event without an outcome is retried. Never rejects. */
export function planFinishes(
  deps: PlanFinishDeps,
  events: readonly ClaimedEvent[],
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<Finish[]> {
  return Promise.all(
    events.map((event) => planFinish(deps, event, outcomes.get(event._id) ?? internalError)),
  );
}

async function planFinish(
  { definitions, random }: PlanFinishDeps,
  event: ClaimedEvent,
  outcome: Outcome,
): Promise<Finish> {
  if (outcome.kind !== 'retry') return { event, outcome, delayMs: 0 };
  const { attempts, maxAttempts = defaultMaxAttempts, webhookId } = event;
  if (attempts >= maxAttempts) {
    const reason = `attempts_spent:${outcome.reason}`;
    return { event, outcome: { kind: 'dead', reason }, delayMs: 0 };
  }
  const { retryAfterMs } = outcome;
  // Without an answer of the database the default schedule applies.
  const webhook = await definitions.webhook(webhookId).catch(() => null);
  const settings = webhook?.settings.retries;
  return { event, outcome, delayMs: retryDelayMs({ attempts, settings, retryAfterMs, random }) };
}
