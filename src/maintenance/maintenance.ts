/** The periodic upkeep of every process: statistics, heartbeat and retention. */
import type { Clock } from '../base/clock.ts';
import type { Shutdown } from '../base/process/shutdown.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { CountEvent } from '../domain/stats.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import type { ProcessStore } from '../store/maintenance/processes.ts';
import type { RetentionStore } from '../store/maintenance/retention.ts';
import type { StatsStore } from '../store/counters/stats.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startRetention } from './retention.ts';
import { startStatsCounter } from './stats-counter.ts';

type MaintenanceDeps = {
  readonly stores: {
    readonly stats: StatsStore;
    readonly processes: ProcessStore;
    readonly retention: RetentionStore;
    readonly audit: AuditStore;
  };
  readonly retentionDays: number;
  readonly auditRetentionDays: number;
  readonly role: 'server' | 'worker';
  readonly clock: Clock;
  readonly logger: Logger;
  readonly closing: Shutdown;
};

export type Maintenance = { readonly countEvent: CountEvent };

export function startMaintenance({ stores, closing, ...deps }: MaintenanceDeps): Maintenance {
  const counter = startStatsCounter({ ...deps, ...stores });
  closing.add('stats', () => counter.close());
  const heartbeat = startHeartbeat({ ...deps, ...stores });
  closing.add('heartbeat', () => heartbeat.close());
  const retention = startRetention({ ...deps, ...stores });
  closing.add('retention', () => retention.close(), 6_000);
  return { countEvent: counter.count };
}
