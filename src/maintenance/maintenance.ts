/** The periodic upkeep of every process: heartbeat and retention. */
import type { Clock } from '../base/clock.ts';
import type { Shutdown } from '../base/process/shutdown.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Stores } from '../store/stores.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startRetention } from './retention.ts';

type MaintenanceDeps = {
  readonly stores: Pick<Stores, 'connection' | 'retention' | 'labels' | 'sectors'>;
  readonly retentionDays: number;
  readonly auditRetentionDays: number;
  readonly allowsDrills: boolean;
  readonly role: 'server' | 'worker';
  readonly release: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closing: Shutdown;
};

export function startMaintenance({ stores, closing, ...deps }: MaintenanceDeps): void {
  const heartbeat = startHeartbeat({ ...deps, ...stores });
  closing.add('heartbeat', () => heartbeat.close());
  const retention = startRetention({ ...deps, ...stores });
  closing.add('retention', () => retention.close(), 6_000);
}
