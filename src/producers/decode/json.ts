/**
 * Decodes JSON.
 *
 * Promises, for every format: a decoded document is bounded (see bounds.ts). Its objects have no prototype, so no key of a
 * payload has a meaning in JavaScript. Integers keep all their digits.
 * Must never: throw, repeat the payload in a message, or take more than linear time.
 */
import { isUtf8 } from 'node:buffer';
import { quoteUnsafeNumbers } from '../../base/json/json-text.ts';
import { placeOfSyntaxError } from '../../base/json/syntax-error.ts';
import type { Decoded, BodyDecoder } from '../producer.ts';
import {
  decodeFailure,
  harden,
  isContainer,
  maxDepth,
  maxNodes,
  outOfBounds,
  unsupportedType,
} from './bounds.ts';
import { textOf, type Charset } from './charset.ts';
import { bodyTypeOf } from './content-type.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

/** Decodes bodies with a JSON content type or none. */
export const jsonBody: BodyDecoder = {
  acceptsContentType: (contentType) => bodyTypeOf(contentType)?.format === 'json',
  decodeBody({ contentType, body }) {
    const type = bodyTypeOf(contentType);
    return type?.format === 'json' ? decodeJsonIn(type.charset, body) : unsupportedType();
  },
};

/** Decodes JSON in its declared character set. */
export function decodeJsonIn(charset: Charset | null, body: Buffer): Decoded {
  if (charset === null || charset === 'utf-8') return decodeJson(body);
  const text = textOf(body, charset);
  return text === null
    ? decodeFailure('malformed_json', 'body.character_set')
    : decodeJson(Buffer.from(text));
}

/** Decodes JSON within the bounds. `depth` is lower for JSON inside another document. Never throws. */
export const decodeJson = (body: Buffer, depth = maxDepth): Decoded =>
  decodeUtf8(body, depth, syntaxMessage);

/** Decodes a text that may be JSON, inside another document. Returns null when it is not, or is beyond the bounds. */
export function embeddedJson(text: string, depth: number): unknown {
  // Finding the place of an error takes as long as all else, and a form may have thousands of such texts.
  const decoded = decodeUtf8(Buffer.from(text), depth, () => 'body.invalid_json');
  return decoded.ok ? decoded.value : null;
}

function decodeUtf8(body: Buffer, depth: number, describe: (text: string) => PublicText): Decoded {
  // isUtf8 is vectorised; a fatal TextDecoder takes ten times as long.
  if (!isUtf8(body)) return decodeFailure('malformed_json', 'body.invalid_utf8');
  // JSON.parse takes 270 ms for 1 MiB of brackets and 90 ms for 500,000 lists, this scan 2 ms.
  const exceeded = exceededBound(body, depth);
  if (exceeded === 'depth') return decodeFailure('invalid_body', 'body.too_deep');
  if (exceeded === 'nodes') return outOfBounds('too_many');
  const text = body.toString('utf8');
  return decodeText(text.startsWith('\uFEFF') ? text.slice(1) : text, describe);
}

function decodeText(text: string, describe: (text: string) => PublicText): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return decodeFailure('malformed_json', describe(text));
  }
  if (!isContainer(value)) return decodeFailure('invalid_body', 'body.not_a_tree');
  const hardened = harden(value);
  if (hardened === 'unsafe') return requote(text);
  return hardened === 'ok' ? { ok: true, value } : outOfBounds(hardened);
}

/** Says where the text stops being JSON, without a piece of it. */
function syntaxMessage(text: string): PublicText {
  const { line = 1, character = 1 } = placeOfSyntaxError(text) ?? {};
  return textWith('body.invalid_json_at', { line, character });
}

function requote(text: string): Decoded {
  const value: unknown = JSON.parse(quoteUnsafeNumbers(text));
  if (isContainer(value)) harden(value);
  return { ok: true, value };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
// In ASCII, `[` and `{` differ by this bit alone, and so do `]` and `}`.
const braceBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/**
 * Finds a text that is beyond a bound without parsing it. Each key or element but the first of its container follows a comma, and
 * each container but the outermost is one: a text within the bounds never has more of either.
 */
function exceededBound(body: Buffer, maxLevels: number): 'depth' | 'nodes' | null {
  let depth = 0;
  let commas = 0;
  let containers = 0;
  let inString = false;
  for (let i = 0; i < body.length; i += 1) {
    const byte = body[i] ?? 0;
    if (inString) {
      if (byte === backslash) i += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === comma) commas += 1;
    else if ((byte | braceBit) === opening) {
      depth += 1;
      containers += 1;
      if (depth > maxLevels) return 'depth';
    } else if ((byte | braceBit) === closing) depth -= 1;
  }
  return commas >= maxNodes || containers > maxNodes + 1 ? 'nodes' : null;
}
