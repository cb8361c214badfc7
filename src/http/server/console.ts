/**
 * Serves the built console at /.
 *
 * Promises: nothing is loaded from another host. The page has no inline script, and the policy forbids one. Each page has
 * its own nonce for the styles that libraries write. Asset files are named by a hash of their content and cached for a year;
 * the page is not cached. Paths that are not the console's are answered with 404.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { AppError } from '../../base/errors.ts';
import { cacheForever, serveFiles } from './static-files.ts';
import { pagePolicy } from './page-policy.ts';
import { requireReading } from './static-document.ts';

/** The first path segments of the console; its own router handles the rest. */
const sections = [
  'webhooks',
  'events',
  'dead-letters',
  'inbox',
  'contacts',
  'channels',
  'notices',
  'team',
  'audit',
  'tokens',
];

const policyOf = (nonce: string): string =>
  pagePolicy(
    `style-src 'self' 'nonce-${nonce}'`,
    // `blob:`: images of messages, which the page reads with the session.
    "img-src 'self' data: blob:",
    "font-src 'self'",
  );

/** `folder`: the built console. Without it every path is answered with 404. */
export function serveConsole(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: false });
  let page: Promise<string> | undefined;

  const sendPage: RequestHandler = async (request, response) => {
    requireReading(request);
    page ??= readFile(join(folder, 'index.html'), 'utf8');
    const template = await page.catch(() => {
      page = undefined;
      throw new AppError('not_found');
    });
    const nonce = randomBytes(18).toString('base64');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Content-Security-Policy', policyOf(nonce));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(request.method === 'HEAD' ? undefined : template.replaceAll('__NONCE__', nonce));
  };

  router.use(
    '/assets',
    serveFiles(join(folder, 'assets'), () => cacheForever),
  );
  router.all(
    ['/', ...sections.flatMap((section) => [`/${section}`, `/${section}/*rest`])],
    sendPage,
  );
  return router;
}
