/**
 * Decides for which deliveries an attempt may begin: those of channels that are enabled, not failing, and within their rates.
 *
 * Promises: rates and health are those of all workers, in MongoDB. Deliveries that wait here spend no attempt. A failing channel gets
 * one attempt a minute. A pause that a destination asks for holds for every claim after it is stored. For channels without rates and
 * failures a claim costs one read; their state is read every few seconds.
 */
import { createCache } from '../base/concurrency/cache.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Rates } from '../channels/channel.ts';
import { ratesOfChannel } from '../channels/registry.ts';
import { isOffDue, type ChannelHealth } from '../domain/messages/channel-health.ts';
import type { ChannelRecord } from '../domain/messages/channel.ts';
import type { DeliveryOutcome } from '../domain/messages/delivery.ts';
import {
  getChannelHealth,
  takeProbe,
  resetChannelHealth,
  recordChannelFailure,
  switchChannelOff,
} from '../store/channels/channel-health.ts';
import {
  findChannelPauses,
  takeRecipients,
  takeFromRate,
  pauseChannel,
} from '../store/channels/channel-rates.ts';
import type { DueDelivery } from '../store/chats/deliveries.ts';
import type { Db } from '../store/db/connection.ts';
import { findChannel } from '../store/channels/channels.ts';

type ChannelGateDeps = Db & {
  readonly logger: Logger;
  /** How long the state of a channel is cached. An attempt reads its channel again. */
  readonly channelStateMs?: number;
};

type ChannelState = {
  readonly id: string;
  readonly isDisabled: boolean;
  readonly rates: Rates;
  readonly health: ChannelHealth | null;
  readonly pausedUntil: Date | null;
};

type Admission = {
  /** In the order given. */
  readonly admitted: readonly DueDelivery[];
  readonly disabled: readonly string[];
  /** Failing channels. At most one delivery of each is admitted. */
  readonly failing: readonly string[];
  /** Channels whose destination asked for a pause, or that another worker is about to probe: their deliveries stay due. */
  readonly paused: readonly string[];
};

type Grant = {
  readonly granted: readonly DueDelivery[];
  /** Channels that may send no more now. */
  readonly spent: readonly string[];
  /** Deliveries whose recipients got a message just now, by the time in which they may get the next one. */
  readonly late: ReadonlyMap<number, readonly string[]>;
};

const defaultStateMs = 5_000;

/** What the dispatcher asks. */
export type DeliveryGate = {
  admit(due: readonly DueDelivery[]): Promise<Admission>;
  grant(due: readonly DueDelivery[]): Promise<Grant>;
};

export type ChannelGate = ReturnType<typeof createChannelGate>;

export function createChannelGate(deps: ChannelGateDeps) {
  const states = createStates(deps);
  return {
    admit: createAdmit(deps, states),
    grant: createGrant(deps, states),
    observeResult: createResultObserver(deps, states),
  };
}

type States = ReturnType<typeof createStates>;

function createStates(ctx: ChannelGateDeps) {
  const { channelStateMs = defaultStateMs } = ctx;
  const states = createCache<ChannelState>({
    max: 2_000,
    ttlMs: channelStateMs,
    async load(id) {
      const [channel, health, pauses] = await Promise.all([
        findChannel(ctx, id),
        getChannelHealth(ctx, id),
        findChannelPauses(ctx, [id]),
      ]);
      const rates = channel ? ratesOfChannel(channel) : {};
      const pausedUntil = pauses.get(id) ?? null;
      return { id, isDisabled: channel?.enabled === false, rates, health, pausedUntil };
    },
  });
  return {
    get: (id: string) => states.get(id),
    invalidate: (id: string) => states.invalidate((state) => state.id === id),
    of: (due: readonly DueDelivery[]): Promise<ChannelState[]> =>
      Promise.all([...new Set(due.map(({ channelId }) => channelId))].map((id) => states.get(id))),
  };
}

function createAdmit(ctx: ChannelGateDeps, states: States) {
  /** Sorts out the deliveries whose channel takes none. */
  return async function admit(due: readonly DueDelivery[]): Promise<Admission> {
    const found = await states.of(due);
    const idsOf = (chosen: (state: ChannelState) => boolean) =>
      found.filter(chosen).map(({ id }) => id);
    const disabled = idsOf(({ isDisabled }) => isDisabled);
    const paused = idsOf(({ pausedUntil }) => pausedUntil !== null && +pausedUntil > Date.now());
    const closed = new Set([...disabled, ...paused]);
    const failing = idsOf(({ id, health }) => !closed.has(id) && Boolean(health?.failingSince));
    const probes = new Map<string, string>();
    const probed: string[] = [];
    for (const id of failing) {
      const first = due.find(({ channelId }) => channelId === id);
      const turn = await takeProbe(ctx, id);
      if (first && turn === 'taken') probes.set(id, first._id);
      // To postpone its deliveries would take the probe from the worker that has not claimed it yet.
      if (turn === 'recent') probed.push(id);
    }
    const isAdmitted = ({ _id, channelId }: DueDelivery) =>
      !closed.has(channelId) && (!failing.includes(channelId) || probes.get(channelId) === _id);
    return {
      admitted: due.filter(isAdmitted),
      disabled,
      failing: failing.filter((id) => !probed.includes(id)),
      paused: [...paused, ...probed],
    };
  };
}

function createGrant(ctx: ChannelGateDeps, states: States) {
  async function splitByRecipient(
    due: readonly DueDelivery[],
    { channelId, recipientMs }: { readonly channelId: string; readonly recipientMs: number },
  ): Promise<[DueDelivery[], DueDelivery[]]> {
    const contactIds = due.map(({ _id, contactId }) => contactId ?? _id);
    const taken = await takeRecipients(ctx, channelId, { contactIds, everyMs: recipientMs });
    const isFirst = ({ _id, contactId = _id }: DueDelivery, index: number) =>
      taken.has(contactId) && contactIds.indexOf(contactId) === index;
    return [due.filter(isFirst), due.filter((one, index) => !isFirst(one, index))];
  }

  /** A pause may be newer than the state that `admit` saw. Taking from the rate of a channel sees it too. */
  async function findPaused(found: readonly ChannelState[]): Promise<ReadonlySet<string>> {
    const unlimited = found.filter(({ rates }) => rates.perMinute === undefined);
    if (unlimited.length === 0) return new Set();
    const pauses = await findChannelPauses(
      ctx,
      unlimited.map(({ id }) => id),
    );
    for (const id of pauses.keys()) states.invalidate(id);
    return new Set(pauses.keys());
  }

  /** Takes the deliveries from the rates of their channels and recipients, and none of a channel that is paused. */
  return async function grant(due: readonly DueDelivery[]): Promise<Grant> {
    const refused = new Set<string>();
    const spent: string[] = [];
    const late = new Map<number, string[]>();
    const found = await states.of(due);
    const paused = await findPaused(found);
    for (const { id, rates } of found) {
      let ofChannel = due.filter(({ channelId }) => channelId === id);
      const { recipientMs, perMinute } = rates;
      if (paused.has(id)) {
        for (const { _id } of ofChannel) refused.add(_id);
        spent.push(id);
        continue;
      }
      if (recipientMs !== undefined) {
        const [free, busy] = await splitByRecipient(ofChannel, { channelId: id, recipientMs });
        const waiting = busy.map(({ _id }) => _id);
        late.set(recipientMs, [...(late.get(recipientMs) ?? []), ...waiting]);
        for (const one of waiting) refused.add(one);
        ofChannel = free;
      }
      if (perMinute === undefined || ofChannel.length === 0) continue;
      const count = await takeFromRate(ctx, id, { perMinute, wanted: ofChannel.length });
      for (const { _id } of ofChannel.slice(count)) refused.add(_id);
      if (count < ofChannel.length) spent.push(id);
    }
    return { granted: due.filter(({ _id }) => !refused.has(_id)), spent, late };
  };
}

function createResultObserver(ctx: ChannelGateDeps, states: States) {
  const { logger } = ctx;
  async function noteSuccess(id: string): Promise<void> {
    const { health } = await states.get(id);
    if (!health) return;
    const wasFailing = await resetChannelHealth(ctx, id);
    states.invalidate(id);
    if (wasFailing) logger.info({ channelId: id }, 'channel.recovered');
  }

  async function noteFailure({ _id: id }: ChannelRecord, reason: string): Promise<boolean> {
    const health = await recordChannelFailure(ctx, id, reason);
    if (!health || health.failures === 1) states.invalidate(id);
    if (!health?.failingSince) return false;
    const { failures, failingSince, lastAt } = health;
    if (+failingSince === +lastAt) {
      states.invalidate(id);
      logger.warn({ channelId: id, reason, failures }, 'channel.failing');
    }
    if (isOffDue(health) && (await switchChannelOff(ctx, id))) {
      states.invalidate(id);
      logger.warn({ channelId: id, reason, failures }, 'channel.switched_off');
    }
    return true;
  }

  /** Learns from the outcome of an attempt. Returns the outcome to store: with a failing channel, the delivery waits. */
  return async function observeResult(
    channel: ChannelRecord,
    outcome: DeliveryOutcome,
  ): Promise<DeliveryOutcome> {
    const { _id: id } = channel;
    const scope = outcome.kind === 'delivered' ? 'message' : outcome.scope;
    if (outcome.kind === 'retry' && scope === 'rate' && outcome.retryAfterMs !== undefined) {
      await pauseChannel(ctx, id, outcome.retryAfterMs);
      states.invalidate(id);
    }
    if (scope === 'message' || scope === 'rate') await noteSuccess(id);
    if (outcome.kind === 'delivered' || scope !== 'channel') return outcome;
    const isFailing = await noteFailure(channel, outcome.reason);
    const isUnknown = outcome.kind === 'retry' && outcome.isUnknown;
    const { reason } = outcome;
    return isFailing ? { kind: 'retry', reason, isUnknown, scope, free: 'destination' } : outcome;
  };
}
