/**
 * The dispatcher: finds the messages that are due for outbound delivery, claims them and starts their attempts.
 *
 * Promises: due messages are found by a query of MongoDB, every second and on wake, so that nothing depends on Redis or on
 * a worker that stays alive. It is cheap when idle (one indexed read a poll). Several may run at once. The attempts in
 * flight are bounded; other messages stay due.
 */
import { newId } from '../base/ids.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { DeliveryQueue, DueDelivery, Outbound } from '../store/chats/deliveries.ts';
import { createDisabledChannels, type ChannelsById } from './disabled-channels.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';

export type ClaimedDelivery<Doc extends Outbound> = {
  readonly message: Doc;
  /** The monotonic time before the claim was sent, in milliseconds. */
  readonly claimedMs: number;
};

export type DispatcherDeps<Doc extends Outbound> = {
  readonly deliveries: Pick<DeliveryQueue<Doc>, 'findDue' | 'claim' | 'postpone'>;
  readonly channels: ChannelsById;
  /** Makes one attempt and records its outcome. Must not reject. */
  readonly attempt: (claimed: ClaimedDelivery<Doc>) => Promise<void>;
  /** Called for a delivery that its claim ended because no attempt was left. */
  readonly reportSpent: (message: Doc) => void;
  readonly leaseMs: number;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly intervalMs?: number;
};

export type Dispatcher = {
  /** Polls at once. Never throws. */
  readonly wake: () => void;
  /** Stops polling and waits for the attempts in flight. */
  close(): Promise<void>;
};

const defaultIntervalMs = 1_000;

export function startDispatcher<Doc extends Outbound>(deps: DispatcherDeps<Doc>): Dispatcher {
  const { deliveries, attempt, reportSpent, leaseMs, random, logger, metrics, clock } = deps;
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

  async function start(message: Doc, claimedMs: number): Promise<void> {
    metrics.inFlight.inc({ stage: 'delivering' });
    await limit.begin(message.channelId, () => attempt({ message, claimedMs }));
    metrics.inFlight.dec({ stage: 'delivering' });
    if (isMoreDue) wake();
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
