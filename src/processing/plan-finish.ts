/** From what became of an event to what is written of it: a retry gets its time, or is the end where attempts are spent. */
import type { Outcome } from '../domain/events/outcome.ts';
import {
  defaultMaxAttempts,
  retryDelayMs,
  type RetrySettings,
} from '../domain/webhooks/retries.ts';
import type { ClaimedEvent } from '../store/events/claim.ts';
import type { Finish } from '../store/events/finish.ts';

export type Settle = (
  events: readonly ClaimedEvent[],
  outcomes: ReadonlyMap<string, Outcome>,
) => Promise<Finish[]>;

type SettleDeps = {
  /** What the webhook says of retries at the moment. */
  readonly retriesOf: (webhookId: string) => Promise<RetrySettings | undefined>;
  readonly random: () => number;
};

const internalError: Outcome = { kind: 'retry', reason: 'internal_error' };

export function createSettle({ retriesOf, random }: SettleDeps): Settle {
  return (events, outcomes) =>
    Promise.all(events.map((event) => settle(event, outcomes.get(event._id) ?? internalError)));

  async function settle(event: ClaimedEvent, outcome: Outcome): Promise<Finish> {
    if (outcome.kind !== 'retry') return { event, outcome, delayMs: 0 };
    const { attempts, maxAttempts = defaultMaxAttempts } = event;
    if (attempts >= maxAttempts) {
      const reason = `attempts_spent:${outcome.reason}`;
      return { event, outcome: { kind: 'dead', reason }, delayMs: 0 };
    }
    const { retryAfterMs } = outcome;
    // Where the webhook cannot be asked, the usual schedule is as good.
    const settings = await retriesOf(event.webhookId).catch(() => undefined);
    return { event, outcome, delayMs: retryDelayMs({ attempts, settings, retryAfterMs, random }) };
  }
}
