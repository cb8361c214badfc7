// The credential of the console: no script reads it, no other origin uses it, and tabs share it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { waitForValue } from '../../../../support/processes/client.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

const newToken = (name: string, scope = 'admin'): Promise<{ id: string; token: string }> =>
  inlet.post('/v1/admin/tokens', { name, scopes: [scope] });

const countOf = async (name: string): Promise<number> =>
  (await inlet.list(`/v1/admin/tokens?name=${name}`)).pagings.total;

/** Serves pages on another port of this host: the same site, and another origin. */
async function withOtherOrigin(
  pages: Readonly<Record<string, { readonly type: string; readonly text: string }>>,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const server = createServer(({ url = '' }, response) => {
    const { type, text } = pages[url] ?? { type: 'text/plain', text: '' };
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const html = (text: string) => ({ type: 'text/html', text });

test('scripts can read neither the token nor the cookie', async () => {
  const { token } = await newToken('Unread');
  await inlet.visit({ token }, async ({ page }) => {
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: 'inlet_session',
      httpOnly: true,
      sameSite: 'Strict',
      path: '/v1',
    });
    const secret = cookie?.value ?? '';
    expect([secret.startsWith('inlet_cs_'), secret.includes(token)]).toEqual([true, false]);
    const readable = await page.evaluate<string>(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])',
    );
    expect(readable).toContain('Unread');
    expect(readable).not.toContain(token);
    expect(readable).not.toContain(secret);
    // The cookie alone, as a script of this origin could send it.
    const read = `fetch('/v1/admin/tokens', { headers: HEADERS }).then(({ status }) => status)`;
    expect(await page.evaluate(read.replace('HEADERS', `{ 'x-inlet-console': '1' }`))).toBe(200);
  });
});

test('a page of another port uses no session', async () => {
  const target = `${inlet.url}/v1/admin/tokens`;
  const form = `<form method="post" enctype="text/plain" action="${target}">
    <input name='{"name":"forged","scopes":["admin"],"x":"' value='"}'></form>`;
  await withOtherOrigin({ '/': html(form) }, (origin) =>
    inlet.visit({}, async ({ page }) => {
      const other = await page.context().newPage();
      await other.goto(origin);
      const answered = other.waitForResponse(target);
      await other.evaluate('document.forms[0].submit()');
      const answer = await answered;
      await other.waitForURL(target);
      expect((await answer.request().allHeaders())['cookie']).toContain('inlet_session=');
      expect(answer.status()).toBe(401);

      await other.goto(origin);
      const send = (mode: string, headers: object) =>
        other.evaluate<string>(`fetch('${target}', {
          method: 'POST', credentials: 'include', mode: '${mode}', headers: ${JSON.stringify(headers)},
          body: '{"name":"forged","scopes":["admin"]}',
        }).then(({ type }) => type, () => 'failed')`);
      expect(await send('no-cors', { 'x-inlet-console': '1' })).toBe('opaque');
      expect(await send('cors', { 'x-inlet-console': '1' })).toBe('failed');
      expect(await countOf('forged')).toBe(0);
    }),
  );
});

test('an answer of a webhook runs no script', async () => {
  const script = `new Image().src = '/ran'; document.documentElement.id = 'ran';`;
  const text = `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${script}</script></body></html>`;
  const webhook = await inlet.addWebhook('Hostile');
  const settings = `/v1/admin/webhooks/${webhook.id}/settings`;
  const answer = { status: 200, contentType: 'text/xml', body: text };
  const refused = await inlet.patch(settings, { answer: { ...answer, contentType: 'text/html' } });
  expect([refused.status, refused.data.fields[0].path]).toEqual([422, '/answer/contentType']);
  expect((await inlet.patch(settings, { answer })).status).toBe(200);
  const pages = {
    '/': html(`<form method="post" action="${webhook.url}"><input name="a" value="1"></form>`),
    '/same': { type: 'text/xml', text },
  };
  const hasRun = async (page: Page, open: () => Promise<unknown>): Promise<boolean> => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await open();
    await page.waitForLoadState('load');
    await page.waitForLoadState('networkidle');
    return requests.includes('/ran');
  };
  await withOtherOrigin(pages, (origin) =>
    inlet.visit({}, async ({ page }) => {
      const other = await page.context().newPage();
      // Without the policy the same document runs its script.
      expect(await hasRun(other, () => other.goto(`${origin}/same`))).toBe(true);
      const victim = await page.context().newPage();
      await victim.goto(origin);
      const submit = async () => {
        await Promise.all([
          victim.waitForURL(webhook.url),
          victim.evaluate('document.forms[0].submit()'),
        ]);
      };
      expect(await hasRun(victim, submit)).toBe(false);
    }),
  );
});

test('tabs are signed in and out together', async () => {
  const { token } = await newToken('Tabs', 'viewer');
  // Reads that are under way when the session ends.
  await inlet.visit(
    { token, refusals: [/GET \/v1\/admin\//] },
    async ({ page, textOf, takeFromMenu, field }) => {
      const other = await page.context().newPage();
      const places = other.getByRole('navigation', { name: textOf('shell.places') });
      const entry = other.getByLabel(textOf('signIn.token'));
      await other.goto(inlet.url);
      await places.waitFor();
      await other.evaluate("sessionStorage.setItem('inlet.mapping.of-a-webhook.1', '{}')");
      await takeFromMenu(textOf('shell.more'), textOf('shell.signOut'));
      await field(textOf('signIn.token')).waitFor();
      await entry.waitFor();
      expect(await other.evaluate('sessionStorage.length')).toBe(0);
      expect(await page.context().cookies()).toEqual([]);

      await entry.fill(token);
      await entry.press('Enter');
      await places.waitFor();
      await page.getByRole('navigation', { name: textOf('shell.places') }).waitFor();
    },
  );
});

test('without an answer of the server a session stays signed in, and says so', async () => {
  const { token } = await newToken('Stays', 'viewer');
  await inlet.visit(
    { token, refusals: [/GET \/v1\/admin\//] },
    async ({ page, textOf, takeFromMenu, waitFor, sawToast }) => {
      await page.route('**/v1/console/session', (route) => route.abort());
      await takeFromMenu(textOf('shell.more'), textOf('shell.signOut'));
      await sawToast(textOf('shell.signOutFailed'));
      await waitFor('navigation', textOf('shell.places'));
      await page.unroute('**/v1/console/session');
      await takeFromMenu(textOf('shell.more'), textOf('shell.signOut'));
      await waitForValue('the cookie is gone', async () =>
        (await page.context().cookies()).length === 0 ? true : undefined,
      );
    },
  );
});
