/**
 * Serves the documentation site at /docs/.
 *
 * Promises: nothing is loaded from another host, and the policy allows scripts only from files of this server. Asset files are named by
 * a hash of their content and cached for a year; pages are asked for again. It needs no token.
 */
import { Router } from 'express';
import { requestIdOf } from '../envelope.ts';
import { pagePolicy } from './page-policy.ts';
import { requireReading } from './static-document.ts';
import { cacheForever, serveFiles } from './static-files.ts';

const policy = pagePolicy(
  "style-src 'self'",
  // Each word of an example has its colours in an attribute.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
);

const headersOfPage = { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' };

const headersOf = (path: string) => (path.startsWith('/assets/') ? cacheForever : headersOfPage);

/** `folder`: the built site. Without it every path but /docs is answered with 404. */
export function serveDocsSite(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/docs', (request, response) => {
    requireReading(request);
    // Relative: a proxy may serve Inlet below another path.
    requestIdOf(response);
    const headers = { Location: 'docs/', 'Cache-Control': 'no-cache', 'Content-Length': 0 };
    response.writeHead(302, headers).end();
  });
  router.use('/docs', (request, _response, next) => {
    requireReading(request);
    next();
  });
  router.use('/docs', serveFiles(folder, headersOf));
  return router;
}
