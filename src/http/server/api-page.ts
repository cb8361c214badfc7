/**
 * Serves the API reference at /docs/api: a page around the renderer that the build has copied.
 *
 * Promises: nothing is loaded from another host, and the page has no inline script. It needs no token: it shows the public
 * document and calls no operation.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Router } from 'express';
import { AppError } from '../../base/errors.ts';
import { pagePolicy } from './page-policy.ts';
import { serveStatic } from './static-document.ts';

// The renderer writes inline styles, and searches in a worker that it creates from a blob.
const policy = pagePolicy(
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'worker-src blob:',
);

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Inlet API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<main id="api"><p>The API reference is loading. The document is also at <a href="../v1/openapi.json">/v1/openapi.json</a>.</p></main>
<script src="redoc.js"></script>
<script src="start.js"></script>
</body>
</html>
`;

// The renderer's logo would be loaded from another host, which the policy forbids.
const style = `body { margin: 0; font-family: system-ui, sans-serif; }
#api > p { padding: 2rem; }
a[href*="redocly.com"] { display: none; }
`;

const start = `Redoc.init('../v1/openapi.json', {
  hideDownloadButton: true,
  expandResponses: '200,201',
  jsonSampleExpandLevel: 3,
  sortPropsAlphabetically: false,
  theme: {
    colors: { primary: { main: '#1f5f8b' } },
    typography: { fontFamily: 'system-ui, sans-serif', headings: { fontFamily: 'system-ui, sans-serif' } },
  },
}, document.getElementById('api'));
`;

const cachedForSeconds = 3_600;

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': `public, max-age=${cachedForSeconds}`,
};

const serveText = (contentType: string, text: string) =>
  serveStatic({ contentType, headers, read: () => text });

/** `folder`: contains the renderer, redoc.js. */
export function serveApiPage(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/docs/api', serveText('text/html', html));
  router.all('/docs/style.css', serveText('text/css', style));
  router.all('/docs/start.js', serveText('text/javascript', start));
  const readRenderer = () =>
    readFile(join(folder, 'redoc.js')).catch(() => {
      throw new AppError('not_found');
    });
  router.all(
    '/docs/redoc.js',
    serveStatic({ contentType: 'text/javascript', headers, read: readRenderer }),
  );
  return router;
}
