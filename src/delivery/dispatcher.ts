/**
 * The courier: finds the messages that are due to go outside, and has each delivered by whoever claims it.
 *
 * Promises: what is due is found by looking at MongoDB, every second and when it is woken, so that nothing rests on
 * Redis or on a worker that lives on; cheap when idle (one indexed read a look); several may run at once; what is under
 * way is bounded, and the rest stays where it is.
 */
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { DeliveryStore, DueDelivery, OutboundMessage } from '../store/chats/deliveries.ts';
import type { DeliverClaimed } from './attempt.ts';
import { createDisabledAmong, type ChannelsById } from './disabled-channels.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';

export type DispatcherDeps = {
  readonly deliveries: Pick<DeliveryStore, 'findDue' | 'claim' | 'postpone'>;
  readonly channels: ChannelsById;
  readonly deliverClaimed: DeliverClaimed;
  readonly leaseMs: number;
  readonly intervalMs?: number;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
};

export type Dispatcher = {
  /** Looks at once. Never throws. */
  readonly wake: () => void;
  /** Looks no more, and waits for what is under way. */
  close(): Promise<void>;
};

const defaultIntervalMs = 1_000;

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { deliveries, leaseMs, random, logger, metrics, clock } = deps;
  const intervalMs = deps.intervalMs ?? defaultIntervalMs;
  const hands = createConcurrencyLimit();
  const disabledAmong = createDisabledAmong(deps.channels);
  let isClosed = false;
  let isMoreDue = false;

  /** Takes what there is room for; looks again where one channel's deliveries may have hidden those of others. */
  async function look(): Promise<void> {
    const closed: string[] = [];
    for (let isHidden = true; isHidden && !isClosed;) {
      const limit = hands.free();
      const full = hands.fullChannels();
      isMoreDue = limit <= 0 || full.length > 0;
      if (limit <= 0) return;
      const due = await deliveries.findDue(limit, [...full, ...closed]);
      const waiting = await disabledAmong(due);
      if (waiting.length > 0) {
        await deliveries.postpone(waiting);
        closed.push(...waiting);
        continue;
      }
      const fitting = hands.fit(due);
      if (fitting.length === 0) return;
      await take(fitting);
      isMoreDue ||= fitting.length < due.length;
      isHidden = due.length === limit;
    }
  }

  async function take(due: readonly DueDelivery[]): Promise<void> {
    const claimedMs = clock.elapsedMs();
    const ids = due.map(({ _id }) => _id);
    for (const message of await deliveries.claim(ids, { token: newId(), leaseMs })) {
      if (message.delivery.state === 'dead') tellSpent(message);
      else void deliver(message, claimedMs);
    }
  }

  async function deliver(message: OutboundMessage, claimedMs: number): Promise<void> {
    metrics.inFlight.inc({ stage: 'delivering' });
    await hands.begin(message.channelId, () => deps.deliverClaimed({ message, claimedMs }));
    metrics.inFlight.dec({ stage: 'delivering' });
    if (isMoreDue) wake();
  }

  /** The claim itself found no attempt left. */
  function tellSpent({ _id, channelId, delivery }: OutboundMessage): void {
    metrics.deliveries.inc({ outcome: 'dead' });
    metrics.deliveriesDead.inc({ reason: 'attempts_spent' });
    const { attempts, reason } = delivery;
    logger.info(
      { messageId: _id, channelId, attempt: attempts, reason },
      'delivery.attempts_spent',
    );
  }

  async function tick(): Promise<number> {
    try {
      await look();
    } catch (error) {
      logger.warn({ err: error }, 'delivery.poll_failed');
    }
    return intervalMs;
  }

  const { wake, close } = startTicker(tick, { firstMs: 0, random });
  return {
    wake,
    async close() {
      isClosed = true;
      await close();
      await hands.ended();
    },
  };
}
