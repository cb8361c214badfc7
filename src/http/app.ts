/**
 * The public HTTP application: the receiving route first, then the administration and the inbox APIs.
 *
 * Promises: a request of a sender passes no other middleware. Every answer, errors included, has the envelope and an
 * `X-Request-Id`. An unknown path is answered with 404.
 * Must never: echo a path, or leave an error to the framework's error page.
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
import { createOpenApiDocument } from './openapi/document.ts';
import { serveDocsPage } from './server/docs-page.ts';
import { serveStatic } from './server/static-document.ts';
import { apiRoutes } from './route-table.ts';
import { createRouter } from './routing/router.ts';
import type { Streams } from './routing/streams.ts';

type ApiDeps = {
  /** Handles everything under /v1/webhook: answers, or passes an error on. */
  readonly receive: RequestHandler;
  readonly admin: Admin;
  readonly inbox: Inbox;
  /** Must be closed before the port, which otherwise waits for the streams. */
  readonly streams: Streams;
  readonly failures: AuthThrottle;
  readonly limitToken: TokenRateLimit;
  readonly logger: Logger;
  /** Proxies (addresses or CIDR ranges) whose forwarded headers are trusted. */
  readonly trustProxy: readonly string[];
  /** Base of the webhook URLs in answers. Empty: taken from the request. */
  readonly publicUrl: string;
  /** Folder of the build with the files of the docs page. */
  readonly assetFolder: string;
  /** Folder of the build with the console. */
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
  app.use(replaceUndecodableSegments);
  app.all(
    '/v1/openapi.json',
    serveStatic({
      contentType: 'application/json',
      headers: { 'Cache-Control': 'no-cache' },
      // Takes about 50 ms.
      read: () => JSON.stringify(createOpenApiDocument(routes, admin.mappingSchemas)),
    }),
  );
  app.use(serveDocsPage(deps.assetFolder));
  app.use(serveConsole(deps.consoleFolder));
  app.use(
    createRouter(routes, {
      ...deps,
      authenticate: ({ kind, secret }) =>
        (kind === 'session' ? admin.consoleSessions : admin.tokens).authenticate(secret),
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
 * Replaces path segments that cannot be decoded by `-`, which is no id: the route is found and answers `not_found`.
 * Express would answer such a path before any check.
 */
const replaceUndecodableSegments: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : '-'));
  request.url = [segments.join('/'), ...query].join('?');
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
