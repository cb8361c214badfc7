/**
 * One route table, served.
 *
 * Promises: every request is checked in the contract's order (405, 401, 403, 404, 415, 413, 400, 422, then the
 * handler's 409), and leaves one log line that names the route's template.
 * Must never: log a raw path, a query or a body.
 */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { hasScope, type Caller } from '../domain/token.ts';
import { readBody, type BodyReader } from './body.ts';
import { languageOf, requestIdOf, sendJson, successBody, successMessages } from './envelope.ts';
import { readQuery } from './query.ts';
import type { Call, Route } from './route.ts';
import { compileCheck, refuse, type Check } from './validation.ts';

export type ServeDeps = {
  readonly authenticate: (token: string | undefined) => Promise<Caller>;
  readonly reader: BodyReader;
  readonly logger: Logger;
  readonly baseUrlOf: (request: Request) => string;
};

type Checked = { route: Route; params: Check; query: Check; body: Check };

const nothing: Check = () => [];

const checkedOf = (route: Route): Checked => ({
  route,
  params: route.params ? compileCheck(route.params) : nothing,
  query: route.query ? compileCheck(route.query) : nothing,
  body: route.body ? compileCheck(route.body) : nothing,
});

/** Literal paths must stand before the patterns that match them too. */
export function serveRoutes(routes: readonly Route[], deps: ServeDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path).map(checkedOf);
    router.all(path, serveOne(here, deps));
  }
  return router;
}

function serveOne(here: readonly Checked[], deps: ServeDeps): RequestHandler {
  const path = here[0]?.route.path ?? '';
  return async (request, response) => {
    const line: { tokenId?: string } = {};
    logWhenDone({ request, response, path, line }, deps.logger);
    const chosen = choose(here, request.method);
    const caller = await deps.authenticate(headerOf(request));
    line.tokenId = caller.tokenId;
    if (!hasScope(caller, chosen.route.scope)) throw new AppError('forbidden');
    const call = await readCall(request, chosen, { ...deps, caller });
    const data = await chosen.route.handle(call as Call<never, never, never>);
    const { instead, method } = chosen.route;
    const isOther = instead?.when(call.body as never) === true;
    const status = isOther ? instead.status : chosen.route.status;
    const message = status === 201 ? 'created' : method === 'GET' ? 'read' : 'done';
    sendJson(response, status, successBody(successMessages[message][call.language], data));
  };
}

/** HEAD is answered as GET, without the body. */
function choose(here: readonly Checked[], method: string): Checked {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const chosen = here.find(({ route }) => route.method === wanted);
  if (chosen) return chosen;
  const methods = here.map(({ route }) => route.method);
  const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  throw new AppError('method_not_allowed', { details: { allow: allow.join(', ') } });
}

const headerOf = ({ headers }: Request): string | undefined =>
  typeof headers.keyapi === 'string' ? headers.keyapi : undefined;

async function readCall(
  request: Request,
  { route, params: checkParams, query: checkQuery, body: checkBody }: Checked,
  { reader, caller, baseUrlOf }: ServeDeps & { caller: Caller },
): Promise<Call> {
  const params = { ...request.params };
  if (checkParams(params).length > 0) throw new AppError('not_found');
  await route.exists?.(params as never);
  const body = route.body ? await readBody(request, reader, route.action) : {};
  const [, ...search] = request.url.split('?');
  const query = route.query
    ? readQuery(new URLSearchParams(search.join('?')), route.query, checkQuery)
    : {};
  refuse('invalid_field', checkBody(body));
  const language = languageOf(request);
  return { params, query, body, caller, language, baseUrl: baseUrlOf(request) };
}

type Served = { request: Request; response: Response; path: string; line: { tokenId?: string } };

function logWhenDone({ request, response, path, line }: Served, logger: Logger): void {
  const startedAt = performance.now();
  const requestId = requestIdOf(response);
  response.on('close', () => {
    const durationMs = Math.round(performance.now() - startedAt);
    const { method } = request;
    const status = response.statusCode;
    logger.info({ method, route: path, status, durationMs, requestId, ...line }, 'http.request');
  });
}
