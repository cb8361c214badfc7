/**
 * One attempt of a claimed delivery of notices, and the record of its outcome.
 *
 * Promises: nothing is sent when so little of the lease is left that another worker may claim the delivery before the attempt
 * ends. An attempt that fails in Inlet before anything is sent does not count. A delivery that may have arrived is sent again, under the same id.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { SecretUnreadable, type Vault } from '../base/secrets/vault.ts';
import { composeNotice } from '../channels/notices/compose-notice.ts';
import { openTargetSettings, type SendNotice } from '../channels/notices/target-kinds.ts';
import type { ClaimedDelivery } from '../delivery/dispatcher.ts';
import { finishAttempt } from '../delivery/finish-attempt.ts';
import type { Reason } from '../domain/events/actions.ts';
import {
  attemptResultOf,
  type DeliveryOutcome,
  type FreeCause,
} from '../domain/messages/delivery.ts';
import type { NoticeDelivery } from '../domain/notices/notice.ts';
import type { TargetKind, TargetRecord } from '../domain/notices/target.ts';
import type { DeliveryQueue } from '../store/chats/deliveries.ts';
import { isStoreError } from '../store/db/errors.ts';

type AttemptNoticeDeps = {
  readonly deliveries: Pick<DeliveryQueue<NoticeDelivery>, 'finish'>;
  readonly targets: { get(id: string): Promise<TargetRecord | null> };
  readonly senders: Readonly<Record<TargetKind, SendNotice>>;
  readonly vault: Pick<Vault, 'open'>;
  /** `INLET_PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
  readonly leaseMs: number;
  readonly random: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

/** Never rejects. */
export async function attemptNotice(
  deps: AttemptNoticeDeps,
  claimed: ClaimedDelivery<NoticeDelivery>,
): Promise<void> {
  const { message } = claimed;
  const outcome = await finishAttempt(deps, message, await attempt(deps, claimed));
  reportNotice(deps, message, outcome);
}

async function attempt(
  deps: AttemptNoticeDeps,
  { message, claimedMs }: ClaimedDelivery<NoticeDelivery>,
): Promise<DeliveryOutcome> {
  const { targets, senders, vault, leaseMs, clock, logger } = deps;
  const ids = { deliveryId: message._id, targetId: message.channelId };
  try {
    const target = await targets.get(message.channelId);
    if (!target) return { kind: 'dead', reason: 'channel_missing' satisfies Reason };
    if (!target.enabled) return uncounted('channel_disabled', 'person');
    const settings = openTargetSettings(target, vault);
    const timeoutMs = Math.floor(leaseMs / 2 - (clock.elapsedMs() - claimedMs));
    if (timeoutMs <= 0) return uncounted('store_unavailable', 'inlet');
    const { language } = target;
    const notice = outgoing(deps, message, target);
    const terms = { timeoutMs, language };
    return await senders[target.kind](notice, settings, terms).catch((err: unknown) => {
      // Something may have been sent, so the attempt counts, also after a socket error that looks like one of the store.
      logger.error({ err, ...ids }, 'notice.internal_error');
      return retry('internal_error');
    });
  } catch (err) {
    if (isStoreError(err)) return uncounted('store_unavailable', 'inlet');
    if (err instanceof SecretUnreadable) {
      logger.warn({ err, ...ids }, 'notice.secret_unreadable');
      return uncounted('secret_unreadable', 'person');
    }
    logger.error({ err, ...ids }, 'notice.internal_error');
    return retry('internal_error');
  }
}

function outgoing(
  { publicUrl }: AttemptNoticeDeps,
  { _id: id, createdAt: date, entries, more, isReminder }: NoticeDelivery,
  { language, quietHours }: TargetRecord,
) {
  const content = { id, date, entries, more, isReminder, isTest: false };
  return composeNotice(content, { language, quietHours, publicUrl });
}

const retry = (reason: Reason) => ({ kind: 'retry', reason, isUnknown: false }) as const;

const uncounted = (reason: Reason, free: FreeCause): DeliveryOutcome => ({
  ...retry(reason),
  free,
});

export function reportNotice(
  { metrics, logger }: Pick<AttemptNoticeDeps, 'metrics' | 'logger'>,
  { _id: deliveryId, channelId: targetId, delivery, entries }: NoticeDelivery,
  outcome: DeliveryOutcome,
): void {
  const result = attemptResultOf(outcome);
  metrics.noticeDeliveries.inc({ outcome: result });
  logger.info(
    {
      deliveryId,
      targetId,
      notices: entries.length,
      attempt: delivery.attempts,
      outcome: result,
      reason: 'reason' in outcome ? outcome.reason : undefined,
    },
    'notice.delivery_attempted',
  );
}
