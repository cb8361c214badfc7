import type { Decoded, RawBody } from '../producer.ts';

/** Decodes a JSON body within the bounds. Objects have a null prototype. Never throws. */
export function decodeBody(raw: RawBody): Decoded {
  throw new Error(`not written yet: ${typeof raw}`);
}

/** Whether a body of this content type can be read at all; to be asked before the body is read. */
export function acceptsContentType(contentType: string | undefined): boolean {
  throw new Error(`not written yet: ${typeof contentType}`);
}
