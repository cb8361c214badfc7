import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageFiles } from '../../../scripts/lib/site/pages.mjs';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

const siteFolder = join(import.meta.dirname, '../../../dist/docs');

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_site');
});
afterAll(() => api.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${api.url}${path}`, init);

/** The pages that the build wrote, without `.html`. */
const builtPages = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -'.html'.length).replaceAll('\\', '/'));
const htmlOf = (page: string) => readFileSync(join(siteFolder, `${page}.html`), 'utf8');

test('every page of the repository is on the site', () => {
  expect(builtPages.toSorted()).toEqual([...pageFiles.keys(), '404'].toSorted());
  expect(builtPages).toEqual(
    expect.arrayContaining(['index', 'settings', 'metrics', 'errors', 'cli', 'transforms']),
  );
});

test('/docs leads to the first page, also below the path of a proxy', async () => {
  const answer = await get('/docs', { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'docs/']);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const page = await get('/docs');
  expect(new URL(page.url).pathname).toBe('/docs/');
  expect([page.status, await page.text()]).toEqual([200, htmlOf('index')]);
});

test('a page is asked for again, and its policy allows no inline script and no other host', async () => {
  const page = await get('/docs/mapping');
  expect(page.headers.get('content-type')).toBe('text/html;charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toMatch(/https?:|style-src [^;]*unsafe|\*/);
  const etag = page.headers.get('etag') ?? '';
  const again = await get('/docs/mapping', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

test('no page has an inline script or a resource of another host', () => {
  for (const page of builtPages) {
    const tags = htmlOf(page).match(/<(?:script|link|img|iframe)\b[^>]*>[^<]?/g) ?? [];
    expect(tags.length).toBeGreaterThan(3);
    const wrong = tags.filter(
      (tag) =>
        /(?:src|href)="(?!\/docs\/|data:)/.test(tag) ||
        /^<script(?![^>]* src=)|^<script[^>]*>[^<]$/.test(tag),
    );
    expect([page, wrong]).toEqual([page, []]);
  }
});

test('every file that the pages name is served, compressed and for a year', async () => {
  const named = builtPages.flatMap((page) =>
    [...htmlOf(page).matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    ),
  );
  const paths = [...new Set(named)];
  expect(paths.length).toBeGreaterThan(60);
  for (const path of paths) {
    const { status, headers } = await get(path, { headers: { 'accept-encoding': 'br' } });
    const cached = headers.get('cache-control');
    expect([path, status, cached]).toEqual([path, 200, 'public,max-age=31536000,immutable']);
    const encoding = path.endsWith('.png') ? null : 'br';
    expect([path, headers.get('content-encoding')]).toEqual([path, encoding]);
  }
});

test('other paths are not found, and only reading is allowed', async () => {
  for (const path of ['/docs/nothing', '/docs/assets/nothing.js', '/docs/%2e%2e/web/index.html']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  const answer = await get('/docs/mapping', { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
