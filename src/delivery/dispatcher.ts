/**
 * The dispatcher: finds the messages that are due for outbound delivery, claims them and starts their attempts.
 *
 * Promises: due messages are found by a query of MongoDB, every second and on wake, so that nothing depends on Redis or on
 * a worker that stays alive. It is cheap when idle (one indexed read a poll). Several may run at once. The attempts in
 * flight are bounded; other messages stay due.
 */
import { newId } from '../base/ids.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { DeliveryStore, DueDelivery, OutboundMessage } from '../store/chats/deliveries.ts';
import { attemptDelivery, type AttemptDeps } from './attempt.ts';
import { createDisabledChannels, type ChannelsById } from './disabled-channels.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';

export type DispatcherDeps = AttemptDeps & {
  readonly deliveries: Pick<DeliveryStore, 'findDue' | 'claim' | 'postpone'>;
  readonly channels: ChannelsById;
  readonly intervalMs?: number;
};

export type Dispatcher = {
  /** Polls at once. Never throws. */
  readonly wake: () => void;
  /** Stops polling and waits for the attempts in flight. */
  close(): Promise<void>;
};

const defaultIntervalMs = 1_000;

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { deliveries, leaseMs, random, logger, metrics, clock } = deps;
  const intervalMs = deps.intervalMs ?? defaultIntervalMs;
  const limit = createConcurrencyLimit();
  const findDisabled = createDisabledChannels(deps.channels);
  let isClosed = false;
  let isMoreDue = false;

  /** Starts as many as the limit allows, and reads again where the deliveries of one channel may have filled the result. */
  async function poll(): Promise<void> {
    const disabled: string[] = [];
    for (let mayHideOthers = true; mayHideOthers && !isClosed;) {
      const free = limit.free();
      const full = limit.fullChannels();
      isMoreDue = free <= 0 || full.length > 0;
      if (free <= 0) return;
      const due = await deliveries.findDue(free, [...full, ...disabled]);
      const waiting = await findDisabled(due);
      if (waiting.length > 0) {
        await deliveries.postpone(waiting);
        disabled.push(...waiting);
        continue;
      }
      const fitting = limit.fit(due);
      if (fitting.length === 0) return;
      await claim(fitting);
      isMoreDue ||= fitting.length < due.length;
      mayHideOthers = due.length === free;
    }
  }

  async function claim(due: readonly DueDelivery[]): Promise<void> {
    const claimedMs = clock.elapsedMs();
    const ids = due.map(({ _id }) => _id);
    for (const message of await deliveries.claim(ids, { token: newId(), leaseMs })) {
      if (message.delivery.state === 'dead') reportSpent(message);
      else void start(message, claimedMs);
    }
  }

  async function start(message: OutboundMessage, claimedMs: number): Promise<void> {
    metrics.inFlight.inc({ stage: 'delivering' });
    await limit.begin(message.channelId, () => attemptDelivery(deps, { message, claimedMs }));
    metrics.inFlight.dec({ stage: 'delivering' });
    if (isMoreDue) wake();
  }

  /** The claim ended this delivery because no attempt was left. */
  function reportSpent({ _id, channelId, delivery }: OutboundMessage): void {
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
      await poll();
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
      await limit.ended();
    },
  };
}
