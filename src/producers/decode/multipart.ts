/**
 * Decodes `multipart/form-data` to the fields of a form. Files are dropped; `_files` lists their names, types and sizes.
 */
import { make, type MultipartError, type PartInfo } from 'multipasta';
import { isFilePart, partNamesOf } from '../../base/form-part.ts';
import type { Decoded } from '../producer.ts';
import { decodeFailure, maxStringLength, outOfBounds } from './bounds.ts';
import { charsetNamed, textOf, unreadableText, type Charset } from './charset.ts';
import { nestFields } from './form.ts';
import { decodeJson } from './json.ts';

const filesKey = '_files';
/** PHP reads 1,000 fields by default. A part costs 5 µs, ten times as much as a value in JSON. */
const maxParts = 2_000;

type Form = {
  readonly boundary: string;
  readonly charset: Charset | null;
  /** The field that names the character sets of others, as a JSON object. */
  readonly charsetsField?: string;
};
/** `label` is the character set that the part itself names. */
type Field = { readonly name: string; readonly bytes: Buffer; readonly label: string | undefined };
type File = { field: string; name: string; contentType: string; bytes: number };
type Parts = {
  fields: Field[];
  files: File[];
  error: MultipartError | null;
  isComplete: boolean;
};

export function decodeMultipart(body: Buffer, form: Form): Decoded {
  const parts = partsOf(body, form);
  if (parts === null) return decodeFailure('malformed_json', 'body.invalid_multipart');
  const { fields, files, error, isComplete } = parts;
  if (error !== null || !isComplete) {
    return error?._tag === 'ReachedLimit'
      ? outOfBounds(error.limit === 'MaxParts' ? 'too_many' : 'too_long')
      : decodeFailure('malformed_json', 'body.invalid_multipart');
  }
  const decoded = nestFields(grouped(textsOf(fields, form)));
  if (!decoded.ok || files.length === 0) return decoded;
  const value = decoded.value as Record<string, unknown>;
  if (!(filesKey in value)) value[filesKey] = files.map(withoutPrototype);
  return decoded;
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Reads until the end or the first error. Returns null when the parser throws, which it does for invalid escapes in file names. */
function partsOf(body: Buffer, { boundary }: Form): Parts | null {
  const parts: Parts = { fields: [], files: [], error: null, isComplete: false };
  const parser = make({
    headers: { 'content-type': `multipart/form-data; boundary=${quoted(boundary)}` },
    isFile: isFilePart,
    maxParts,
    maxFieldSize: maxStringLength,
    onField: (info, bytes) => {
      const label = info.contentTypeParameters.charset;
      parts.fields.push({ name: nameOf(info), bytes: Buffer.from(bytes), label });
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

/** HTML's name of a field that names the character set of the form (HTML, form submission, 4.10.21.5). */
const formCharsetField = '_charset_';

/** Decodes each field in the set that is named for it: by the part, by a field of the form, or for the whole body. */
function textsOf(
  fields: readonly Field[],
  { charset, charsetsField }: Form,
): readonly [string, string][] {
  const fieldText = (name: string | undefined) =>
    fields.find((field) => field.name === name)?.bytes.toString('latin1');
  const named = labelsIn(fieldText(charsetsField));
  const ofForm = fieldText(formCharsetField);
  return fields.map(({ name, bytes, label }) => {
    const declared = label ?? named.get(name) ?? ofForm;
    if (declared === undefined) return [name, textOf(bytes, charset) ?? unreadableText(bytes)];
    const own = charsetNamed(declared);
    return [name, (own && textOf(bytes, own)) ?? unreadableText(bytes)];
  });
}

function labelsIn(json: string | undefined): ReadonlyMap<string, string> {
  const decoded = json === undefined ? null : decodeJson(Buffer.from(json));
  const labels = decoded?.ok ? Object.entries(decoded.value as object) : [];
  return new Map(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
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
