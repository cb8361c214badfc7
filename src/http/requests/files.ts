/**
 * Reads `multipart/form-data` with files into memory, within limits of a request.
 *
 * Promises: the type of a file is judged by its bytes. What is neither of a known type nor UTF-8 text is rejected.
 */
import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { fileTypeFromBuffer } from 'file-type';
import { make, type MultipartError, type PartInfo } from 'multipasta';
import { AppError, invalidField } from '../../base/errors.ts';
import { isFilePart, partNamesOf } from '../../base/form-part.ts';
import { mediaTypes, type MediaType } from '../../domain/messages/message.ts';
import type { TokenBody } from './token-bodies.ts';
import { textWith } from '../../base/texts/texts.ts';

export type UploadedFile = {
  readonly type: MediaType;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
};

export class FormWithFiles {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly UploadedFile[];

  constructor(fields: Readonly<Record<string, string>>, files: readonly UploadedFile[]) {
    this.fields = fields;
    this.files = files;
  }
}

const maxFiles = 10;
const maxFields = 20;
const maxFieldBytes = 65_536 * 4;
const maxNameLength = 200;

/** Content types by part. Browsers run none of them. */
const allowed: Readonly<Record<MediaType, RegExp>> = {
  image: /^image\/(?:jpeg|png|gif|webp)$/,
  video: /^video\/(?:mp4|webm|quicktime|3gpp|mpeg)$/,
  audio:
    /^(?:audio\/(?:mpeg|ogg|opus|mp4|aac|x-m4a|wav|vnd\.wave|amr|webm)|video\/(?:ogg|webm|mp4))$/,
  document:
    /^(?:application\/(?:pdf|zip|rtf|x-cfb|vnd\.(?:openxmlformats|oasis|ms-)[\w.-]*)|text\/(?:plain|csv)|image\/(?:jpeg|png|gif|webp|tiff))$/,
};

/** The names of parts, such as `images` and `images[]`. */
const typeOfPart = (name: string): MediaType | undefined =>
  mediaTypes.find((type) => name.replace(/\[\d*\]$/, '') === `${type}s`);

/** Rejects with what the reader of the body rejects with, `malformed_json`, `invalid_field` or `unsupported_media_type`. */
export async function readFiles(
  request: Request,
  readBody: TokenBody['readFiles'],
): Promise<FormWithFiles> {
  const body = await readBody(request);
  const { fields, files } = partsOf(body, request.headers['content-type'] ?? '');
  const judged: UploadedFile[] = [];
  for (const file of files) judged.push(await judge(file));
  return new FormWithFiles(Object.fromEntries(fields), judged);
}

type RawFile = { readonly part: string; readonly name: string; readonly bytes: Buffer };
type Parts = { readonly fields: [string, string][]; readonly files: RawFile[] };

function partsOf(body: Buffer, contentType: string): Parts {
  const fields: [string, string][] = [];
  const files: (Omit<RawFile, 'bytes'> & { chunks: Uint8Array[] })[] = [];
  let error: MultipartError | undefined;
  let isComplete = false;
  const parser = make({
    headers: { 'content-type': contentType },
    isFile: isFilePart,
    maxParts: maxFiles + maxFields,
    maxFieldSize: maxFieldBytes,
    onField: ({ name }, bytes) => void fields.push([name, Buffer.from(bytes).toString('utf8')]),
    onFile: (info: PartInfo) => {
      const chunks: Uint8Array[] = [];
      const { name, fileName } = partNamesOf(info);
      files.push({ part: name ?? info.name, name: fileNameOf(fileName ?? ''), chunks });
      // The parser reuses its memory.
      return (chunk) => void (chunk && chunks.push(Buffer.from(chunk)));
    },
    onError: (failure) => {
      error ??= failure;
    },
    onDone: () => {
      isComplete = true;
    },
  });
  try {
    parser.write(body);
    parser.end();
  } catch (cause) {
    throw new AppError('malformed_json', { cause });
  }
  if (error?._tag === 'ReachedLimit') throw new AppError('body_too_large');
  if (error || !isComplete) throw new AppError('malformed_json');
  if (files.length > maxFiles)
    throw invalidField('', textWith('field.too_many_files', { max: maxFiles }));
  return {
    fields,
    files: files.map(({ chunks, ...file }) => ({ ...file, bytes: Buffer.concat(chunks) })),
  };
}

/** Without folders and control characters. */
const fileNameOf = (given: string): string =>
  (given.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, maxNameLength) || 'file';

async function judge({ part, name, bytes }: RawFile): Promise<UploadedFile> {
  const type = typeOfPart(part);
  if (!type) throw invalidField(`/${part.slice(0, 100)}`, 'field.unknown');
  if (bytes.length === 0) throw invalidField(`/${part}`, 'field.empty_file');
  const found = await fileTypeFromBuffer(bytes);
  const contentType = found?.mime ?? (isText(bytes) ? 'text/plain' : undefined);
  if (contentType === undefined || !allowed[type].test(contentType)) {
    throw new AppError('unsupported_media_type');
  }
  return { type, name, contentType, bytes };
}

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);
