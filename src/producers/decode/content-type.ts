import { charsetNamed, type Charset } from './charset.ts';

type Format = 'json' | 'form' | 'multipart' | 'xml' | 'text';

/** A parsed content type. `charset` and `boundary` are null when it does not name them. */
type BodyType = { format: Format; charset: Charset | null; boundary: string | null };

const maxLength = 256;
/** The type at the beginning, perhaps in quotes, up to a semicolon, a comma, a quote or a blank. */
const mediaType = /^[\s"']*([^\s"';,]+)/;
const jsonTypes =
  /^(?:applications?\/(?:x-)?json|text\/(?:x-)?json|json|[\w.!#$&^-]+\/[\w.!#$&^-]+\+json)$/;
const xml = /^(?:application\/xml|text\/xml|[\w.!#$&^-]+\/[\w.!#$&^-]+\+xml)$/;
// The alternatives start with different characters, so matching is linear.
const parameter = /[;,\s]\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/g;

const json: BodyType = { format: 'json', charset: null, boundary: null };

/**
 * Returns null for an unsupported content type. One that is written wrongly is read where one reading is possible: in quotes,
 * twice, without the semicolon, or `applications/json`.
 */
export function bodyTypeOf(contentType: string | undefined): BodyType | null {
  // Nearly all requests; not worth an expression.
  if (contentType === undefined || contentType === 'application/json') return json;
  if (contentType.trim() === '') return json;
  if (contentType.length > maxLength) return null;
  const type = mediaTypeOf(contentType);
  const format = formatOf(type);
  if (format === null) return null;
  const isOfOneType = contentType.split(',').every((each) => mediaTypeOf(each) === type);
  if (format === 'json' && !isOfOneType) return null;
  const parameters = parametersOf(contentType);
  const label = parameters.get('charset');
  const charset = label === undefined ? null : charsetNamed(label);
  const boundary = parameters.get('boundary') ?? null;
  if (label !== undefined && charset === null) return null;
  if (format === 'multipart' && !boundary) return null;
  return { format, charset, boundary };
}

const mediaTypeOf = (text: string): string => (mediaType.exec(text)?.[1] ?? '').toLowerCase();

function formatOf(type: string): Format | null {
  if (jsonTypes.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (type === 'text/plain') return 'text';
  return xml.test(type) ? 'xml' : null;
}

function parametersOf(contentType: string): ReadonlyMap<string, string> {
  return new Map(
    [...contentType.matchAll(parameter)].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, '$1') ?? plain,
    ]),
  );
}
