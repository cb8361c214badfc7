/**
 * The console at /: what the build made of it, sent as it is.
 *
 * Promises: nothing of it comes from another host, no script stands in the page itself, and the browser is told to run
 * none; every page has a nonce of its own for the styles that its libraries write. Files are named by what is in them
 * and may be kept for ever; the page never is. Only the console's own addresses lead to it: any other stays 404.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Router, type RequestHandler, type Response } from 'express';
import sirv from 'sirv';
import { AppError } from '../../base/errors.ts';

/** The first segments of its addresses; what is behind them the console finds out by itself. */
const places = ['webhooks', 'events', 'dead-letters', 'contacts', 'channels', 'audit', 'tokens'];
const yearSeconds = 31_536_000;

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function prepare(response: Response): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
}

/** `folder`: where the build put it. A server that was built without has none, and answers 404. */
export function serveConsole(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: false });
  let page: Promise<string> | undefined;

  const sendPage: RequestHandler = async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new AppError('method_not_allowed', { details: { allow: 'GET, HEAD' } });
    }
    page ??= readFile(join(folder, 'index.html'), 'utf8');
    const template = await page.catch(() => {
      page = undefined;
      throw new AppError('not_found');
    });
    const nonce = randomBytes(18).toString('base64');
    prepare(response);
    response.setHeader('Content-Security-Policy', policyOf(nonce));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(request.method === 'HEAD' ? undefined : template.replaceAll('__NONCE__', nonce));
  };

  router.use('/assets', filesIn(join(folder, 'assets')));
  router.all(['/', ...places.flatMap((place) => [`/${place}`, `/${place}/*rest`])], sendPage);
  return router;
}

/** Compressed by the build, each beside its file. */
const filesIn = (folder: string): RequestHandler => {
  if (!existsSync(folder)) return (_request, _response, next) => next();
  const send = sirv(folder, {
    etag: true,
    brotli: true,
    gzip: true,
    immutable: true,
    maxAge: yearSeconds,
    setHeaders: (response) => prepare(response as Response),
  });
  return (request, response, next) => {
    // A build that took this one's place while it is served: what is gone ends this answer, and not the process.
    response.once('pipe', (file) => file.once('error', () => response.destroy()));
    send(request, response, () => next());
  };
};
