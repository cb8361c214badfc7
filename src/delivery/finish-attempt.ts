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
/** For deliveries that wait for a person or for a failing destination. */
const postponedMs = 60_000;
/** The first delay of a delivery that waits for Inlet itself. It doubles each time. */
const minUnsentMs = 5_000;
const maxUnsentMs = 600_000;
/** Between 15 and 31 hours. Each such attempt is claimed and recorded, so the database is not away all the time. */
const maxUnsent = 192;

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
      const isUnavailable = error instanceof AppError && error.code === 'unavailable';
      if (isUnavailable ? clock.elapsedMs() >= untilMs : tries >= recordTries) throw error;
      await sleep(recordPauseMs);
    }
  }
}

function delayOf(
  { random, retries }: Pick<FinishDeps<Outbound>, 'random' | 'retries'>,
  { attempts, unsent = 0 }: MessageDelivery,
  outcome: DeliveryOutcome,
): number {
  if (outcome.kind !== 'retry') return 0;
  const { retryAfterMs, free } = outcome;
  if (free === 'inlet') return unsentDelayMs(unsent, random);
  if (free !== undefined) return postponedMs;
  const { maxDelaySeconds } = retries ?? {};
  return retryDelayMs({ attempts, retryAfterMs, maxDelaySeconds, random });
}

/** At least half of the step, so that a database that returns is not asked by all deliveries at once. */
function unsentDelayMs(unsent: number, random: () => number): number {
  const stepMs = Math.min(minUnsentMs * 2 ** unsent, maxUnsentMs);
  return Math.floor((stepMs * (1 + random())) / 2);
}

/** A retry becomes dead once its attempts are spent, or once too many in a row did not count because of Inlet. */
function limitAttempts(
  { retries }: Pick<FinishDeps<Outbound>, 'retries'>,
  { attempts, unsent = 0 }: MessageDelivery,
  outcome: DeliveryOutcome,
): DeliveryOutcome {
  if (outcome.kind !== 'retry') return outcome;
  const { free } = outcome;
  const maxAttempts = retries?.maxAttempts ?? defaultMaxAttempts;
  const isLast =
    free === undefined ? attempts >= maxAttempts : free === 'inlet' && unsent + 1 >= maxUnsent;
  if (!isLast) return outcome;
  return { kind: 'dead', reason: `${'attempts_spent' satisfies Reason}:${outcome.reason}` };
}
