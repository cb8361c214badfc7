/**
 * Reads a request and checks it against its route.
 *
 * Promises: the checks are in the order of the contract. The body is read after all checks that do not need it.
 */
import type { Request } from 'express';
import { AppError, invalidQuery } from '../../base/errors.ts';
import type { Caller } from '../../domain/access/token.ts';
import { requireWithinRestriction } from '../auth/authorization.ts';
import type { SessionCookie } from '../auth/credential.ts';
import { languageOf } from '../envelope.ts';
import { preconditionOf } from '../requests/etag.ts';
import { FormWithFiles, readFiles } from '../requests/files.ts';
import {
  idempotencyKeyOf,
  requireValidIdempotencyKey,
  type IdempotentRequest,
} from '../requests/idempotency.ts';
import { readAnyBody, readJsonBody, type BodyReader } from '../requests/json-body.ts';
import { requireNoCredentials } from '../requests/pasted-credentials.ts';
import { readQuery } from '../requests/query.ts';
import type { TokenBody } from '../requests/token-bodies.ts';
import { compileValidator, requireValid, type Validator } from '../requests/validation.ts';
import { isConversationRoute, type Call, type Route } from './route.ts';
import { isId } from './schemas.ts';

/** A route with its compiled schemas. */
export type Checked = { route: Route; params: Validator; query: Validator; body: Validator };

const nothing: Validator = () => [];

export const checkedOf = (route: Route): Checked => ({
  route,
  params: route.params ? compileValidator(route.params) : nothing,
  query: route.query ? compileValidator(route.query) : nothing,
  body: typeof route.body === 'object' ? compileValidator(route.body) : nothing,
});

export function searchOf({ url }: Request): URLSearchParams {
  const [, ...search] = url.split('?');
  return new URLSearchParams(search.join('?'));
}

export type CallDeps = {
  readonly reader: BodyReader;
  readonly formReader: BodyReader;
  /** Returns the agent who acts. Rejects with `forbidden`. */
  readonly requireExecutor: (id: string) => Promise<Named>;
  readonly baseUrlOf: (request: Request) => string;
};

type Known = {
  readonly caller: Caller;
  readonly attempt: IdempotentRequest | null;
  readonly bytes: TokenBody;
  readonly cookie: SessionCookie;
  readonly signal: AbortSignal;
};

export async function readCall(
  request: Request,
  { route, params: checkParams, query: checkQuery, body: checkBody }: Checked,
  { caller, attempt, cookie, signal, baseUrlOf, ...deps }: CallDeps & Known,
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
  if (executor === 'malformed') throw invalidQuery(executorHeaders[0], 'field.not_an_id');
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
  { requireExecutor }: Pick<CallDeps, 'requireExecutor'>,
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
  }: Pick<CallDeps, 'reader' | 'formReader'> & { readonly bytes: TokenBody },
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
