/** Finds path keys and tokens of Inlet in what a change stores and shows: names, notes, reasons, mappings. */
import type { FieldProblem } from '../../base/errors.ts';
import { escapePointerKey } from '../../base/json/json-pointer.ts';
import { containsCredential } from '../../base/observability/logger.ts';
import { requireValid } from './validation.ts';

/**
 * Members that may contain credentials: payloads are masked before they are stored, secrets are encrypted, and the settings
 * of a channel may lead to another installation.
 */
const exempt = new Set([
  'body',
  'handshake',
  'headers',
  'payload',
  'payloads',
  'query',
  'rawBody',
  'settings',
  'signature',
]);

const message = 'field.pasted_credential' as const;

/** Throws `invalid_query` or `invalid_field` with each string or name that contains a path key or a token. */
export function requireNoCredentials({ query, body }: { query: unknown; body: unknown }): void {
  const inQuery = findIn(query, '').map(({ path }) => ({ path: path.slice(1), message }));
  requireValid('invalid_query', inQuery);
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const kept = entries.filter(([name]) => !exempt.has(name));
  requireValid('invalid_field', findIn(Object.fromEntries(kept), ''));
}

function findIn(value: unknown, path: string): FieldProblem[] {
  if (typeof value === 'string') return containsCredential(value) ? [{ path, message }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    containsCredential(name)
      ? [{ path, message }]
      : findIn(inner, `${path}/${escapePointerKey(name)}`),
  );
}
