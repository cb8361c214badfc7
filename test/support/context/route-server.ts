// Serves the routes of a test like the real ones, without a database.
import express from 'express';
import { systemClock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../fixtures/silent-logger.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { noTracing } from '../../../src/base/observability/tracing.ts';
import type { Caller, ResolvedRestriction } from '../../../src/domain/access/token.ts';
import { createErrorAnswer, createErrorHandler } from '../../../src/http/error-handler.ts';
import { createAuthThrottle } from '../../../src/http/auth/auth-throttle.ts';
import { createHeavyWork } from '../../../src/http/requests/heavy-work.ts';
import { createTokenBodies } from '../../../src/http/requests/token-bodies.ts';
import { listen } from '../../../src/http/server/listen.ts';
import type { Route } from '../../../src/http/routing/route.ts';
import { createRouter } from '../../../src/http/routing/router.ts';
import { createStreams, type StreamLimits } from '../../../src/http/routing/streams.ts';
import { formOrJsonBody } from '../../../src/producers/decode/body.ts';
import { jsonBody } from '../../../src/producers/decode/json.ts';

export type RouteServer = Awaited<ReturnType<typeof serveRoutes>>;

type Asked = Omit<RequestInit, 'headers'> & {
  readonly token?: string;
  readonly headers?: Record<string, string>;
};

/** Any token but an empty or a revoked one is an administrator's. */
export async function serveRoutes(
  routes: readonly Route[],
  limits: Partial<StreamLimits> = {},
  bodies: Partial<Parameters<typeof createTokenBodies>[0]> = {},
) {
  const revoked = new Set<string>();
  const reaches = new Map<string, ResolvedRestriction>();
  const streams = createStreams(limits);
  const logger = silentLogger();
  const app = express();
  app.disable('etag');
  app.use(
    createRouter(routes, {
      authenticate: ({ secret: token }): Promise<Caller> =>
        token === '' || revoked.has(token)
          ? Promise.reject(new AppError('invalid_token'))
          : Promise.resolve({
              tokenId: token,
              name: token,
              scopes: ['admin'],
              restriction: reaches.get(token) ?? null,
            }),
      reader: jsonBody,
      formReader: formOrJsonBody,
      bodies: createTokenBodies({ maxMediaBytes: 1_048_576, clock: systemClock, ...bodies }),
      heavyWork: createHeavyWork({ clock: systemClock }),
      requireExecutor: () => Promise.reject(new Error('Agents need a database.')),
      attempt: () => Promise.reject(new Error('Keys need a database.')),
      streams,
      failures: createAuthThrottle({ clock: systemClock, metrics: createMetrics() }),
      limitToken: { take: () => undefined, extend: () => undefined },
      metrics: createMetrics(),
      tracing: noTracing,
      logger,
      baseUrlOf: () => 'http://localhost',
    }),
  );
  app.use(createErrorHandler(createErrorAnswer(logger)));
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });

  return {
    url: listening.url,
    revoke: (token: string) => revoked.add(token),
    recheck: (token: string) => streams.recheck(token),
    restrict: (token: string, reach: ResolvedRestriction) => reaches.set(token, reach),
    ask: (path: string, { token = 'somebody', headers, ...init }: Asked = {}) =>
      fetch(`${listening.url}${path}`, { ...init, headers: { keyapi: token, ...headers } }),
    async close() {
      streams.close();
      await listening.close();
    },
  };
}
