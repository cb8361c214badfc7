/** Describes one operation of the document from its route. */
import type { ErrorCode } from '../../base/errors.ts';
import { acceptsIdempotencyKey } from '../requests/idempotency.ts';
import { describeRestriction } from '../auth/authorization.ts';
import { isConversationRoute, type Route } from '../routing/route.ts';
import { streamContentTypes } from '../routing/streams.ts';
import type { Components, Json } from './components.ts';
import { envelope, requestId, type ErrorResponses } from './responses.ts';

const bodyCodes: readonly ErrorCode[] = [
  'unsupported_media_type',
  'body_too_large',
  'malformed_json',
  'invalid_body',
  'invalid_field',
  'invalid_mapping',
  'conflict',
  'setup_incomplete',
  'invalid_transition',
];

/** Whether `If-Match` applies: not to a creation. */
const isConditional = ({ method, params, etagOf }: Route): boolean =>
  method !== 'GET' && params !== undefined && etagOf !== undefined;

function errorCodesOf(route: Route): ErrorCode[] {
  const { method, params, query, body, stream, findsOne, heavy, needsBound } = route;
  const parts: readonly (readonly [boolean, readonly ErrorCode[]])[] = [
    [true, ['invalid_token', 'forbidden', 'rate_limited', 'internal', 'unavailable']],
    [params !== undefined || findsOne === true, ['not_found']],
    [query !== undefined, ['invalid_query']],
    [body !== undefined, bodyCodes],
    [acceptsIdempotencyKey(route), ['conflict', 'invalid_field']],
    [needsBound === true, ['unbounded_query']],
    [isConditional(route), ['precondition_failed']],
    [stream !== undefined || heavy !== undefined, ['overloaded']],
    [method === 'DELETE', ['in_use', 'invalid_transition']],
  ];
  return [...new Set(parts.flatMap(([holds, codes]) => (holds ? codes : [])))];
}

type OperationDeps = {
  readonly components: Components;
  readonly failures: ErrorResponses;
  readonly exampleOf: (schema: unknown, name?: string) => unknown;
};

type Properties = { properties: Readonly<Record<string, Json>>; required?: readonly string[] };

/** Descriptions of the parameters that every list has. */
const usualWords: Readonly<Record<string, string>> = {
  current_page: 'The page number, from 1.',
  per_page: 'Number of results per page.',
  sort_by: 'A field, descending after a minus sign. Ties are broken by id.',
  from: 'A time, or a date from its start (UTC); inclusive.',
  to: 'A time, or a date until its end (UTC); inclusive.',
};

function parameters(
  schema: Route['query'],
  location: 'path' | 'query',
  { components, exampleOf }: OperationDeps,
): unknown[] {
  if (!schema) return [];
  const { properties, required = [] } = schema as unknown as Properties;
  return Object.entries(properties).map(([name, property]) => {
    const shown = components.show(property) as Json;
    const description = property.description ?? usualWords[name];
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...(property.type === 'array' && { style: 'form', explode: false }),
      schema: shown,
      ...(location === 'path' && { example: exampleOf(property, name) }),
    };
  });
}

const inHeader = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', maxLength: 512 },
});

const conditionalHeaders = {
  lastEventId: inHeader(
    'Last-Event-ID',
    'The id of the last item received. The stream continues after it.',
  ),
  executor: inHeader(
    'x-underchat-user-id',
    'The id of the agent who acts (also as `x-inlet-user-id`). Without it the token acts.',
  ),
  idempotencyKey: inHeader(
    'Idempotency-Key',
    'A repeated request with the same key within 24 hours gets the stored response of the first.',
  ),
  ifMatch: inHeader(
    'If-Match',
    'The `ETag` that was read. The request succeeds only if the record has not changed since.',
  ),
} as const;

const headersOf = (route: Route): Json[] => [
  ...(route.stream === 'sse' ? [conditionalHeaders.lastEventId] : []),
  ...(isConversationRoute(route) ? [conditionalHeaders.executor] : []),
  ...(acceptsIdempotencyKey(route) ? [conditionalHeaders.idempotencyKey] : []),
  ...(isConditional(route) ? [conditionalHeaders.ifMatch] : []),
];

function bodyOf(route: Route, { components, exampleOf }: OperationDeps): Json {
  const { body, allowsEmptyBody, allowsForm, allowsFiles, method } = route;
  if (body === undefined) return {};
  if (body === 'raw') {
    return { requestBody: { required: true, content: { '*/*': {} } } };
  }
  const schema = components.show(body);
  const content = { schema, example: exampleOf(body) };
  const patch = method === 'PATCH' ? { 'application/merge-patch+json': content } : {};
  const form = allowsForm || allowsFiles ? { 'multipart/form-data': { schema } } : {};
  return {
    requestBody: {
      required: !allowsEmptyBody,
      content: { ...patch, 'application/json': content, ...form },
    },
  };
}

const streamWords = {
  ndjson: 'One JSON object per line; the schema describes a line.',
  sse: 'Server-sent events; the schema describes the `data` of each.',
} as const;

const quotaHeaders = Object.fromEntries(
  [
    ['Limit', 'Requests allowed for this token per minute.'],
    ['Remaining', 'Requests left.'],
    ['Reset', 'Seconds until one more request is allowed.'],
  ].map(([name, description]) => [
    `X-RateLimit-${name}`,
    { description, required: true, schema: { type: 'integer', minimum: 0 } },
  ]),
);
const etag = {
  ETag: {
    description: 'For `If-Match` and `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
};
const replayed = {
  'Idempotency-Replayed': {
    description: 'Present if this is the stored response to an earlier request with the same key.',
    schema: { const: 'true' },
  },
};

/** A deleted record has no etag. */
const hasEtagHeader = ({ stream, hasEtag, etagOf, method }: Route): boolean =>
  !stream && (hasEtag ?? (etagOf !== undefined && method !== 'DELETE'));

const notModified = {
  304: {
    description: 'The record matches `If-None-Match`: not modified.',
    headers: { ...requestId, ...etag },
  },
};

const messages = { GET: 'Read.', POST: 'Done.', PATCH: 'Done.', DELETE: 'Done.' } as const;

function success(route: Route, answer: unknown, deps: OperationDeps): Json {
  const { stream, isFile, scope, method } = route;
  const { components, exampleOf } = deps;
  const headers = {
    ...requestId,
    ...(hasEtagHeader(route) && etag),
    ...(acceptsIdempotencyKey(route) && replayed),
    ...(scope === 'inbox' && quotaHeaders),
  };
  const schema = components.show(answer);
  const example = exampleOf(answer);
  const whole = { status: true, message: messages[method], data: example };
  const content = isFile
    ? { '*/*': { schema } }
    : stream
      ? { [streamContentTypes[stream]]: { schema } }
      : { 'application/json': { schema: envelope(schema), example: whole } };
  return { description: stream ? streamWords[stream] : 'Success.', headers, content };
}

export function describeOperation(route: Route, deps: OperationDeps): Json {
  const { summary, operationId, tag, scope, status, alternative } = route;
  return {
    summary,
    operationId,
    tags: [tag],
    description: `Scope: \`${scope}\`. A restricted token ${describeRestriction(route)}.`,
    'x-scope': scope,
    security: [{ keyapi: [] }],
    parameters: [
      ...parameters(route.params, 'path', deps),
      ...parameters(route.query, 'query', deps),
      ...headersOf(route),
    ],
    ...bodyOf(route, deps),
    responses: {
      [status]: success(route, route.answer, deps),
      ...(alternative && { [alternative.status]: success(route, alternative.answer, deps) }),
      ...(hasEtagHeader(route) && route.method === 'GET' && notModified),
      ...deps.failures.of(errorCodesOf(route)),
    },
  };
}
