/**
 * Serves documents that are the same for every client.
 *
 * Promises: all answers send the same bytes, so that an answer in progress takes no memory of its own. They carry an
 * `ETag`, and a client that has the document gets 304.
 */
import { gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { requestIdOf } from '../envelope.ts';
import { isNotModified } from '../requests/etag.ts';

type StaticDocument = {
  readonly plain: Buffer;
  readonly zipped: Buffer;
  readonly tag: string;
};

type DocumentOptions = {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called by the first request, and again after a failure. */
  readonly read: () => Promise<Buffer | string> | string;
};

const tagLength = 32;

/** Returns the handler of the document. It throws `method_not_allowed`, and what `read` throws. */
export function serveStatic({ contentType, headers = {}, read }: DocumentOptions): RequestHandler {
  let known: Promise<StaticDocument> | undefined;

  async function load(): Promise<StaticDocument> {
    const plain = Buffer.from(await read());
    const tag = `"${sha256(plain).slice(0, tagLength)}"`;
    return { plain, zipped: gzipSync(plain), tag };
  }

  return async (request, response) => {
    requireReading(request);
    known ??= load();
    const document = await known.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    requestIdOf(response);
    response.setHeaders(new Map(Object.entries(headers)));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Vary', 'Accept-Encoding');
    // Weak: it stands for the plain and the compressed bytes.
    response.setHeader('ETag', `W/${document.tag}`);
    if (isNotModified(request, document.tag)) response.writeHead(304).end();
    else send(request, response, { ...document, contentType });
  };
}

export function requireReading({ method }: Request): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new AppError('method_not_allowed', { details: { allow: 'GET, HEAD' } });
}

function send(
  request: Request,
  response: Response,
  { plain, zipped, contentType }: StaticDocument & { readonly contentType: string },
): void {
  const isZipped = request.acceptsEncodings('gzip') === 'gzip';
  const body = isZipped ? zipped : plain;
  if (isZipped) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Type', `${contentType}; charset=utf-8`);
  response.setHeader('Content-Length', body.length);
  response.end(body);
}
