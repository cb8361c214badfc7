export interface RawBody {
  contentType: string | undefined;
  body: Buffer;
}

export type DecodeCode = 'malformed_json' | 'invalid_body' | 'unsupported_media_type';

export type Decoded =
  { ok: true; value: unknown } | { ok: false; code: DecodeCode; message: string };

/** How the bodies of a kind of sender are read. */
export interface Reader {
  /** Whether a body of this content type can be read at all; to be asked before the body is read. */
  acceptsContentType(this: void, contentType: string | undefined): boolean;
  /** Never throws; the same body always gives the same value. */
  decodeBody(this: void, raw: RawBody): Decoded;
}

/** What Inlet must know of a kind of sender to read what it sends. */
export interface Producer extends Reader {
  name: string;
}
