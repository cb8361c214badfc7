/**
 * The router of the route table.
 *
 * Promises: every request is checked in the contract's order (405, 401, 403, 404, 412, 415, 413, 400, 422, then the
 * handler's 409; a record that changes in between is 412), and is logged in one line with the route's template.
 * Must never: log a path, a query or a body.
 */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Admin } from '../../admin/admin.ts';
import type { IdempotentRequest } from '../../admin/idempotency.ts';
import { AppError, invalidQuery } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import {
  startRequestSpan,
  type SpanTitle,
  type Tracing,
} from '../../base/observability/tracing.ts';
import type { Caller } from '../../domain/access/token.ts';
import { clientAddressOf } from '../requests/client-address.ts';
import { requireNoCredentials } from '../requests/pasted-credentials.ts';
import { FormWithFiles, readFiles } from '../requests/files.ts';
import { readAnyBody, readJsonBody } from '../requests/json-body.ts';
import { createEtag, preconditionOf, isNotModified, WithEtag } from '../requests/etag.ts';
import type { AuthThrottle } from '../auth/auth-throttle.ts';
import {
  credentialOf,
  sessionCookieOf,
  type Credential,
  type SessionCookie,
} from '../auth/credential.ts';
import { languageOf, requestIdOf, sendJson, successBody, successMessages } from '../envelope.ts';
import type { TokenRateLimit } from '../auth/token-rate-limit.ts';
import { readQuery } from '../requests/query.ts';
import {
  requirePermission,
  requireWithinRestriction,
  requireSameRestriction,
} from '../auth/authorization.ts';
import {
  answerIdempotently,
  idempotencyKeyOf,
  requireValidIdempotencyKey,
  type Answer,
} from '../requests/idempotency.ts';
import { sendFile, type FileAnswer } from './file-answer.ts';
import { isConversationRoute, type Call, type Route } from './route.ts';
import { isId } from './schemas.ts';
import { setStreamHeaders, type Streams, type StreamContext } from './streams.ts';
import type { TokenBodies, TokenBody } from '../requests/token-bodies.ts';
import { compileValidator, requireValid, type Validator } from '../requests/validation.ts';

export type RouterDeps = {
  readonly authenticate: (credential: Credential) => Promise<Caller>;
  readonly reader: Admin['reader'];
  readonly formReader: Admin['formReader'];
  /** Returns the agent who acts. Rejects with `forbidden`. */
  readonly requireExecutor: (id: string) => Promise<Named>;
  readonly attempt: Admin['attempt'];
  readonly bodies: TokenBodies;
  readonly streams: Streams;
  readonly failures: AuthThrottle;
  readonly limitToken: TokenRateLimit;
  readonly metrics: Pick<Metrics, 'requestSeconds'>;
  readonly tracing: Tracing;
  readonly logger: Logger;
  readonly baseUrlOf: (request: Request) => string;
};

type Checked = { route: Route; params: Validator; query: Validator; body: Validator };

const nothing: Validator = () => [];

const checkedOf = (route: Route): Checked => ({
  route,
  params: route.params ? compileValidator(route.params) : nothing,
  query: route.query ? compileValidator(route.query) : nothing,
  body: typeof route.body === 'object' ? compileValidator(route.body) : nothing,
});

/** Literal paths must come before patterns that also match them. */
export function createRouter(routes: readonly Route[], deps: RouterDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path).map(checkedOf);
    router.all(path, serveOne(here, deps));
  }
  return router;
}

function serveOne(here: readonly Checked[], deps: RouterDeps): RequestHandler {
  const path = here[0]?.route.path ?? '';
  const title: SpanTitle = { name: null, route: path };
  return async (request, response) => {
    const line: { tokenId?: string } = {};
    observeWhenDone({ request, response, title, line }, deps);
    const chosen = choose(here, request.method);
    const admit = (isFirst = false) => admitted({ request, response, isFirst }, chosen.route, deps);
    const address = clientAddressOf(request);
    const caller = {
      ...(await deps.failures.watch('token', () => address ?? '', admit(true))),
      address,
    };
    line.tokenId = caller.tokenId;
    const bytes = deps.bodies.open(caller.tokenId);
    try {
      await serveCaller({ request, response, admit, caller, bytes }, chosen, deps);
    } finally {
      bytes.release();
    }
  };
}

type Admitted = Pick<Served, 'request' | 'response'> & {
  readonly admit: () => Promise<Caller>;
  readonly caller: Caller;
  readonly bytes: TokenBody;
};

async function serveCaller(
  { request, response, admit, caller, bytes }: Admitted,
  chosen: Checked,
  deps: RouterDeps,
): Promise<void> {
  const { route } = chosen;
  const attempt = await attemptOf(request, route, { ...deps, caller });
  const call = await readCall(request, chosen, {
    ...deps,
    caller,
    attempt,
    bytes,
    cookie: sessionCookieOf(request, response),
    signal: signalOf(response),
  });
  chargeItems(route, call, { response, ...deps });
  if (route.isFile) return sendFile(request, response, (await route.handle(call)) as FileAnswer);
  if (route.stream) return answerStream({ request, response, call, admit }, chosen, deps);
  const work = () => answerOf(route, call);
  const answer = await (attempt
    ? answerIdempotently({ request, response, route }, { attempt, call }, work)
    : work());
  if (answer.tag !== null) response.setHeader('ETag', answer.tag);
  if (route.method === 'GET' && answer.isWhole && isNotModified(request, answer.tag)) {
    response.writeHead(304).end();
    return;
  }
  sendJson(response, answer.status, answer.body);
}

/** Charges the further items of a batch, each of which a token with masked contacts could guess a number with. */
function chargeItems(
  route: Route,
  { caller, body }: Call,
  { response, limitToken }: Pick<RouterDeps, 'limitToken'> & { readonly response: Response },
): void {
  const further = route.itemsOf && caller.maskContacts ? route.itemsOf(body) - 1 : 0;
  if (further > 0) limitToken.extend(caller, response, further);
}

function signalOf(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  // A client that left before this point emits no further event.
  if (response.destroyed) controller.abort();
  return controller.signal;
}

async function attemptOf(
  request: Request,
  route: Route,
  { attempt, caller: { tokenId } }: RouterDeps & { readonly caller: Caller },
): Promise<IdempotentRequest | null> {
  const key = idempotencyKeyOf(request, route);
  return key === undefined ? null : attempt({ ...credentialOf(request), key, tokenId });
}

async function answerOf({ alternative, method, ...route }: Route, call: Call): Promise<Answer> {
  const given = await route.handle(call);
  const tagged = given instanceof WithEtag ? given : route.hasEtag ? withOwnEtag(given) : null;
  const isOther = alternative?.when(call.body, given) === true;
  const status = isOther ? alternative.status : route.status;
  const message = status === 201 ? 'created' : method === 'GET' ? 'read' : 'done';
  const body = successBody(
    successMessages[message][call.language],
    tagged ? tagged.data : (given ?? {}),
  );
  return { status, body, tag: tagged?.tag ?? null, isWhole: tagged?.isWhole ?? false };
}

const withOwnEtag = (data: unknown) => new WithEtag(data, createEtag(data));

type Admission = {
  readonly request: Request;
  readonly response: Response;
  /** False for the repeated checks of a stream, which counts as one request in the rate limit. */
  readonly isFirst: boolean;
};

/** Authenticates and authorizes. Repeated while a stream lasts. */
async function admitted(
  { request, response, isFirst }: Admission,
  route: Route,
  { authenticate, limitToken }: RouterDeps,
): Promise<Caller> {
  const caller = await authenticate(credentialOf(request));
  if (route.scope === 'inbox' && isFirst) limitToken.take(caller, response);
  requirePermission(caller, route, searchOf(request));
  return caller;
}

type StreamAsked = {
  readonly request: Request;
  readonly response: Response;
  readonly call: Call;
  readonly admit: () => Promise<Caller>;
};

/** HEAD is answered without reading the source. */
async function answerStream(
  { request, response, call, admit }: StreamAsked,
  { route }: Checked,
  { streams }: RouterDeps,
): Promise<void> {
  const { stream: form = 'ndjson', fileName } = route;
  if (request.method === 'HEAD') {
    setStreamHeaders(response, { form, fileName });
    response.end();
    return;
  }
  const begin = (terms: StreamContext) =>
    route.handle({ ...call, ...terms }) as Promise<AsyncIterable<unknown>>;
  const { tokenId, restriction, session } = call.caller;
  await streams.answer(request, response, {
    form,
    fileName,
    tokenId,
    sessionId: session?.id,
    isRestricted: restriction !== null,
    isStillAllowed: async () => {
      const caller = await admit();
      requireSameRestriction(call.caller, caller, route);
      return requireWithinRestriction(caller, route, call.params);
    },
    begin,
  });
}

/** Selects the route of the method; HEAD uses that of GET. Throws `method_not_allowed`. */
function choose(here: readonly Checked[], method: string): Checked {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const chosen = here.find(({ route }) => route.method === wanted);
  if (chosen) return chosen;
  const methods = here.map(({ route }) => route.method);
  const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  throw new AppError('method_not_allowed', { details: { allow: allow.join(', ') } });
}

function searchOf({ url }: Request): URLSearchParams {
  const [, ...search] = url.split('?');
  return new URLSearchParams(search.join('?'));
}

type Known = {
  readonly caller: Caller;
  readonly attempt: IdempotentRequest | null;
  readonly bytes: TokenBody;
  readonly cookie: SessionCookie;
  readonly signal: AbortSignal;
};

async function readCall(
  request: Request,
  { route, params: checkParams, query: checkQuery, body: checkBody }: Checked,
  { caller, attempt, cookie, signal, baseUrlOf, ...deps }: Omit<RouterDeps, 'attempt'> & Known,
): Promise<Call> {
  const executor = await readExecutor(request, route, deps);
  const params = { ...request.params };
  if (checkParams(params).length > 0) throw new AppError('not_found');
  await requireWithinRestriction(caller, route, params);
  const checkPrecondition = isChange(route) ? preconditionOf(request, route.etagOf) : undefined;
  // The first request with this key may have changed or removed the record.
  if (!attempt?.isAnswered) {
    const record = await route.find?.(params);
    if (record === null) throw new AppError('not_found');
    // Without a record no etag can match.
    if (record !== undefined || !route.etagOf) checkPrecondition?.(record);
  }
  const given = await bodyOf(request, route, deps);
  const isForm = given instanceof FormWithFiles;
  const body = isForm ? given.fields : given;
  if (executor === 'malformed') throw invalidQuery(executorHeaders[0], 'is not an id');
  const query = route.query
    ? readQuery(searchOf(request), route.query, {
        check: checkQuery,
        allowsRepeats: isConversationRoute(route),
      })
    : {};
  requireValidIdempotencyKey(request, route);
  requireValid('invalid_field', checkBody(body));
  if (isChange(route)) requireNoCredentials({ query, body: route.body === 'raw' ? {} : body });
  const language = languageOf(request);
  const actor = checkPrecondition ? { ...caller, checkPrecondition } : caller;
  return {
    params,
    query,
    body,
    caller: actor,
    language,
    baseUrl: baseUrlOf(request),
    cookie,
    signal,
    files: isForm ? given.files : [],
    executor: {
      agentId: executor?._id ?? null,
      actor: { ...actor, ...(executor && { agentId: executor._id }) },
    },
    idempotencyKey: idempotencyKeyOf(request, route),
  };
}

/** The platform family's name, and our own. */
const executorHeaders = ['x-underchat-user-id', 'x-inlet-user-id'] as const;

type Named = { readonly _id: string };

/** Returns the agent that a header names, or null. Rejects with `forbidden` for one who is unknown or disabled. */
async function readExecutor(
  request: Request,
  route: Route,
  { requireExecutor }: Pick<RouterDeps, 'requireExecutor'>,
): Promise<Named | 'malformed' | null> {
  if (!isConversationRoute(route)) return null;
  const [given] = executorHeaders.flatMap((name) => request.get(name) || []);
  if (given === undefined) return null;
  return isId(given.trim()) ? requireExecutor(given.trim()) : 'malformed';
}

const isChange = ({ method }: Route) => method !== 'GET';

async function bodyOf(
  request: Request,
  { body, allowsEmptyBody, allowsForm, allowsFiles, allowsList }: Route,
  {
    reader,
    formReader,
    bytes,
  }: Pick<RouterDeps, 'reader' | 'formReader'> & { readonly bytes: TokenBody },
) {
  if (body === undefined) return {};
  if (body === 'raw') return readAnyBody(request, bytes.read);
  if (allowsFiles && request.is('multipart/form-data')) return readFiles(request, bytes.readFiles);
  return readJsonBody(request, {
    readBody: bytes.read,
    decoder: allowsForm ? formReader : reader,
    allowEmpty: allowsEmptyBody === true,
    allowList: allowsList === true,
  });
}

type Served = {
  readonly request: Request;
  readonly response: Response;
  readonly title: SpanTitle;
  readonly line: { readonly tokenId?: string };
};

const knownMethods: readonly string[] = ['GET', 'POST', 'PATCH', 'DELETE'];

/** Logs the request, traces it and observes its duration. A stream is not observed: it is as long as its client wants. */
function observeWhenDone(
  { request, response, title, line }: Served,
  { logger, metrics, tracing }: Pick<RouterDeps, 'logger' | 'metrics' | 'tracing'>,
): void {
  const startedAt = performance.now();
  const requestId = requestIdOf(response);
  const { route } = title;
  const span = startRequestSpan(tracing, request, title);
  response.on('close', () => {
    const durationMs = Math.round(performance.now() - startedAt);
    const { method } = request;
    const status = response.statusCode;
    const isStream = response.getHeader('content-type')?.toString().includes('event-stream');
    if (!isStream) {
      const labels = {
        method: knownMethods.includes(method) ? method : 'other',
        route,
        status: `${Math.floor(status / 100)}xx`,
      };
      metrics.requestSeconds.observe(labels, durationMs / 1_000);
      span.set('http.response.status_code', status);
      if (status >= 500) span.fail();
      span.end();
    }
    logger.info({ method, route, status, durationMs, requestId, ...line }, 'http.request');
  });
}
