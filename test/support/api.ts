// The whole HTTP application over a world: real routes, real receiver, real database, on a free port.
import { Writable } from 'node:stream';
import { createAdmin } from '../../src/admin/admin.ts';
import { systemClock } from '../../src/base/clock.ts';
import { newId, newSecret, sha256 } from '../../src/base/ids.ts';
import { createLogger, tokenPrefix } from '../../src/base/logger.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import type { Scope, Token } from '../../src/domain/token.ts';
import { createAdmission, type Limits } from '../../src/http/admission.ts';
import { createApi } from '../../src/http/app.ts';
import { listen } from '../../src/http/listen.ts';
import { createReceiveHandler } from '../../src/http/receive.ts';
import { createInbox } from '../../src/inbox/inbox.ts';
import { producerOf } from '../../src/producers/registry.ts';
import { createDirectory } from '../../src/receiving/directory.ts';
import { createReceiving } from '../../src/receiving/receive.ts';
import { createRecipes } from '../../src/receiving/recipes.ts';
import { createRecorder } from '../../src/receiving/record.ts';
import { createRecovery } from '../../src/recovery/replay.ts';
import { loopback } from './destination.ts';
import { createWorld } from './world.ts';

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

export type ApiWorld = Awaited<ReturnType<typeof createApiWorld>>;

export async function createApiWorld(
  name: string,
  limits: Limits = { maxInFlight: 2_000, maxPendingBytes: 67_108_864 },
) {
  const world = await createWorld(name);
  const { stores } = world;
  const lines: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({ level: 'info', role: 'test', out });
  const queue = { hint: () => {} };
  const directory = createDirectory({ ...stores, logger });
  const record = createRecorder({ ...stores, queue }).record;
  const recipes = createRecipes(stores);
  const receiving = createReceiving({ ...stores, directory, recipes, record, producerOf });
  const metrics = createMetrics();
  const recovery = createRecovery({ ...stores, queue, metrics, clock: systemClock });
  const admin = createAdmin({
    ...stores,
    adminToken,
    defaultRegion: 'BR',
    forget: (id) => directory.forget(id),
    allowedDestinations: loopback,
    ...recovery,
    wakeRuns: () => {},
    recordSamples: (samples, webhook) => receiving.recordSamples(samples, webhook),
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
  const app = createApi({ receive, admin, inbox, logger, trustProxy: [], publicUrl: '' });
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
    const named = { _id: newId(), name: scopes.join('+'), scopes, hash: sha256(token) };
    await stores.tokens.add({ ...named, ...times, ...over });
    return token;
  }

  return {
    ...world,
    url: listening.url,
    admin,
    metrics,
    lines,
    ask,
    addToken,
    async close() {
      await listening.close();
      directory.close();
      await world.close();
    },
  };
}
