/**
 * One claimed delivery: the attempt, and the record of what became of it.
 *
 * Promises: nothing is sent when so much of the lease is gone that somebody else may have the delivery before the attempt
 * is over; where nobody knows whether a message arrived, the channel's own rule decides; every outcome is written under
 * the claim or not at all.
 */
import type { Deliver, Deliverers } from '../channels/channel.ts';
import { openSettings } from '../channels/secrets.ts';
import { sleep, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { SecretUnreadable, type Vault } from '../base/secrets/vault.ts';
import type { ChannelRecord } from '../domain/messages/channel.ts';
import type { ContactRecord } from '../domain/people/contact.ts';
import type { DeliveryOutcome } from '../domain/messages/delivery.ts';
import type { Reason } from '../domain/events/outcome.ts';
import { defaultMaxAttempts, retryDelayMs } from '../domain/webhooks/retries.ts';
import type { DeliveryStore, OutboundMessage } from '../store/chats/deliveries.ts';
import { isStoreError } from '../store/db/errors.ts';
import { composeMessage } from './compose-message.ts';

export type DeliverDeps = {
  readonly deliveries: Pick<DeliveryStore, 'finish'>;
  readonly channels: { get(id: string): Promise<ChannelRecord | null> };
  readonly contacts: { get(id: string): Promise<ContactRecord | null> };
  readonly deliverers: Deliverers;
  readonly vault: Pick<Vault, 'open'>;
  readonly leaseMs: number;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
};

export type Claimed = {
  readonly message: OutboundMessage;
  /** By the clock's `elapsedMs`, before the claim was asked for. */
  readonly claimedMs: number;
};

/** Never rejects. */
export type DeliverClaimed = (claimed: Claimed) => Promise<void>;

/** Nothing was sent: what was unknown before is unknown still. */
const retry = ({ delivery }: OutboundMessage, reason: Reason) => {
  const { isUnknown } = delivery;
  return { kind: 'retry', reason, isUnknown } as const satisfies DeliveryOutcome;
};
const dead = (reason: Reason): DeliveryOutcome => ({ kind: 'dead', reason });

/** A person has to do something first, however long that takes. */
const postponedMs = 60_000;
const postponed = (message: OutboundMessage, reason: Reason): DeliveryOutcome => ({
  ...retry(message, reason),
  isFree: true,
});

/** A primary that steps down is followed by another within about ten seconds; what is sent is worth waiting for. */
const recordTries = 4;
const recordPauseMs = 3_000;

export function createDeliverClaimed(deps: DeliverDeps): DeliverClaimed {
  const { deliveries, channels, contacts, deliverers, leaseMs, logger, clock } = deps;

  return async function deliverClaimed({ message, claimedMs }) {
    const startedMs = clock.elapsedMs();
    const outcome = bounded(message, await attempt(message, claimedMs));
    const delayMs = delayOf(message, outcome);
    try {
      const isWritten = await record({ message, outcome, delayMs });
      if (!isWritten) logger.warn({ messageId: message._id }, 'delivery.lease_lost');
    } catch (error) {
      logger.warn({ err: error, messageId: message._id }, 'delivery.not_recorded');
    }
    report(deps, message, { outcome, durationMs: clock.elapsedMs() - startedMs });
  };

  async function attempt(message: OutboundMessage, claimedMs: number): Promise<DeliveryOutcome> {
    try {
      const channel = await channels.get(message.channelId);
      const deliver = channel && deliverers[channel.kind];
      if (!channel || !deliver) return dead('channel_missing');
      if (message.delivery.isUnknown && holds(channel)) return dead('delivery_unknown');
      if (!channel.enabled) return postponed(message, 'channel_disabled');
      const outcome = await send(message, { channel, deliver, claimedMs });
      const isOpen = outcome.kind === 'retry' && outcome.isUnknown;
      return isOpen && holds(channel) ? dead('delivery_unknown') : outcome;
    } catch (error) {
      if (isStoreError(error)) return retry(message, 'store_unavailable');
      if (error instanceof SecretUnreadable) return unreadable(message, error);
      logger.error({ err: error, messageId: message._id }, 'delivery.internal_error');
      return retry(message, 'internal_error');
    }
  }

  function unreadable(message: OutboundMessage, err: SecretUnreadable): DeliveryOutcome {
    const { _id: messageId, channelId } = message;
    logger.warn({ err, messageId, channelId }, 'delivery.secret_unreadable');
    return postponed(message, 'secret_unreadable');
  }

  type Sending = { channel: ChannelRecord; deliver: Deliver; claimedMs: number };

  async function send(
    message: OutboundMessage,
    { channel, deliver, claimedMs }: Sending,
  ): Promise<DeliveryOutcome> {
    const settings = openSettings(channel, deps.vault);
    const outgoing = composeMessage(message, await contacts.get(message.contactId));
    const leftMs = Math.floor(leaseMs / 2 - (clock.elapsedMs() - claimedMs));
    if (leftMs <= 0) return retry(message, 'store_unavailable');
    return deliver(outgoing, settings, leftMs);
  }

  async function record(finish: Parameters<typeof deliveries.finish>[0]): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await deliveries.finish(finish);
      } catch (error) {
        if (tries === recordTries) throw error;
        await sleep(recordPauseMs);
      }
    }
  }

  function delayOf({ delivery }: OutboundMessage, outcome: DeliveryOutcome): number {
    if (outcome.kind !== 'retry') return 0;
    const { retryAfterMs } = outcome;
    if (outcome.isFree) return postponedMs;
    return retryDelayMs({ attempts: delivery.attempts, retryAfterMs, random: deps.random });
  }
}

type Ended = { readonly outcome: DeliveryOutcome; readonly durationMs: number };

function report(
  { metrics, logger }: Pick<DeliverDeps, 'metrics' | 'logger'>,
  message: OutboundMessage,
  { outcome, durationMs }: Ended,
): void {
  const { _id: messageId, channelId, eventId, delivery } = message;
  metrics.deliveries.inc({ outcome: outcome.kind });
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  if (outcome.kind === 'dead') metrics.deliveriesDead.inc({ reason: reason?.split(':', 1)[0] });
  logger.info(
    {
      messageId,
      channelId,
      eventId,
      attempt: delivery.attempts,
      outcome: outcome.kind,
      reason,
      durationMs: Math.round(durationMs),
    },
    'delivery.attempted',
  );
}

const holds = ({ settings }: ChannelRecord): boolean => settings.onUnknown === 'hold';

function bounded({ delivery }: OutboundMessage, outcome: DeliveryOutcome): DeliveryOutcome {
  if (outcome.kind !== 'retry' || outcome.isFree) return outcome;
  if (delivery.attempts < defaultMaxAttempts) return outcome;
  return { kind: 'dead', reason: `${'attempts_spent' satisfies Reason}:${outcome.reason}` };
}
