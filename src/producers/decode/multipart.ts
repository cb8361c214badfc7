/**
 * Decodes `multipart/form-data` to the fields of a form. Files are dropped; `_files` lists their names, types and sizes.
 */
import { make, type MultipartError, type PartInfo } from 'multipasta';
import { isFilePart, partNamesOf } from '../../base/form-part.ts';
import type { Decoded } from '../producer.ts';
import { decodeFailure, maxStringLength, outOfBounds } from './bounds.ts';
import { charsetNamed, textOf, type Charset } from './charset.ts';
import { nestFields } from './form.ts';

const filesKey = '_files';
/** PHP reads 1,000 fields by default. A part costs 5 µs, ten times as much as a value in JSON. */
const maxParts = 2_000;

type Part = { readonly boundary: string; readonly charset: Charset | null };
type File = { field: string; name: string; contentType: string; bytes: number };
type Parts = {
  fields: [string, string][];
  files: File[];
  error: MultipartError | null;
  isComplete: boolean;
};

export function decodeMultipart(body: Buffer, { boundary, charset }: Part): Decoded {
  const parts = partsOf(body, { boundary, charset });
  if (parts === null) return decodeFailure('malformed_json', 'The body is not readable multipart.');
  const { fields, files, error, isComplete } = parts;
  if (error !== null || !isComplete) {
    return error?._tag === 'ReachedLimit'
      ? outOfBounds(error.limit === 'MaxParts' ? 'too_many' : 'too_long')
      : decodeFailure('malformed_json', 'The body is not readable multipart.');
  }
  const decoded = nestFields(grouped(fields));
  if (!decoded.ok || files.length === 0) return decoded;
  const value = decoded.value as Record<string, unknown>;
  if (!(filesKey in value)) value[filesKey] = files.map(withoutPrototype);
  return decoded;
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Reads until the end or the first error. Returns null when the parser throws, which it does for invalid escapes in file names. */
function partsOf(body: Buffer, { boundary, charset }: Part): Parts | null {
  const parts: Parts = { fields: [], files: [], error: null, isComplete: false };
  const parser = make({
    headers: { 'content-type': `multipart/form-data; boundary=${quoted(boundary)}` },
    isFile: isFilePart,
    maxParts,
    maxFieldSize: maxStringLength,
    onField: (info, bytes) => {
      const own = charsetNamed(info.contentTypeParameters.charset ?? '') ?? charset;
      const text = textOf(Buffer.from(bytes), own) ?? textOf(Buffer.from(bytes), null) ?? '';
      parts.fields.push([nameOf(info), text]);
    },
    onFile: (info) => {
      const file = { field: nameOf(info), name: partNamesOf(info).fileName ?? '', bytes: 0 };
      const length = parts.files.push({ ...file, contentType: info.contentType });
      return (chunk) => {
        const current = parts.files[length - 1];
        if (current) current.bytes += chunk?.length ?? 0;
      };
    },
    onError: (error) => {
      parts.error = error;
      // The parser would read on.
      throw new Error(error._tag);
    },
    onDone: () => {
      parts.isComplete = true;
    },
  });
  try {
    parser.write(body);
    parser.end();
  } catch {
    return parts.error && parts;
  }
  return parts;
}

const nameOf = (info: PartInfo): string => partNamesOf(info).name ?? info.name;

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

const withoutPrototype = (file: File): File => Object.assign(Object.create(null), file);
