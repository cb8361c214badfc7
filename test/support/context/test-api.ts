// The whole HTTP application over a test context: the server's own composition, a real database, a free port.
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { assembleApi, type ApiConfig } from '../../../src/assemble.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { newId, newSecret, sha256 } from '../../../src/base/ids.ts';
import { createLogger, tokenPrefix } from '../../../src/base/observability/logger.ts';
import { createShutdown } from '../../../src/base/process/shutdown.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import type { Scope, Token } from '../../../src/domain/access/token.ts';
import { createStoredBodies } from '../../../src/producers/stored-body.ts';
import { startStatsCounter } from '../../../src/maintenance/stats-counter.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { repository } from '../../../scripts/lib/paths.mjs';
import { loopback } from '../services/destination.ts';
import { createTestContext } from './test-context.ts';

/** A vault whose key is 32 zero bytes. */
export const secretKey = Buffer.alloc(32).toString('base64');
export const adminToken = 'a-token-of-the-environment';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read answers without types; their assertions check what they read.
  // oxlint-disable-next-line no-explicit-any
  readonly body: { status: boolean; message: string; data: any };
};

export type Ask = {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
};

function bodyOf({ body, raw }: Ask): Buffer | undefined {
  if (raw !== undefined) return Buffer.from(raw as string);
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
}

const idleQueue = {
  hint: () => {},
  announceChange: () => {},
  isReady: true,
  depth: () => Promise.resolve(0),
};

const collectInto = (lines: string[]): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });

export type TestApi = Awaited<ReturnType<typeof createTestApi>>;

export type TestApiOptions = Partial<ApiConfig> & {
  readonly clock?: Clock;
  /** The wait of delayed answers. */
  readonly wait?: (ms: number) => Promise<void>;
};

const config: ApiConfig = {
  adminToken,
  allowedDestinations: loopback,
  defaultRegion: 'BR',
  maxBodyBytes: 1_048_576,
  maxInFlight: 2_000,
  maxPendingBytes: 67_108_864,
  publicUrl: '',
  requestsPerMinute: 100_000,
  trustProxy: [],
};

/** Without background work: the test itself runs what the API has started. */
export async function createTestApi(name: string, options: TestApiOptions = {}) {
  const { clock = systemClock, wait, ...given } = options;
  const world = await createTestContext(name);
  const { stores } = world;
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', role: 'test', out: collectInto(lines) });
  const intervalMs = 3_600_000;
  const counter = startStatsCounter({ ...stores, clock: systemClock, logger, intervalMs });
  const vault = createVault([secretKey]);
  const metrics = createMetrics();
  const closing = createShutdown();
  const parts = { stores, queue: idleQueue, clock, vault, logger, metrics, closing };
  const { app, admin, streams, keyUsage } = assembleApi(
    { ...config, ...given },
    {
      ...parts,
      bodies: createStoredBodies(stores),
      countEvent: counter.count,
      lostIndexes: () => [],
      wakeRuns: () => {},
      wakeErasure: () => {},
      builtFolder: join(repository, 'dist'),
      ...(wait && { wait }),
    },
  );
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
      // As bytes, because fetch adds a content type to a string.
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
    /** Flushes the usage counts of keys. */
    countUses: () => keyUsage.flush(),
    lines,
    ask,
    addToken,
    async close() {
      streams.close();
      await listening.close();
      await closing.closeAll();
      await counter.close();
      await world.close();
    },
  };
}
