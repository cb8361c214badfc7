/** The periodic upkeep of every process: heartbeat and retention. */
import type { Clock } from '../base/clock.ts';
import type { Shutdown } from '../base/process/shutdown.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import type { FileStore } from '../store/chats/files.ts';
import type { NamedRecords } from '../store/chats/named-record-changes.ts';
import type { ProcessStore } from '../store/maintenance/processes.ts';
import type { RetentionStore } from '../store/maintenance/retention.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startRetention } from './retention.ts';

type MaintenanceDeps = {
  readonly stores: {
    readonly processes: ProcessStore;
    readonly retention: RetentionStore;
    readonly audit: AuditStore;
    readonly files: FileStore;
    readonly labels: NamedRecords;
    readonly sectors: NamedRecords;
  };
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
