/**
 * The router of the route table.
 *
 * Promises: every request is checked in the contract's order (405, 401, 403, 404, 412, 415, 413, 400, 422, then the
 * handler's 409; a record that changes in between is 412), and is logged in one line with the route's template.
 * Must never: log a path, a query or a body.
 */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import {
  startRequestSpan,
  type SpanTitle,
  type Tracing,
} from '../../base/observability/tracing.ts';
import type { Caller } from '../../domain/access/token.ts';
import { clientAddressOf } from '../requests/client-address.ts';
import { createEtag, isNotModified, WithEtag } from '../requests/etag.ts';
import type { HeavyWork } from '../requests/heavy-work.ts';
import type { AuthThrottle } from '../auth/auth-throttle.ts';
import { credentialOf, sessionCookieOf, type Credential } from '../auth/credential.ts';
import { requestIdOf, sendJson, successBody } from '../envelope.ts';
import type { TokenRateLimit } from '../auth/token-rate-limit.ts';
import {
  requirePermission,
  requireWithinRestriction,
  requireSameRestriction,
} from '../auth/authorization.ts';
import {
  answerIdempotently,
  idempotencyKeyOf,
  type Answer,
  type Attempt,
  type IdempotentRequest,
} from '../requests/idempotency.ts';
import { sendFile, type FileAnswer } from './file-answer.ts';
import { checkedOf, readCall, searchOf, type CallDeps, type Checked } from './read-call.ts';
import type { Call, Route } from './route.ts';
import { setStreamHeaders, type Streams, type StreamContext } from './streams.ts';
import type { TokenBodies, TokenBody } from '../requests/token-bodies.ts';
import { renderText } from '../../base/texts/texts.ts';

export type RouterDeps = CallDeps & {
  readonly authenticate: (credential: Credential) => Promise<Caller>;
  readonly attempt: Attempt;
  readonly bodies: TokenBodies;
  readonly heavyWork: HeavyWork;
  readonly streams: Streams;
  readonly failures: AuthThrottle;
  readonly limitToken: TokenRateLimit;
  readonly metrics: Pick<Metrics, 'requestSeconds'>;
  readonly tracing: Tracing;
  readonly logger: Logger;
};

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
  const leave = enterHeavy(route, call, deps);
  try {
    await answerCall({ request, response, call, admit, attempt }, chosen, deps);
  } finally {
    leave();
  }
}

type Answered = StreamAsked & { readonly attempt: IdempotentRequest | null };

async function answerCall(
  { request, response, call, admit, attempt }: Answered,
  chosen: Checked,
  deps: RouterDeps,
): Promise<void> {
  const { route } = chosen;
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

/** Takes the place of a heavy request, until it is answered. Returns the function that gives it back. */
function enterHeavy(
  { heavy }: Route,
  { caller, query }: Call,
  { heavyWork }: RouterDeps,
): () => void {
  const given = query as Readonly<Record<string, unknown>>;
  const isHeavy = heavy && (heavy.when?.some((name) => given[name] !== undefined) ?? true);
  return isHeavy ? heavyWork.enter(heavy.kind, caller.tokenId) : () => undefined;
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
    renderText(`success.${message}`, call.language),
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
