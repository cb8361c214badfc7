import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_page');
});
afterAll(() => api.close());

const get = (path: string, method = 'GET') => fetch(`${api.url}${path}`, { method });

test('the page and its resources come from this server, and the policy allows no other', async () => {
  const page = await get('/docs/api');
  const html = await page.text();
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(policy).not.toMatch(/https?:|script-src[^;]*(?:unsafe|\*)/);
  expect(policy).toContain("default-src 'none'");
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, path = '']) => path)
    // The icon is inline.
    .filter((path) => !path.startsWith('data:'));
  expect(named).toHaveLength(4);
  for (const path of named) {
    expect(path).not.toMatch(/^(?:https?:)?\/\//);
    const { status } = await get(new URL(path, `${api.url}/docs/api`).pathname);
    expect([path, status]).toEqual([path, 200]);
  }
  expect(html).not.toMatch(/<script[^>]*>[^<]/);
});

test('the renderer is complete', async () => {
  const script = await get('/docs/redoc.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const text = await script.text();
  expect(text.length).toBeGreaterThan(500_000);
  // The vendor's logo, which the policy forbids.
  expect(text).not.toContain('cdn.redoc.ly');
  expect((await get('/docs/redoc.js', 'HEAD')).status).toBe(200);
});

test.each(['/v1/openapi.json', '/docs/api', '/docs/redoc.js'])(
  '%s is compressed for clients that accept it, and not sent again to one that has it',
  async (path) => {
    const at = (headers: Record<string, string>) => fetch(`${api.url}${path}`, { headers });
    const plain = await at({ 'accept-encoding': 'identity' });
    const zipped = await at({ 'accept-encoding': 'gzip' });
    const encodings = [plain, zipped].map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual([null, 'gzip']);
    expect(await zipped.text()).toBe(await plain.text());
    const etag = plain.headers.get('etag') ?? '';
    expect([zipped.headers.get('etag'), plain.headers.get('vary')]).toEqual([
      etag,
      'Accept-Encoding',
    ]);
    const again = await at({ 'if-none-match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(again.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await at({ 'if-none-match': '"other"' })).status).toBe(200);
  },
);

test('other paths are not found', async () => {
  expect((await get('/docs/../package.json')).status).toBe(404);
  expect((await get('/docs/nothing.js')).status).toBe(404);
  expect((await get('/docs/api', 'POST')).status).toBe(405);
});
