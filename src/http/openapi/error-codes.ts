/** The error codes that an operation may be answered with, derived from its route. */
import type { ErrorCode } from '../../base/errors.ts';
import { acceptsIdempotencyKey } from '../requests/idempotency.ts';
import type { Route } from '../routing/route.ts';

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
export const isConditional = ({ method, params, etagOf }: Route): boolean =>
  method !== 'GET' && params !== undefined && etagOf !== undefined;

export function errorCodesOf(route: Route): ErrorCode[] {
  const { method, params, query, body, stream, findsOne } = route;
  const parts: readonly (readonly [boolean, readonly ErrorCode[]])[] = [
    [true, ['invalid_token', 'forbidden', 'rate_limited', 'internal', 'unavailable']],
    [params !== undefined || findsOne === true, ['not_found']],
    [query !== undefined, ['invalid_query']],
    [body !== undefined, bodyCodes],
    [acceptsIdempotencyKey(route), ['conflict', 'invalid_field']],
    [isConditional(route), ['precondition_failed']],
    [stream !== undefined, ['overloaded']],
    [method === 'DELETE', ['in_use', 'invalid_transition']],
  ];
  return [...new Set(parts.flatMap(([holds, codes]) => (holds ? codes : [])))];
}
