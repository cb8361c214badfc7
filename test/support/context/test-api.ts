// The whole HTTP application over a test context: the server's own composition, a real database, a free port.
import { Writable } from 'node:stream';
import { assembleRuns } from '../../../src/assemble/recovery.ts';
import { assembleApi, type ApiConfig } from '../../../src/assemble/server.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { newId, newSecret, sha256 } from '../../../src/base/ids.ts';
import { createLogger, tokenPrefix } from '../../../src/base/observability/logger.ts';
import type { Scope, Token } from '../../../src/domain/access/token.ts';
import { startStatsCounter } from '../../../src/maintenance/stats-counter.ts';
import { listen } from '../../../src/http/server/listen.ts';
import type { Answer, RequestOptions } from './api-request.ts';
import { createTestContext, testConfig, type RunOverrides } from './test-context.ts';
import { surroundedConnection, type Around } from './surrounded-connection.ts';

/** A vault whose key is 32 zero bytes. */
export const secretKey = Buffer.alloc(32).toString('base64');
export const adminToken = 'a-token-of-the-environment';

function bodyOf({ body, raw }: RequestOptions): Buffer | undefined {
  if (raw !== undefined) return Buffer.from(raw as string);
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
}

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
  /** The commands of its requests go through it. */
  readonly around?: Around;
};

/** Without background work: the test itself runs what the API has started. */
export async function createTestApi(name: string, options: TestApiOptions = {}) {
  const { clock = systemClock, wait, around = (_name, run) => run(), ...given } = options;
  const context = await createTestContext(name);
  const { stores } = context;
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', role: 'test', out: collectInto(lines) });
  const intervalMs = 3_600_000;
  const counter = startStatsCounter({ ...stores, clock: systemClock, logger, intervalMs });
  const connection = surroundedConnection(context.connection, around);
  const resources = context.newResources({
    ...(options.around && { stores: { ...stores, connection } }),
    secretKeys: [secretKey],
    clock,
    logger,
    countEvent: counter.count,
  });
  const {
    app,
    context: apiContext,
    streams,
    keyUsage,
    rejections,
  } = assembleApi({ ...testConfig, adminToken, ...given }, resources, { wait });
  const listening = await listen(app, { host: '127.0.0.1', port: 0, ...resources });

  async function ask(method: string, path: string, given: RequestOptions = {}): Promise<Answer> {
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
    ...context,
    url: listening.url,
    databaseUrl: context.url,
    context: apiContext,
    /** With the statistics and the metrics of the API. */
    newRuns: ({ queue, ...over }: RunOverrides = {}) =>
      assembleRuns(testConfig, { ...resources, queue: { ...resources.queue, ...queue } }, over),
    vault: resources.vault,
    counter,
    metrics: resources.metrics,
    /** Flushes the usage counts of keys. */
    countUses: () => keyUsage.flush(),
    /** Writes what was rejected until now. */
    keepRejections: () => rejections.flush(),
    lines,
    ask,
    addToken,
    async close() {
      streams.close();
      await listening.close();
      await resources.closing.closeAll();
      await counter.close();
      await context.close();
    },
  };
}
