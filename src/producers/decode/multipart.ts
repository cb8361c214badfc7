/**
 * `multipart/form-data`: its fields as a form has them. Files are dropped; what they were is said in `_files`.
 */
import { make } from 'multipasta';
import type { MultipartError, PartInfo } from 'multipasta';
import type { Decoded } from '../producer.ts';
import { maxStringLength } from './bounds.ts';
import { charsetNamed, textOf } from './charset.ts';
import type { Charset } from './charset.ts';
import { maxParameters, nestFields } from './form.ts';
import { outOfBounds, decodeFailure } from './failure.ts';

export const filesKey = '_files';

type Part = { readonly boundary: string; readonly charset: Charset | null };
type File = { field: string; name: string; contentType: string; bytes: number };
type Parts = {
  fields: [string, string][];
  files: File[];
  error: MultipartError | null;
  isWhole: boolean;
};

export function decodeMultipart(body: Buffer, { boundary, charset }: Part): Decoded {
  const parts = partsOf(body, { boundary, charset });
  if (parts === null) return decodeFailure('malformed_json', 'The body is not readable multipart.');
  const { fields, files, error, isWhole } = parts;
  if (error !== null || !isWhole) {
    return error?._tag === 'ReachedLimit'
      ? outOfBounds(error.limit === 'MaxParts' ? 'too_many' : 'too_long')
      : decodeFailure('malformed_json', 'The body is not readable multipart.');
  }
  const decoded = nestFields(grouped(fields));
  if (!decoded.ok || files.length === 0) return decoded;
  const value = decoded.value as Record<string, unknown>;
  if (!(filesKey in value)) value[filesKey] = files.map(bare);
  return decoded;
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Null where the parser gives up: it decodes escapes in file names without minding broken ones. */
function partsOf(body: Buffer, { boundary, charset }: Part): Parts | null {
  const parts: Parts = { fields: [], files: [], error: null, isWhole: false };
  const parser = make({
    headers: { 'content-type': `multipart/form-data; boundary=${quoted(boundary)}` },
    maxParts: maxParameters,
    maxFieldSize: maxStringLength,
    onField: (info, bytes) => {
      const own = charsetNamed(info.contentTypeParameters.charset ?? '') ?? charset;
      const text = textOf(Buffer.from(bytes), own) ?? textOf(Buffer.from(bytes), null) ?? '';
      parts.fields.push([nameOf(info), text]);
    },
    onFile: (info) => {
      const file = { field: nameOf(info), name: info.filename ?? '', bytes: 0 };
      const length = parts.files.push({ ...file, contentType: info.contentType });
      return (chunk) => {
        const current = parts.files[length - 1];
        if (current) current.bytes += chunk?.length ?? 0;
      };
    },
    onError: (error) => {
      parts.error ??= error;
    },
    onDone: () => {
      parts.isWhole = true;
    },
  });
  try {
    parser.write(body);
    parser.end();
  } catch {
    return null;
  }
  return parts;
}

const dispositionName = /;\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i;

/** The parser knows names in Latin-1 only. Browsers escape quotes and line ends as a URL would. */
function nameOf({ headers, name }: PartInfo): string {
  const header = headers['content-disposition'];
  const found = typeof header === 'string' ? dispositionName.exec(header) : null;
  const given = found?.[1]?.replace(/\\(["\\])/g, '$1') ?? found?.[2] ?? name;
  return given.replaceAll('%22', '"').replaceAll('%0D%0A', '\n');
}

function grouped(fields: readonly [string, string][]): Record<string, string | string[]> {
  const groups: Record<string, string | string[]> = Object.create(null);
  for (const [name, text] of fields) {
    const known = groups[name];
    if (known === undefined) groups[name] = text;
    else if (Array.isArray(known)) known.push(text);
    else groups[name] = [known, text];
  }
  return groups;
}

const bare = (file: File): File => Object.assign(Object.create(null), file);
