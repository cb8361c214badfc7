// The whole HTTP application over a world: real routes, real receiver, real database, on a free port.
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createAdmin } from '../../../src/admin/admin.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { newId, newSecret, sha256 } from '../../../src/base/ids.ts';
import { createLogger, tokenPrefix } from '../../../src/base/observability/logger.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import type { Scope, Token } from '../../../src/domain/access/token.ts';
import { startStatsCounter } from '../../../src/maintenance/stats-counter.ts';
import { createAdmission, type AdmissionLimits } from '../../../src/http/receiving/admission.ts';
import { createApi } from '../../../src/http/app.ts';
import { createAuthThrottle } from '../../../src/http/auth/auth-throttle.ts';
import { createTokenRateLimit } from '../../../src/http/auth/token-rate-limit.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { createReceiveHandler } from '../../../src/http/receiving/handler.ts';
import { createStreams } from '../../../src/http/routing/streams.ts';
import { createInbox } from '../../../src/inbox/inbox.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import { createStoredBodies } from '../../../src/producers/stored-body.ts';
import { createWebhookCache } from '../../../src/receiving/webhook-cache.ts';
import { startKeyUsage } from '../../../src/receiving/key-usage.ts';
import { createReceiving } from '../../../src/receiving/receiving.ts';
import { recordSamples } from '../../../src/receiving/samples.ts';
import { createEffectiveMappings } from '../../../src/receiving/effective-mappings.ts';
import { createRecorder } from '../../../src/receiving/recorder.ts';
import { createRecovery } from '../../../src/recovery/replay.ts';
import { repository } from '../../../scripts/lib/paths.mjs';
import { loopback } from '../services/destination.ts';
import { createTestContext } from './test-context.ts';

/** Of 32 zeros: it keeps nothing that matters. */
export const secretKey = Buffer.alloc(32).toString('base64');
export const adminToken = 'a-token-of-the-environment';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests look into answers freely; what they find is what they check.
  // oxlint-disable-next-line no-explicit-any
  readonly body: { status: boolean; message: string; data: any };
};

export type Ask = {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
};

function bodyOf({ body, raw }: Ask): Buffer | undefined {
  if (raw !== undefined) return Buffer.from(raw as string);
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
}

export type TestApi = Awaited<ReturnType<typeof createTestApi>>;

export type TestApiOptions = Partial<AdmissionLimits> & {
  readonly clock?: Clock;
  readonly trustProxy?: readonly string[];
  readonly requestsPerMinute?: number;
  /** How delayed answers wait. */
  readonly wait?: (ms: number) => Promise<void>;
};

export async function createTestApi(name: string, options: TestApiOptions = {}) {
  const { clock = systemClock, trustProxy = [], requestsPerMinute = 100_000, wait } = options;
  const limits = { maxInFlight: 2_000, maxPendingBytes: 67_108_864, ...options };
  const world = await createTestContext(name);
  const { stores } = world;
  const lines: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({ level: 'info', role: 'test', out });
  const queue = { hint: () => {}, isReady: true, depth: () => Promise.resolve(0) };
  const counter = startStatsCounter({
    ...stores,
    clock: systemClock,
    logger,
    intervalMs: 3_600_000,
  });
  const { count: countEvent } = counter;
  const vault = createVault([secretKey]);
  const directory = createWebhookCache({ ...stores, logger, clock });
  const meter = startKeyUsage({ ...stores, logger, clock });
  const metrics = createMetrics();
  const authThrottle = createAuthThrottle({ clock, metrics, ...(wait && { wait }) });
  const receiving = createReceiving({
    ...stores,
    authThrottle,
    vault,
    countEvent,
    webhookCache: directory,
    mappings: createEffectiveMappings(stores),
    recorder: createRecorder({ ...stores, queue }),
    producerOf,
    clock,
    countKeyUse: meter.count,
  });
  const recovery = createRecovery({ ...stores, queue, metrics, clock: systemClock, countEvent });
  const admin = createAdmin({
    ...stores,
    bodies: createStoredBodies(stores),
    queue,
    adminToken,
    vault,
    defaultRegion: 'BR',
    forget: (id) => directory.invalidate(id),
    allowedDestinations: loopback,
    ...recovery,
    wakeRuns: () => {},
    wakeErasing: () => {},
    recordSamples: (samples, webhook) => recordSamples(receiving, samples, webhook),
    logger,
  });
  const receive = createReceiveHandler({
    receiving,
    maxBodyBytes: 1_048_576,
    publicUrl: '',
    admission: createAdmission(limits, metrics),
    logger,
    metrics,
  });
  const inbox = createInbox(stores);
  const streams = createStreams();
  const limitToken = createTokenRateLimit({ requestsPerMinute, clock, metrics });
  const app = createApi({
    receive,
    admin,
    inbox,
    streams,
    failures: authThrottle,
    limitToken,
    logger,
    trustProxy,
    publicUrl: '',
    assetFolder: join(repository, 'dist/assets'),
    consoleFolder: join(repository, 'dist/web'),
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });

  async function ask(method: string, path: string, given: Ask = {}): Promise<Answer> {
    const { token = adminToken, body, headers = {} } = given;
    const response = await fetch(`${listening.url}${path}`, {
      method,
      headers: {
        ...(token !== null && { keyapi: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      // As bytes, so that fetch adds no content type of its own.
      body: bodyOf(given),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  async function addToken(scopes: Scope[], over: Partial<Token> = {}): Promise<string> {
    const token = newSecret(tokenPrefix);
    const times = { createdAt: new Date(), expiresAt: null, revokedAt: null, lastUsedAt: null };
    const allowed = { scopes, restriction: null };
    const named = { _id: newId(), name: scopes.join('+'), ...allowed, hash: sha256(token) };
    await stores.tokens.add({ ...named, ...times, ...over });
    return token;
  }

  return {
    ...world,
    url: listening.url,
    admin,
    vault,
    counter,
    metrics,
    /** Writes down how often keys were used. */
    countUses: () => meter.flush(),
    lines,
    ask,
    addToken,
    async close() {
      streams.close();
      await listening.close();
      await counter.close();
      directory.close();
      await meter.close();
      await world.close();
    },
  };
}
