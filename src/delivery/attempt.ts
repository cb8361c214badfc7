/**
 * One attempt of a claimed delivery, and the record of its outcome.
 *
 * Promises: nothing is sent when so little of the lease is left that another worker may claim the delivery before the attempt
 * ends. An attempt that fails in Inlet before anything is sent does not count. Where it is unknown whether a message arrived, the channel's policy decides. An outcome is written under the claim
 * or not at all.
 */
import type { Deliver, Deliverers } from '../channels/channel.ts';
import { retriesOf } from '../channels/delivery-settings.ts';
import { channelHoldsUnknown } from '../channels/registry.ts';
import { openSettings } from '../channels/secrets.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { noSpan, traceparentOf, type Span, type Tracing } from '../base/observability/tracing.ts';
import { SecretUnreadable, type Vault } from '../base/secrets/vault.ts';
import type { ChannelRecord } from '../domain/messages/channel.ts';
import { eventIdOf } from '../domain/messages/message.ts';
import { repliedAtRegister, threadRegister, type ContactRecord } from '../domain/people/contact.ts';
import {
  attemptResultOf,
  type DeliveryOutcome,
  type FreeCause,
} from '../domain/messages/delivery.ts';
import type { Reason } from '../domain/events/actions.ts';
import { reasonCode } from '../domain/events/outcome.ts';
import type { DeliveryQueue, OutboundMessage } from '../store/chats/deliveries.ts';
import { isStoreError } from '../store/db/errors.ts';
import type { ChannelGate } from './channel-gate.ts';
import { composeMessage } from './compose-message.ts';
import type { ClaimedDelivery } from './dispatcher.ts';
import { finishAttempt } from './finish-attempt.ts';
import { findChannel } from '../store/channels/channels.ts';
import type { Db } from '../store/db/connection.ts';

type AttemptDeps = Db & {
  readonly deliveries: Pick<DeliveryQueue<OutboundMessage>, 'finish'>;
  readonly contacts: { get(id: string): Promise<ContactRecord | null> };
  readonly deliverers: Deliverers;
  readonly gate: Pick<ChannelGate, 'observeResult'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly leaseMs: number;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly clock: Clock;
};

type ClaimedMessage = ClaimedDelivery<OutboundMessage>;

/** Never rejects. */
export async function attemptDelivery(deps: AttemptDeps, claimed: ClaimedMessage): Promise<void> {
  const { clock } = deps;
  const { message } = claimed;
  const startedMs = clock.elapsedMs();
  const span = startSpan(deps, message);
  const { outcome: given, channel } = await attempt(deps, claimed, span);
  const retries = retriesOf(channel?.settings ?? {});
  const outcome = await finishAttempt({ ...deps, retries }, message, given);
  endSpan(span, outcome);
  reportAttempt(deps, message, { outcome, durationMs: clock.elapsedMs() - startedMs });
}

/** `channel`: null when it was not read. */
type Attempted = { readonly outcome: DeliveryOutcome; readonly channel: ChannelRecord | null };

async function attempt(deps: AttemptDeps, claimed: ClaimedMessage, span: Span): Promise<Attempted> {
  const { deliverers } = deps;
  const { message } = claimed;
  let channel: ChannelRecord | null = null;
  const ends = (outcome: DeliveryOutcome): Attempted => ({ outcome, channel });
  try {
    // Not cached: a message that is sent again after a change of its channel goes to the new URL.
    channel = await findChannel(deps, message.channelId);
    const deliver = channel && deliverers[channel.kind];
    if (!channel || !deliver) return ends(dead('channel_missing'));
    const isHeld = channelHoldsUnknown(channel);
    if (message.delivery.isUnknown && isHeld) return ends(dead('delivery_unknown'));
    if (!channel.enabled) return ends(uncounted(message, 'channel_disabled', 'person'));
    const sent = await send(deps, claimed, { channel, deliver, span });
    const outcome = await observeResult(deps, channel, sent);
    const isUnknown = sent.kind === 'retry' && sent.isUnknown;
    return ends(isUnknown && isHeld ? dead('delivery_unknown') : outcome);
  } catch (error) {
    return ends(failureOf(deps, message, error));
  }
}

/** Of what fails before the message is given to its kind. */
function failureOf(deps: AttemptDeps, message: OutboundMessage, error: unknown): DeliveryOutcome {
  if (isStoreError(error)) return uncounted(message, 'store_unavailable', 'inlet');
  const { _id: messageId, channelId } = message;
  if (error instanceof SecretUnreadable) {
    deps.logger.warn({ err: error, messageId, channelId }, 'delivery.secret_unreadable');
    return uncounted(message, 'secret_unreadable', 'person');
  }
  return internalError(deps, message, error);
}

function internalError(
  { logger }: AttemptDeps,
  message: OutboundMessage,
  error: unknown,
): DeliveryOutcome {
  logger.error({ err: error, messageId: message._id }, 'delivery.internal_error');
  return retry(message, 'internal_error');
}

/** The outcome of a sent message matters more than the health of its channel. */
async function observeResult(
  { gate, logger }: AttemptDeps,
  channel: ChannelRecord,
  outcome: DeliveryOutcome,
): Promise<DeliveryOutcome> {
  try {
    return await gate.observeResult(channel, outcome);
  } catch (error) {
    logger.warn({ err: error, channelId: channel._id }, 'channel.health_not_recorded');
    return outcome;
  }
}

async function send(
  deps: AttemptDeps,
  { message, claimedMs }: ClaimedMessage,
  { channel, deliver, span }: { channel: ChannelRecord; deliver: Deliver; span: Span },
): Promise<DeliveryOutcome> {
  const { vault, contacts, leaseMs, clock, metrics } = deps;
  const settings = openSettings(channel, vault);
  const contact = await contacts.get(message.contactId);
  const outgoing = composeMessage(message, contact);
  const repliedAt = contact?.registers[repliedAtRegister]?.value;
  const lastReplyAt = repliedAt === undefined ? undefined : new Date(repliedAt);
  const thread = contact?.registers[threadRegister]?.value;
  const leftMs = Math.floor(leaseMs / 2 - (clock.elapsedMs() - claimedMs));
  if (leftMs <= 0) return uncounted(message, 'store_unavailable', 'inlet');
  const traceparent = span.context ? traceparentOf(span.context) : undefined;
  const sinceMs = clock.elapsedMs();
  try {
    const terms = { timeoutMs: leftMs, traceparent, lastReplyAt, thread };
    return await deliver(outgoing, settings, terms);
  } catch (error) {
    // Something may have been sent, so the attempt counts, also after a socket error that looks like one of the store.
    return internalError(deps, message, error);
  } finally {
    const seconds = (clock.elapsedMs() - sinceMs) / 1_000;
    metrics.deliverySeconds.observe({ kind: channel.kind }, seconds);
  }
}

/** Nothing was sent: whether an earlier attempt arrived is as unknown as before. */
const retry = ({ delivery }: OutboundMessage, reason: Reason) => {
  const { isUnknown } = delivery;
  return { kind: 'retry', reason, isUnknown } as const satisfies DeliveryOutcome;
};

const dead = (reason: Reason): DeliveryOutcome => ({ kind: 'dead', reason });

const uncounted = (message: OutboundMessage, reason: Reason, free: FreeCause): DeliveryOutcome => ({
  ...retry(message, reason),
  free,
});

function startSpan({ tracing }: AttemptDeps, message: OutboundMessage): Span {
  if (!tracing.isOn) return noSpan;
  const { _id, channelId, webhookId, delivery } = message;
  const span = tracing.start('deliver', { kind: 'client', parent: delivery.trace });
  span.set('inlet.message.id', _id);
  span.set('inlet.channel.id', channelId);
  if (webhookId !== undefined) {
    span.set('inlet.event.id', _id);
    span.set('inlet.webhook.id', webhookId);
  }
  span.set('inlet.attempt', delivery.attempts);
  return span;
}

function endSpan(span: Span, outcome: DeliveryOutcome): void {
  span.set('inlet.outcome', outcome.kind);
  if ('reason' in outcome) span.set('inlet.reason', reasonCode(outcome.reason));
  if (outcome.kind !== 'delivered') span.fail();
  span.end();
}

type Finished = { readonly outcome: DeliveryOutcome; readonly durationMs: number };

function reportAttempt(
  { metrics, logger }: Pick<AttemptDeps, 'metrics' | 'logger'>,
  message: OutboundMessage,
  { outcome, durationMs }: Finished,
): void {
  const { _id: messageId, channelId, delivery } = message;
  const eventId = eventIdOf(message);
  const result = attemptResultOf(outcome);
  metrics.deliveries.inc({ outcome: result });
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  if (outcome.kind === 'dead') metrics.deliveriesDead.inc({ reason: reason && reasonCode(reason) });
  logger.info(
    {
      messageId,
      channelId,
      eventId,
      attempt: delivery.attempts,
      outcome: result,
      reason,
      durationMs: Math.round(durationMs),
    },
    'delivery.attempted',
  );
}

/** Reports a delivery that its claim ended, because no attempt was left. */
export function reportSpent(
  { metrics, logger }: Pick<AttemptDeps, 'metrics' | 'logger'>,
  { _id, channelId, delivery }: OutboundMessage,
): void {
  metrics.deliveries.inc({ outcome: 'dead' });
  metrics.deliveriesDead.inc({ reason: 'attempts_spent' });
  const { attempts, reason } = delivery;
  logger.info({ messageId: _id, channelId, attempt: attempts, reason }, 'delivery.attempts_spent');
}
