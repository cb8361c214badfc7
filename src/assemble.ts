/**
 * Composes the HTTP application without the background work of a process. The server and the API tests both use it, so that
 * the tests run the production wiring.
 */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createAdmin } from './admin/admin.ts';
import type { Vault } from './base/secrets/vault.ts';
import { createApi } from './http/app.ts';
import { createAuthThrottle } from './http/auth/auth-throttle.ts';
import { createTokenRateLimit } from './http/auth/token-rate-limit.ts';
import { createAdmission } from './http/receiving/admission.ts';
import { createReceiveHandler } from './http/receiving/handler.ts';
import { createStreams } from './http/routing/streams.ts';
import { createInbox } from './inbox/inbox.ts';
import type { Maintenance } from './maintenance/maintenance.ts';
import { producerOf } from './producers/registry.ts';
import type { StoredBodies } from './producers/stored-body.ts';
import type { EventQueue } from './queue/process-events.ts';
import { createEffectiveMappings } from './receiving/effective-mappings.ts';
import { startKeyUsage } from './receiving/key-usage.ts';
import { createReceiving } from './receiving/receiving.ts';
import { createRecorder } from './receiving/recorder.ts';
import { recordSamples } from './receiving/samples.ts';
import { createWebhookCache } from './receiving/webhook-cache.ts';
import { createRecovery } from './recovery/replay.ts';
import type { Base, Resources } from './resources.ts';

export type ApiConfig = Pick<
  Config,
  | 'adminToken'
  | 'allowedDestinations'
  | 'defaultRegion'
  | 'maxBodyBytes'
  | 'maxInFlight'
  | 'maxPendingBytes'
  | 'publicUrl'
  | 'requestsPerMinute'
  | 'trustProxy'
>;

type ApiParts = Pick<Base, 'logger' | 'metrics' | 'closing'> &
  Pick<Resources, 'stores' | 'clock' | 'lostIndexes'> & {
    readonly queue: Pick<EventQueue, 'hint' | 'announceChange' | 'isReady' | 'depth'>;
    readonly bodies: StoredBodies;
    readonly vault: Vault;
    readonly countEvent: Maintenance['countEvent'];
    /** Starts the next check for runs and erasures now, after the API creates one. */
    readonly wakeRuns: () => void;
    readonly wakeErasure: () => void;
    /** Folder with the built `assets` and `web`. Default: `dist`. */
    readonly builtFolder?: string;
    /** Waits before a delayed response. Default: a timer. */
    readonly wait?: (ms: number) => Promise<void>;
  };

/** Adds its shutdown steps to `closing`. The caller closes `streams` after the server stops accepting connections. */
export function assembleApi(config: ApiConfig, parts: ApiParts) {
  const { stores, queue, clock, logger, metrics, closing, countEvent, wait } = parts;
  const webhookCache = createWebhookCache({ ...stores, logger, clock });
  closing.add('webhook cache', () => webhookCache.close());
  const keyUsage = startKeyUsage({ ...stores, logger, clock });
  closing.add('key usage', () => keyUsage.close());
  const authThrottle = createAuthThrottle({ clock, metrics, ...(wait && { wait }) });
  const receiving = createReceiving({
    ...stores,
    ...parts,
    authThrottle,
    webhookCache,
    mappings: createEffectiveMappings({ ...stores, clock }),
    recorder: createRecorder({ ...stores, queue, maxPending: config.maxInFlight }),
    producerOf,
    countKeyUse: keyUsage.count,
  });
  const admin = createAdmin({
    ...stores,
    ...config,
    ...parts,
    ...createRecovery({ ...stores, queue, metrics, clock, countEvent }),
    forget: (webhookId) => {
      webhookCache.invalidate(webhookId);
      queue.announceChange(webhookId);
    },
    recordSamples: (samples, webhook) => recordSamples(receiving, samples, webhook),
  });
  const admission = createAdmission(config, metrics);
  const streams = createStreams();
  const builtFolder = parts.builtFolder ?? join(import.meta.dirname, '..');
  const app = createApi({
    ...config,
    receive: createReceiveHandler({ ...config, ...parts, receiving, admission }),
    admin,
    inbox: createInbox(stores),
    streams,
    failures: authThrottle,
    limitToken: createTokenRateLimit({ ...config, clock, metrics }),
    logger,
    assetFolder: join(builtFolder, 'assets'),
    consoleFolder: join(builtFolder, 'web'),
  });
  return { app, admin, streams, webhookCache, keyUsage };
}
