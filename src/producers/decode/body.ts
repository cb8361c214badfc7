/**
 * Decodes a body of any supported format to the plain object or list that a mapping reads.
 *
 * Promises: the same bytes and content type always give the same value, so a worker reads what the receiver read. The
 * bounds of JSON hold for every format. Must never throw.
 */
import type { Decoded, RawBody, BodyDecoder } from '../producer.ts';
import { textOf, type Charset } from './charset.ts';
import { bodyTypeOf } from './content-type.ts';
import { decodeForm, decodeFormText } from './form.ts';
import { decodeJsonIn } from './json.ts';
import { decodeMultipart } from './multipart.ts';
import { decodeFailure, unsupportedType } from './bounds.ts';
import { decodeXml } from './xml.ts';

/** Decodes JSON, forms, multipart forms, XML, and text that is JSON or a form. */
export const anyFormatBody: BodyDecoder = {
  acceptsContentType: (contentType) => bodyTypeOf(contentType) !== null,
  decodeBody({ contentType, body }: RawBody): Decoded {
    const type = bodyTypeOf(contentType);
    if (type === null) return unsupportedType();
    const { format, charset, boundary } = type;
    if (format === 'json') return decodeJsonIn(charset, body);
    if (format === 'xml') return decodeXml(body, charset);
    if (format === 'multipart') return decodeMultipart(body, { boundary: boundary ?? '', charset });
    // A wrong content type: curl sends JSON and XML as a form, beacons send JSON as text.
    if (looksLikeJson(body)) return decodeJsonIn(charset, body);
    if (format === 'form' && looksLikeXml(body)) {
      const decoded = decodeXml(body, charset);
      if (decoded.ok) return decoded;
    }
    return format === 'form' ? decodeForm(body, charset) : decodeText(body, charset);
  },
};

/** Decodes JSON, forms and multipart forms. */
export const formOrJsonBody: BodyDecoder = {
  acceptsContentType: (contentType) => isFormOrJson(contentType),
  decodeBody: (raw: RawBody): Decoded =>
    isFormOrJson(raw.contentType) ? anyFormatBody.decodeBody(raw) : unsupportedType(),
};

/** As `formOrJsonBody`, for a multipart form that names the character sets of its fields in one of them, as JSON. */
export const formWithCharsets = (charsetsField: string): BodyDecoder => ({
  acceptsContentType: formOrJsonBody.acceptsContentType,
  decodeBody(raw: RawBody): Decoded {
    const type = bodyTypeOf(raw.contentType);
    if (type?.format !== 'multipart') return formOrJsonBody.decodeBody(raw);
    const { boundary, charset } = type;
    return decodeMultipart(raw.body, { boundary: boundary ?? '', charset, charsetsField });
  },
});

function isFormOrJson(contentType: string | undefined): boolean {
  const format = bodyTypeOf(contentType)?.format;
  return format === 'json' || format === 'form' || format === 'multipart';
}

const startsLike = (body: Buffer, start: RegExp): boolean =>
  start.test(body.subarray(0, 256).toString('latin1'));
export const looksLikeJson = (body: Buffer): boolean => startsLike(body, /^(?:ï»¿)?\s*[[{]/);
const looksLikeXml = (body: Buffer): boolean => startsLike(body, /^(?:ï»¿)?\s*<(?:[?!]|[A-Z_a-z])/);

const formLine = /^[^\s=&]+=\S*$/;

function decodeText(body: Buffer, charset: Charset | null): Decoded {
  const text = textOf(body, charset)?.trim();
  if (text !== undefined && formLine.test(text)) return decodeFormText(text, charset);
  return decodeFailure('malformed_json', 'body.invalid_text');
}
