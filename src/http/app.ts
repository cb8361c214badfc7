/**
 * The public HTTP application: the receiving route before everything else, then the administration and the other APIs.
 *
 * Promises: the hot path passes no other middleware; every answer, errors included, comes in the envelope with an
 * `X-Request-Id`; a path that is no route is 404 for everybody.
 * Must never: echo a path, or leave an error to the framework's own page.
 */
import express, { type Express, type RequestHandler } from 'express';
import type { Admin } from '../admin/admin.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { baseUrlOf } from './requests/base-url.ts';
import { serveConsole } from './server/console.ts';
import { createErrorHandler } from './error-handler.ts';
import type { AuthThrottle } from './auth/auth-throttle.ts';
import type { TokenRateLimit } from './auth/token-rate-limit.ts';
import { sendJson } from './envelope.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import { serveDocsPage } from './server/docs-page.ts';
import { apiRoutes } from './route-table.ts';
import { createRouter } from './routing/router.ts';
import type { Streams } from './routing/streams.ts';

export type ApiDeps = {
  /** Everything under /v1/webhook; it answers for itself or hands an error on. */
  readonly receive: RequestHandler;
  readonly admin: Admin;
  readonly inbox: Inbox;
  /** To be closed before the port is, which otherwise waits for them. */
  readonly streams: Streams;
  readonly failures: AuthThrottle;
  readonly limitToken: TokenRateLimit;
  readonly logger: Logger;
  /** Proxies (addresses or CIDR ranges) whose forwarded headers are believed. */
  readonly trustProxy: readonly string[];
  /** Base of the webhook URLs that are shown; empty: taken from the request. */
  readonly publicUrl: string;
  /** What is sent as it is, from the build. */
  readonly assetFolder: string;
  /** The console, from the build. */
  readonly consoleFolder: string;
};

export function createApi(deps: ApiDeps): Express {
  const { receive, admin, inbox, logger, trustProxy, publicUrl } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('trust proxy', [...trustProxy]);
  app.use('/v1/webhook', receive);

  const routes = apiRoutes(admin, inbox);
  app.use(mendPath);
  app.all(
    '/v1/openapi.json',
    serveDocument(() => createOpenApiDocument(routes, admin.mappingSchemas)),
  );
  app.use(serveDocsPage(deps.assetFolder));
  app.use(serveConsole(deps.consoleFolder));
  app.use(
    createRouter(routes, {
      ...deps,
      authenticate: admin.tokens.authenticate,
      reader: admin.reader,
      attempt: admin.attempt,
      baseUrlOf: (request) => publicUrl || baseUrlOf(request),
    }),
  );
  app.use(() => {
    throw new AppError('not_found');
  });
  app.use(createErrorHandler(logger));
  return app;
}

/**
 * A segment that cannot be decoded is put out of the way of Express, which would answer before anything is checked.
 * What stands in its place is no id, so that the route is found and then names nothing.
 */
const mendPath: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  const mended = path.split('/').map((segment) => (isDecodable(segment) ? segment : '-'));
  request.url = [mended.join('/'), ...query].join('?');
  next();
};

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/** Made when it is first asked for: some 50 ms, which no start has to wait for. */
function serveDocument(describe: () => unknown): RequestHandler {
  let document: unknown;
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new AppError('method_not_allowed', { details: { allow: 'GET, HEAD' } });
    }
    sendJson(response, 200, (document ??= describe()));
  };
}
