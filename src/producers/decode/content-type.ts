import { charsetNamed, type Charset } from './charset.ts';
import { isJsonType } from './json.ts';

type Format = 'json' | 'form' | 'multipart' | 'xml' | 'text';

/** A parsed content type. `charset` and `boundary` are null when it does not name them. */
type BodyType = { format: Format; charset: Charset | null; boundary: string | null };

const maxLength = 256;
const xml = /^(?:application\/xml|text\/xml|[\w.!#$&^-]+\/[\w.!#$&^-]+\+xml)$/;
// The alternatives start with different characters, so matching is linear.
const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/g;

const json: BodyType = { format: 'json', charset: null, boundary: null };

/** Returns null for an unsupported content type. */
export function bodyTypeOf(contentType: string | undefined): BodyType | null {
  if (isJsonType(contentType) || contentType === undefined) return json;
  if (contentType.length > maxLength) return null;
  const [type = ''] = contentType.split(';', 1);
  const format = formatOf(type.trim().toLowerCase());
  if (format === null) return null;
  const parameters = parametersOf(contentType);
  const label = parameters.get('charset');
  const charset = label === undefined ? null : charsetNamed(label);
  const boundary = parameters.get('boundary') ?? null;
  if (label !== undefined && charset === null) return null;
  if (format === 'multipart' && !boundary) return null;
  return { format, charset, boundary };
}

function formatOf(type: string): Format | null {
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
