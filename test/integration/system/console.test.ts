// Delivery of the console: policy, caching and 404.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_console');
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${api.url}${path}`, { method, headers });

const policyOf = (response: Response): ReadonlyMap<string, string> => {
  const parts = (response.headers.get('content-security-policy') ?? '').split('; ');
  return new Map(parts.map((part) => part.split(/ (.*)/s) as [string, string]));
};

test('the policy allows only the server’s own resources, scripts from files, and styles with the nonce', async () => {
  const response = await get('/');
  const policy = policyOf(response);
  expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self'");
  expect(policy.get('style-src')).toMatch(/^'self' 'nonce-[\w+/]{22,}={0,2}'$/);
  expect(policy.get('connect-src')).toBe("'self'");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect(policy.get('base-uri')).toBe("'none'");
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

test('the page has no inline script or style, and references no other host', async () => {
  const html = await (await get('/')).text();
  expect(html).not.toMatch(/<script[^>]*>[^<]/);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(2);
  for (const path of named) expect(path).toMatch(/^\/assets\/[\w.-]+$/);
});

test('every answer has its own nonce, which its page contains, and is not cached', async () => {
  const nonces = await Promise.all(
    ['/', '/', '/webhooks'].map(async (path) => {
      const response = await get(path);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const nonce = /'nonce-([^']+)'/.exec(policyOf(response).get('style-src') ?? '')?.[1] ?? '';
      const carried = [...(await response.text()).matchAll(/nonce="([^"]*)"/g)];
      expect(new Set(carried.map(([, text]) => text))).toEqual(new Set([nonce]));
      return nonce;
    }),
  );
  expect(new Set(nonces).size).toBe(3);
});

test('each address of the console leads to its page', async () => {
  const source = readFileSync(join(import.meta.dirname, '../../../web/src/screens.tsx'), 'utf8');
  const paths = [...source.matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) {
    const { status, headers } = await get(path.replaceAll(/:\w+/g, 'x'));
    expect([path, status, headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
  }
});

test.each([
  '/nothing',
  '/webhook',
  '/Webhooks',
  '/index.html',
  '/manifest.json',
  '/assets/nothing.js',
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/v1/nothing',
  '/web',
])('%s is not found, with an answer in JSON', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toMatchObject({ status: false, data: { code: 'not_found' } });
});

test('methods other than GET and HEAD are rejected', async () => {
  expect((await get('/webhooks', {}, 'POST')).status).toBe(405);
  const head = await get('/', {}, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('files are compressed, and cached for a year: their names contain a hash', async () => {
  const html = await (await get('/')).text();
  const paths = [...html.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    for (const encoding of ['gzip', 'br']) {
      const { status, headers } = await get(path, { 'accept-encoding': encoding });
      expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, encoding]);
      expect(headers.get('cache-control')).toBe('public,max-age=31536000,immutable');
      expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  }
});
