/**
 * What the parts of a process share: its connections, opened in order and closed in reverse, and what is built on them.
 *
 * Promises: it waits for an unavailable MongoDB and logs a warning for each attempt. The unique indexes exist before the process
 * accepts or processes anything, and are checked while it runs.
 */
import type { Config } from '../../config/config.ts';
import { startSyncedClock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { BaseContext, ProcessContext } from '../context/process-context.ts';
import { startStatsCounter } from '../maintenance/stats-counter.ts';
import { createStoredBodies } from '../producers/stored-body.ts';
import { createEventQueue } from '../queue/process-events.ts';
import { databaseTime } from '../store/db/connection.ts';
import { observeCommands } from '../store/db/observe-commands.ts';
import { createStores, type Stores } from '../store/stores.ts';
import { connect, prepareDatabase, storeFailures, watchIndexes } from './connection.ts';
import { openTracing } from './tracing.ts';
import { openVault, warnOfUnreadable, type VaultConfig } from './vault.ts';
import { getMappings } from '../store/webhooks/mappings.ts';

/** `stores`: for the composition, which replaces some of them in tests. */
export type Resources = ProcessContext & { readonly stores: Stores };

/** What is opened, rather than built. */
type Opened = Omit<Resources, keyof Stores | 'vault' | 'bodies' | 'defaultRegion'> &
  Pick<Resources, 'stores'>;

export const assembleResources = (
  config: VaultConfig & Pick<Config, 'defaultRegion'>,
  opened: Opened,
): Resources => ({
  ...opened.stores,
  ...opened,
  defaultRegion: config.defaultRegion,
  vault: openVault(config, opened.logger),
  bodies: createStoredBodies({
    mappings: { getMany: (keys) => getMappings(opened.stores, keys) },
  }),
});

/** Resolves to the resources, and to a check that names what keeps MongoDB from working. */
export async function openResources(config: Config, base: BaseContext) {
  const { logger, metrics, closing } = base;
  // Closed after what records spans.
  const tracing = await openTracing(config, base);
  const connection = await connect(config.mongodbUrl, logger);
  closing.add('mongodb', () => connection.close());
  observeCommands(connection, metrics);
  const clock = await startSyncedClock(() => databaseTime(connection));
  reportClockOffset({ metrics, logger }, clock);
  closing.add('clock', () => clock.close());
  const phase = config.migrate === 'auto' ? 'expand' : 'verify';
  await prepareDatabase(connection, { logger, release: base.release, phase });
  const indexes = watchIndexes(connection, logger);
  closing.add('index watch', () => indexes.close());
  const queue = createEventQueue({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    logger,
    metrics,
  });
  closing.add('queue', () => queue.close());
  const stores = createStores(connection, clock);
  const counter = startStatsCounter({ ...stores, clock, logger });
  closing.add('stats', () => counter.close());
  const lostIndexes = indexes.lost;
  const opened = { ...base, tracing, stores, queue, clock, lostIndexes, countEvent: counter.count };
  const resources = assembleResources(config, opened);
  void warnOfUnreadable(resources);
  return {
    resources,
    findStoreFailures: () => storeFailures(connection, indexes.lost()),
  };
}

/** Above it, the times of other software on this machine do not match those of Inlet. */
const notableOffsetMs = 1_000;

function reportClockOffset(
  { metrics: { clockOffset }, logger }: { readonly metrics: Metrics; readonly logger: Logger },
  clock: { offsetMs(): number },
): void {
  const offsetMs = Math.round(clock.offsetMs());
  if (Math.abs(offsetMs) > notableOffsetMs) logger.warn({ offsetMs }, 'clock.differs');
  const collect = () => clockOffset.set(clock.offsetMs() / 1_000);
  Object.assign(clockOffset, { collect });
}
