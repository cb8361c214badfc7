// The outbound delivery of a worker over a test context, with a short interval.
import { silentLogger } from '../fixtures/silent-logger.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import { startDelivery, type DeliveryDeps } from '../../../src/delivery/delivery.ts';
import { loopback } from '../services/destination.ts';
import type { TestContext } from './test-context.ts';

export const startTestDelivery = ({ stores }: TestContext, over: Partial<DeliveryDeps> = {}) =>
  startDelivery({
    stores,
    allowedDestinations: loopback,
    vault: createVault([]),
    leaseMs: 60_000,
    intervalMs: 20,
    random: () => 1,
    logger: silentLogger(),
    metrics: createMetrics(),
    ...over,
  });
