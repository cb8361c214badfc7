/**
 * Records the outcome of one attempt of a delivery: bounded attempts, the delay of a retry, and the write under the claim.
 *
 * Promises: an outcome is written under the claim, or where the next claim ended the delivery because it did not know the outcome,
 * or not at all. An outage of MongoDB is waited for.
 */
import { sleep, type Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Reason } from '../domain/events/actions.ts';
import type { DeliveryOutcome, MessageDelivery } from '../domain/messages/delivery.ts';
import { defaultMaxAttempts, retryDelayMs } from '../domain/webhooks/retries.ts';
import type { DeliveryFinish, DeliveryQueue, Outbound } from '../store/chats/deliveries.ts';

type FinishDeps<Doc extends Outbound> = {
  readonly deliveries: Pick<DeliveryQueue<Doc>, 'finish'>;
  readonly random: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retries?: {
    readonly maxAttempts: number | undefined;
    readonly maxDelaySeconds: number | undefined;
  };
};

const recordTries = 4;
/** While MongoDB is unavailable. Nothing else could be delivered, and only this process knows whether a message was sent. */
const recordForMs = 600_000;
const recordPauseMs = 3_000;
/** For deliveries that wait for a person. */
const postponedMs = 60_000;

/** Records the outcome and returns it as recorded: a retry without attempts left is dead. Never rejects. */
export async function finishAttempt<Doc extends Outbound>(
  deps: FinishDeps<Doc>,
  message: Doc,
  given: DeliveryOutcome,
): Promise<DeliveryOutcome> {
  const { logger } = deps;
  const outcome = limitAttempts(deps, message.delivery, given);
  const delayMs = delayOf(deps, message.delivery, outcome);
  try {
    const isWritten = await recordOutcome(deps, { message, outcome, delayMs });
    if (!isWritten) logger.warn({ messageId: message._id }, 'delivery.lease_lost');
  } catch (error) {
    logger.warn({ err: error, messageId: message._id }, 'delivery.not_recorded');
  }
  return outcome;
}

/** Returns false when another worker has the delivery. */
async function recordOutcome<Doc extends Outbound>(
  { deliveries, clock }: FinishDeps<Doc>,
  finish: DeliveryFinish<Doc>,
): Promise<boolean> {
  const untilMs = clock.elapsedMs() + recordForMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await deliveries.finish(finish);
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable';
      if (isAway ? clock.elapsedMs() >= untilMs : tries >= recordTries) throw error;
      await sleep(recordPauseMs);
    }
  }
}

function delayOf(
  { random, retries }: Pick<FinishDeps<Outbound>, 'random' | 'retries'>,
  { attempts }: MessageDelivery,
  outcome: DeliveryOutcome,
): number {
  if (outcome.kind !== 'retry') return 0;
  const { retryAfterMs } = outcome;
  if (outcome.isFree) return postponedMs;
  const { maxDelaySeconds } = retries ?? {};
  return retryDelayMs({ attempts, retryAfterMs, maxDelaySeconds, random });
}

/** A retry becomes dead once its attempts are spent. */
function limitAttempts(
  { retries }: Pick<FinishDeps<Outbound>, 'retries'>,
  { attempts }: MessageDelivery,
  outcome: DeliveryOutcome,
): DeliveryOutcome {
  if (outcome.kind !== 'retry' || outcome.isFree) return outcome;
  if (attempts < (retries?.maxAttempts ?? defaultMaxAttempts)) return outcome;
  return { kind: 'dead', reason: `${'attempts_spent' satisfies Reason}:${outcome.reason}` };
}
