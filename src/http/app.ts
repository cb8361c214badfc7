/**
 * The public HTTP application: the receiving route first, then the administration and the inbox APIs.
 *
 * Promises: an ordinary request of a sender does not pass Express, which costs as much as the rest of the work. Any other
 * request to a webhook passes Express and no other middleware, to the same handler. Every answer, errors included, has the
 * envelope and an `X-Request-Id`. An unknown path is answered with 404.
 * Must never: echo a path, or leave an error to the framework's error page.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { AppError } from '../base/errors.ts';
import { isInRange, parseAddress, parseRange } from '../domain/access/ip-address.ts';
import { baseUrlOf } from './requests/base-url.ts';
import { serveConsole } from './server/console.ts';
import { createErrorAnswer, createErrorHandler, type AnswerError } from './error-handler.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import { serveApiPage } from './server/api-page.ts';
import { serveDocsSite } from './server/docs-site.ts';
import { serveStatic } from './server/static-document.ts';
import type { ReceiveHandler } from './receiving/handler.ts';
import type { Route } from './routing/route.ts';
import { createRouter, type RouterDeps } from './routing/router.ts';

/** Its streams must be closed before the port, which otherwise waits for them. */
type ApiDeps = Omit<RouterDeps, 'baseUrlOf'> & {
  readonly receive: ReceiveHandler;
  /** In the order of matching. */
  readonly routes: readonly Route[];
  /** The JSON schemas of mappings in the API document. */
  readonly mappingSchemas: Parameters<typeof createOpenApiDocument>[1];
  /** Proxies (addresses or CIDR ranges) whose forwarded headers are trusted. */
  readonly trustProxy: readonly string[];
  /** Base of the webhook URLs in answers. Empty: taken from the request. */
  readonly publicUrl: string;
  readonly assetFolder: string;
  readonly consoleFolder: string;
  readonly docsFolder: string;
};

export function createApi(deps: ApiDeps): RequestListener {
  const answerError = createErrorAnswer(deps.logger);
  const app = createApp(deps, answerError);
  const receiveDirectly = createDirectReceiver(app, deps.receive, answerError);
  return (request, response) => {
    removeOrigin(request);
    if (isOrdinaryEvent(request)) void receiveDirectly(request, response);
    else app(request, response);
  };
}

const mount = '/v1/webhook';
const ordinaryUrl = /^\/v1\/webhook\/[\w-]+(?:\?|$)/;

/** Removes the scheme and the host of an absolute URL, which every server must accept (RFC 9112, 3.2.2). */
function removeOrigin(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.startsWith('/')) return;
  const target = url.replace(/^https?:\/\/[^/?]*/i, '');
  request.url = target.startsWith('?') || target === '' ? `/${target}` : target;
}

/** A POST whose path has one segment of characters that need no decoding. */
const isOrdinaryEvent = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && ordinaryUrl.test(url);

function createDirectReceiver(app: Express, receive: ReceiveHandler, answerError: AnswerError) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    /** Gives the request the prototype of Express. Express itself does the same. */
    const asExpress = () => Object.setPrototypeOf(request, app.request) as Request;
    request.url = request.url?.slice(mount.length);
    await receive(request, response, asExpress).catch((error: unknown) =>
      answerError(error, asExpress(), response),
    );
  };
}

function createApp(deps: ApiDeps, answerError: AnswerError): Express {
  const { receive, routes, trustProxy, publicUrl } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('trust proxy', isTrusted(trustProxy));
  app.use(mount, (request, response) => receive(request, response, () => request));

  app.use(replaceUndecodableSegments);
  app.all(
    '/v1/openapi.json',
    serveStatic({
      contentType: 'application/json',
      headers: { 'Cache-Control': 'no-cache' },
      // Takes about 50 ms.
      read: () => JSON.stringify(createOpenApiDocument(routes, deps.mappingSchemas)),
    }),
  );
  app.use(serveApiPage(deps.assetFolder));
  app.use(serveDocsSite(deps.docsFolder));
  app.use(serveConsole(deps.consoleFolder));
  app.use(
    createRouter(routes, {
      ...deps,
      baseUrlOf: (request) => publicUrl || baseUrlOf(request),
    }),
  );
  app.use(() => {
    throw new AppError('not_found');
  });
  app.use(createErrorHandler(answerError));
  return app;
}

/** Proxies may write each hop with its port, which Express does not read. */
function isTrusted(proxies: readonly string[]): (text: string) => boolean {
  const ranges = proxies.map(parseRange).filter((range) => range !== null);
  return (text) => {
    const address = parseAddress(text);
    return address !== null && ranges.some((range) => isInRange(address, range));
  };
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
