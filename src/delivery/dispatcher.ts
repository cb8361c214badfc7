/**
 * The dispatcher: finds the messages that are due for outbound delivery, claims them and starts their attempts.
 *
 * Promises: due messages are found by a query of MongoDB, every second and on wake, so that nothing depends on Redis or on
 * a worker that stays alive. It is cheap when idle: one indexed read a poll, every two seconds after thirty polls without one. Several may run at once. The attempts in
 * flight are bounded; other messages stay due.
 */
import { newId } from '../base/ids.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { DeliveryQueue, DueDelivery, Outbound } from '../store/chats/deliveries.ts';
import type { DeliveryGate } from './channel-gate.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';

export type ClaimedDelivery<Doc extends Outbound> = {
  readonly message: Doc;
  /** The monotonic time before the claim was sent, in milliseconds. */
  readonly claimedMs: number;
};

type DispatcherDeps<Doc extends Outbound> = {
  readonly deliveries: Pick<
    DeliveryQueue<Doc>,
    'findDue' | 'claim' | 'findClaimed' | 'postpone' | 'delay'
  >;
  /** Which deliveries may begin. */
  readonly gate: DeliveryGate;
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

const defaultIntervalMs = 1_000;
const pollsUntilIdle = 30;

export type Dispatcher = ReturnType<typeof startDispatcher>;

export function startDispatcher<Doc extends Outbound>(deps: DispatcherDeps<Doc>) {
  const { deliveries, gate, attempt, reportSpent, random, logger, metrics } = deps;
  const intervalMs = deps.intervalMs ?? defaultIntervalMs;
  const limit = createConcurrencyLimit();
  let isClosed = false;
  let isMoreDue = false;
  let idlePolls = 0;
  const claims = createClaims(deps, (message, claimedMs) => {
    if (message.delivery.state === 'dead') reportSpent(message);
    else void start(message, claimedMs);
  });

  /** Starts as many as the limit allows, and reads again where the deliveries of one channel may have filled the result. */
  async function poll(): Promise<void> {
    await claims.readLost();
    const closed: string[] = [];
    for (let mayHideOthers = true; mayHideOthers && !isClosed;) {
      const free = limit.free();
      const full = limit.fullChannels();
      isMoreDue = free <= 0 || full.length > 0;
      if (free <= 0) return;
      const due = await deliveries.findDue(free, [...full, ...closed]);
      if (due.length > 0) idlePolls = 0;
      const { admitted, disabled, failing, paused } = await gate.admit(due);
      const fitting = limit.fit(admitted);
      const spent = await takeRates(fitting);
      if (disabled.length > 0) await deliveries.postpone(disabled, 'channel_disabled');
      if (failing.length > 0) await deliveries.postpone(failing, 'channel_failing');
      closed.push(...disabled, ...failing, ...paused, ...spent);
      isMoreDue ||= fitting.length < admitted.length;
      const isStuck = fitting.length === 0 && admitted.length > 0;
      mayHideOthers =
        !isStuck && due.length > 0 && (due.length === free || admitted.length < due.length);
    }
  }

  /** Begins as many as the rates allow. Returns the channels that may send no more now. */
  async function takeRates(fitting: readonly DueDelivery[]): Promise<readonly string[]> {
    if (fitting.length === 0) return [];
    const { granted, spent, late } = await gate.grant(fitting);
    if (granted.length > 0) await claims.claim(granted);
    for (const [ms, ids] of late) if (ids.length > 0) await deliveries.delay(ids, ms);
    return spent;
  }

  async function start(message: Doc, claimedMs: number): Promise<void> {
    metrics.inFlight.inc({ stage: 'delivering' });
    await limit.begin(message.channelId, () => attempt({ message, claimedMs }));
    metrics.inFlight.dec({ stage: 'delivering' });
    if (isMoreDue) wake();
  }

  async function tick(): Promise<number> {
    idlePolls += 1;
    try {
      await poll();
    } catch (error) {
      logger.warn({ err: error }, 'delivery.poll_failed');
    }
    if (isMoreDue) idlePolls = 0;
    return idlePolls > pollsUntilIdle ? 2 * intervalMs : intervalMs;
  }

  const { wake, close } = startTicker(tick, { firstMs: 0, random });
  return {
    /** Polls at once. Never throws. */
    wake,
    /** Stops polling and waits for the attempts in flight. */
    async close(): Promise<void> {
      isClosed = true;
      await close();
      await limit.ended();
    },
  };
}

/** Calls `begin` for each delivery that was claimed, also where the answer of the claim was lost. */
function createClaims<Doc extends Outbound>(
  { deliveries, leaseMs, clock }: Pick<DispatcherDeps<Doc>, 'deliveries' | 'leaseMs' | 'clock'>,
  begin: (message: Doc, claimedMs: number) => void,
) {
  let lost: { ids: readonly string[]; token: string; claimedMs: number } | null = null;

  return {
    async claim(due: readonly DueDelivery[]): Promise<void> {
      const [token, claimedMs] = [newId(), clock.elapsedMs()];
      const ids = due.map(({ _id }) => _id);
      lost = { ids, token, claimedMs };
      const claimed = await deliveries.claim(ids, { token, leaseMs });
      lost = null;
      for (const message of claimed) begin(message, claimedMs);
    },

    /** Nothing was sent under a claim whose answer was lost, and only this process knows that. */
    async readLost(): Promise<void> {
      if (!lost) return;
      const { ids, token, claimedMs } = lost;
      const claimed = await deliveries.findClaimed(ids, token);
      lost = null;
      for (const message of claimed) begin(message, claimedMs);
    },
  };
}
