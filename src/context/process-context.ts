/**
 * The context of a process: its connections, its stores, and what is built on them. A function of a module takes it first,
 * `(ctx, …)`; what only some processes have, such as an interval, is a named argument.
 *
 * Must never: be made or changed outside `assemble`.
 */
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Tracing } from '../base/observability/tracing.ts';
import type { Shutdown } from '../base/process/shutdown.ts';
import type { Vault } from '../base/secrets/vault.ts';
import type { CountEvent } from '../domain/stats.ts';
import type { StoredBodies } from '../producers/stored-body.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { Db } from '../store/db/connection.ts';
import type { Stores } from '../store/stores.ts';

/** What every process has before it opens a connection. */
export type BaseContext = {
  readonly role: 'server' | 'worker';
  /** The version of Inlet. */
  readonly release: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The steps of the shutdown. */
  readonly closing: Shutdown;
};

export type ProcessContext = BaseContext &
  Stores &
  Db & {
    readonly tracing: Tracing;
    readonly queue: EventQueue;
    readonly vault: Vault;
    readonly bodies: StoredBodies;
    /** `INLET_DEFAULT_REGION`: the region of phone numbers without a country code, unless the channel sets one. */
    readonly defaultRegion: string;
    /** Returns the names of the unique indexes that were missing at the last successful check. */
    readonly lostIndexes: () => readonly string[];
    /** Counts for the statistics. Never throws. */
    readonly countEvent: CountEvent;
  };
