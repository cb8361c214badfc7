/** Wires the parts of delivery into the one courier that workers and tests use. */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Vault } from '../base/secrets/vault.ts';
import { createDeliverers } from '../channels/registry.ts';
import type { Stores } from '../store/stores.ts';
import { startDispatcher, type Dispatcher } from './dispatcher.ts';
import { createDeliverClaimed } from './attempt.ts';

export type DeliveryDeps = {
  readonly stores: Pick<Stores, 'deliveries' | 'channels' | 'inbox'>;
  readonly allowedDestinations: readonly string[];
  readonly vault: Pick<Vault, 'open'>;
  readonly leaseMs: number;
  readonly intervalMs?: number;
  readonly random?: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
};

export function startDelivery(deps: DeliveryDeps): Dispatcher {
  const { stores, random = Math.random, clock = systemClock } = deps;
  const terms = { ...deps, random, clock };
  const deliverClaimed = createDeliverClaimed({
    ...terms,
    deliveries: stores.deliveries,
    // Read each time: whoever mends a URL and sends again means the new one.
    channels: stores.channels,
    contacts: { get: stores.inbox.getContact },
    deliverers: createDeliverers({ ...deps, now: () => clock.now() }),
  });
  return startDispatcher({
    ...terms,
    deliveries: stores.deliveries,
    channels: stores.channels,
    deliverClaimed,
  });
}
