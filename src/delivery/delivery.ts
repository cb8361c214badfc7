/** Wires outbound delivery for a worker process. */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Vault } from '../base/secrets/vault.ts';
import { createDeliverers } from '../channels/registry.ts';
import type { Stores } from '../store/stores.ts';
import { startDispatcher, type Dispatcher } from './dispatcher.ts';

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

export function startDelivery({ stores, ...given }: DeliveryDeps): Dispatcher {
  const { clock = systemClock } = given;
  return startDispatcher({
    random: Math.random,
    ...given,
    clock,
    deliveries: stores.deliveries,
    // Not cached: a message that is sent again after a change of its channel goes to the new URL.
    channels: stores.channels,
    contacts: { get: stores.inbox.getContact },
    deliverers: createDeliverers({ ...given, now: () => clock.now() }),
  });
}
