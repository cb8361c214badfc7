/** Composes the parts of the HTTP process. `over` replaces parts, for tests. */
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { apiOf } from '../api/api.ts';
import { startSchedules } from '../api/webhooks/scheduled-activations.ts';
import { createApiContext } from '../api/context.ts';
import type { ProcessContext } from '../context/process-context.ts';
import { startErasure } from '../erasure/erasure.ts';
import { createApi } from '../http/app.ts';
import { createAuthThrottle } from '../http/auth/auth-throttle.ts';
import { createTokenRateLimit } from '../http/auth/token-rate-limit.ts';
import { createHeavyWork } from '../http/requests/heavy-work.ts';
import { createAdmission } from '../http/requests/admission.ts';
import { createTokenBodies } from '../http/requests/token-bodies.ts';
import { createReceiveHandler } from '../http/receiving/handler.ts';
import { createStreams } from '../http/routing/streams.ts';
import { startMaintenance } from '../maintenance/maintenance.ts';
import { producerOf } from '../producers/registry.ts';
import { listenForChanges } from '../queue/invalidations.ts';
import { createEffectiveMappings } from '../receiving/recording/effective-mappings.ts';
import { startKeyUsage } from '../receiving/key-usage.ts';
import { createReceiving } from '../receiving/receiving.ts';
import { createRecorder } from '../receiving/recording/recorder.ts';
import { recordRejection } from '../receiving/rejections/record-rejection.ts';
import { startRejectionLog } from '../receiving/rejections/rejection-log.ts';
import { recordSamples } from '../receiving/samples.ts';
import { createWebhookCache } from '../receiving/webhook-cache.ts';
import { builtFolder } from './folders.ts';
import { assembleRecovery } from './recovery.ts';
import type { Resources } from './resources.ts';

export type ApiConfig = Pick<
  Config,
  | 'adminToken'
  | 'allowsDrills'
  | 'allowedDestinations'
  | 'defaultRegion'
  | 'maxBodyBytes'
  | 'maxInFlight'
  | 'maxMediaBytes'
  | 'maxPendingBytes'
  | 'publicUrl'
  | 'requestsPerMinute'
  | 'trustProxy'
>;

type ApiParts = {
  /** Starts the next check for runs and erasures now, after the API creates one. Default: they are found at their tick. */
  readonly wakeRuns?: () => void;
  readonly wakeErasure?: () => void;
  /** Waits before a delayed response. Default: a timer. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
};

/** Starts what receiving keeps in memory, and adds its shutdown steps. */
function assembleReceiving(config: ApiConfig, resources: Resources, { wait }: ApiParts) {
  const { clock, closing } = resources;
  const webhookCache = createWebhookCache(resources);
  closing.add('webhook cache', () => webhookCache.close());
  const keyUsage = startKeyUsage(resources);
  closing.add('key usage', () => keyUsage.close());
  const rejections = startRejectionLog(resources);
  closing.add('rejections', () => rejections.close());
  const authThrottle = createAuthThrottle({ ...resources, ...(wait && { wait }) });
  const receiving = createReceiving({
    ...resources,
    authThrottle,
    webhookCache,
    mappings: createEffectiveMappings({ ...resources.bodies, clock }),
    recorder: createRecorder({ ...resources, maxPending: config.maxInFlight }),
    producerOf,
    countKeyUse: keyUsage.count,
  });
  closing.add('large bodies', () => receiving.largeBodies.close());
  return { receiving, webhookCache, keyUsage, rejections, authThrottle };
}

/**
 * Composes the HTTP application without background work. Adds its shutdown steps. The caller closes `streams` after the
 * server stops accepting connections.
 */
export function assembleApi(config: ApiConfig, resources: Resources, over: ApiParts = {}) {
  const { queue, metrics, closing } = resources;
  const { wakeRuns = () => {}, wakeErasure = () => {} } = over;
  const parts = assembleReceiving(config, resources, over);
  const { receiving, webhookCache, keyUsage, rejections, authThrottle } = parts;
  const streams = createStreams();
  const context = createApiContext({
    ...config,
    ...resources,
    wakeRuns,
    wakeErasure,
    invalidate: (webhookId) => {
      webhookCache.invalidate(webhookId);
      streams.recheckRestricted();
      queue.announceChange(webhookId);
    },
    recheckStreams: (tokenId) => {
      streams.recheck(tokenId);
      queue.announceTokenChange(tokenId);
    },
    recordSamples: (samples, webhook) => recordSamples(receiving, samples, webhook),
    recordRejection: (rejection, options) => recordRejection(receiving, rejection, options),
  });
  closing.add('computations', () => context.computing.close());
  const admission = createAdmission(config, metrics);
  metrics.limit.set({ of: 'in_flight' }, config.maxInFlight);
  metrics.limit.set({ of: 'pending_bytes' }, config.maxPendingBytes);
  const app = createApi({
    ...config,
    ...resources,
    receive: createReceiveHandler({ ...config, ...resources, receiving, admission, rejections }),
    ...apiOf(context),
    streams,
    failures: authThrottle,
    bodies: createTokenBodies({ ...config, ...resources }),
    heavyWork: createHeavyWork(resources),
    limitToken: createTokenRateLimit({ ...config, ...resources }),
    assetFolder: join(builtFolder, 'assets'),
    consoleFolder: join(builtFolder, 'web'),
    docsFolder: join(builtFolder, 'docs'),
  });
  return { app, context, streams, webhookCache, keyUsage, rejections };
}

/** `over` replaces parts, for tests. */
export const assembleErasure = (
  { sweepIntervalMs: intervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ctx: ProcessContext,
  over: Partial<ProcessContext> = {},
) => startErasure({ ...ctx, ...over }, { intervalMs });

/** Composes the application and starts the background work of a server process. Adds their shutdown steps. */
export function assembleServer(config: Config, resources: Resources) {
  const { closing } = resources;
  startMaintenance(resources, config);
  const runs = assembleRecovery(config, resources);
  const erasure = assembleErasure(config, resources);
  closing.add('erasure', () => erasure.close(), 5_000);
  const api = assembleApi(config, resources, {
    wakeRuns: () => runs.wake(),
    wakeErasure: () => erasure.wake(),
  });
  const listener = listenForChanges({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    onChange: (webhookId) => {
      api.webhookCache.invalidate(webhookId);
      api.streams.recheckRestricted();
    },
    onTokenChange: (tokenId) => api.streams.recheck(tokenId),
    onGap: () => {
      void api.webhookCache.poll();
      api.streams.recheck();
    },
  });
  closing.add('change listener', () => listener.close());
  const schedules = startSchedules(api.context);
  closing.add('schedules', () => schedules.close(), 5_000);
  return api;
}
