/**
 * Decodes forms such as `a=1&b[c][0]=2`, as browsers, PHP and most form plugins write them.
 *
 * Promises: every value stays the text that was sent, and nothing is left out except a key named `__proto__`. Keys 0, 1, 2
 * … without a gap become a list, all others an object, so an id in brackets stays an id.
 */
import { parse } from 'qs';
import type { Decoded } from '../producer.ts';
import { textOf, type Charset } from './charset.ts';
import { decodeFailure, hardened, outOfBounds, maxDepth } from './bounds.ts';
import { percentDecoded } from './percent-encoding.ts';
import { embeddedJson } from './json.ts';

/** A body of 1 MiB with the long keys of a batch has about 12,000. */
const maxParameters = 20_000;
const maxBrackets = 32;
// qs returns longer lists as objects, which become lists below. With a high limit one key could create many holes.
const qsListLength = 20;

type Fields = Record<string, unknown>;

export function decodeForm(body: Buffer, charset: Charset | null): Decoded {
  const text = textOf(body, charset);
  if (text === null) return decodeFailure('malformed_json', 'body.character_set');
  return decodeFormText(text, charset);
}

export function decodeFormText(text: string, charset: Charset | null): Decoded {
  const trimmed = text.trim();
  if (!trimmed.includes('=')) return decodeFailure('malformed_json', 'body.invalid_form');
  if (countOf(trimmed, '&') >= maxParameters) return outOfBounds('too_many');
  return nest(trimmed, charset);
}

/** Decodes fields by name, in which brackets nest. A repeated name has a list of values. */
export const nestFields = (fields: Readonly<Record<string, string | string[]>>): Decoded =>
  nest(fields, null);

function nest(input: string | Readonly<Fields>, charset: Charset | null): Decoded {
  let fields: Fields;
  try {
    fields = parse(input as string, {
      depth: maxBrackets,
      strictDepth: true,
      arrayLimit: qsListLength,
      parameterLimit: maxParameters,
      // Compaction turns the ids in `fields[12]` into positions.
      allowSparse: true,
      plainObjects: true,
      decoder: (encoded: string) => percentDecoded(encoded, charset),
    });
  } catch {
    return decodeFailure('invalid_body', 'body.too_deep');
  }
  return hardened(withEmbeddedJson(mapValues(fields, listsRestored)));
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) count += 1;
  return count;
}

function mapValues(fields: Fields, map: (value: unknown) => unknown): Fields {
  const mapped: Fields = Object.create(null);
  for (const [key, value] of Object.entries(fields)) mapped[key] = map(value);
  return mapped;
}

/** Turns each object whose keys count from 0 without a gap into a list. Recursion is bounded by `maxBrackets`. */
function listsRestored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key, i) => key === String(i))) {
    return Object.values(value).map(listsRestored);
  }
  return mapValues(value as Fields, listsRestored);
}

/** The key of the decoded values. It starts with an underscore, because paths then need no quotes. */
const embeddedKey = '_json';

/**
 * Returns the fields with the decoded values of those that contain JSON: `payload={"a":1}` is also `_json.payload.a`. The
 * texts stay. A field with JSON beyond the bounds stays a text only.
 */
function withEmbeddedJson(fields: Record<string, unknown>): Record<string, unknown> {
  const embedded: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) continue;
    const decoded = embeddedJson(value, maxDepth - 2);
    if (decoded !== null) embedded[name] = decoded;
  }
  if (Object.keys(embedded).length === 0 || embeddedKey in fields) return fields;
  return Object.assign(Object.create(null), fields, { [embeddedKey]: embedded });
}
