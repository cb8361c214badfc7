/**
 * Serves the files of a folder that the build has written, compressed where the client accepts it.
 *
 * Promises: a file that is removed, or a client that disconnects, ends its answer and nothing else. Paths that the folder does not
 * have are left to the next handler.
 */
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { RequestHandler, Response } from 'express';
import sirv from 'sirv';
import { requestIdOf } from '../envelope.ts';

const yearSeconds = 31_536_000;

/** Of a file that is named by a hash of its content. */
export const cacheForever = {
  'Cache-Control': `public,max-age=${yearSeconds},immutable`,
};

/** `headersOf`: by the path below the folder, which begins with a slash. `/name` also serves `name.html`, and `/` serves `index.html`. */
export function serveFiles(
  folder: string,
  headersOf: (path: string) => Readonly<Record<string, string>>,
): RequestHandler {
  if (!existsSync(folder)) return (_request, _response, next) => next();
  const send = sirv(folder, {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(response, path) {
      requestIdOf(response as Response);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Referrer-Policy', 'no-referrer');
      for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value);
    },
  });
  return (request, response, next) => {
    // The server of files fails on ranges that are not valid.
    delete request.headers.range;
    response.once('pipe', (file) => {
      // A file that a new build has removed must end the answer, not the process.
      file.once('error', () => response.destroy());
      // `pipe` leaves the file open when the client disconnects.
      response.once('close', () => (file as Readable).destroy());
    });
    send(request, response, () => next());
  };
}
