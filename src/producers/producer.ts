export interface RawBody {
  contentType: string | undefined;
  body: Buffer;
}

export type DecodeCode = 'malformed_json' | 'invalid_body' | 'unsupported_media_type';

export type Decoded =
  { ok: true; value: unknown } | { ok: false; code: DecodeCode; message: string };

/** What Inlet must know of a kind of sender to read what it sends. */
export interface Producer {
  name: string;
  acceptsContentType(this: void, contentType: string | undefined): boolean;
  decodeBody(this: void, raw: RawBody): Decoded;
}
