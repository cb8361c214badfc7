// Sign-in: accepted and rejected tokens, their messages, and hidden actions.
import { inlet } from '../../../../support/console/shared-console.ts';

const tokenWith = async (more: object): Promise<{ id: string; token: string }> =>
  inlet.post('/v1/admin/tokens', { name: 'A colleague', ...more });

const refusedSignIn = [/POST \/v1\/console\/session/];

test('an unknown token is rejected with a message', async () => {
  const opening = { language: 'es', token: null, refusals: refusedSignIn } as const;
  await inlet.visit(opening, async (visit) => {
    const { textOf, page } = visit;
    expect(await page.title()).toBe('Inlet');
    await visit.waitFor('heading', textOf('signIn.title'));
    await visit.paste(textOf('signIn.token'), 'inlet_at_nobody-made-this-one');
    await visit.key('Enter');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toBe(textOf('signIn.wrong'));
    // A valid token is accepted afterwards.
    await visit.signIn((await tokenWith({ scopes: ['viewer'] })).token);
  });
});

test('a token with only the inbox scope opens the inbox', async () => {
  const { token } = await tokenWith({ scopes: ['inbox'] });
  await inlet.visit({ token }, async ({ page, textOf, waitFor, find }) => {
    await waitFor('heading', textOf('shell.inbox'));
    expect(new URL(page.url()).pathname).toBe('/inbox');
    const links = find('navigation', textOf('shell.places')).getByRole('link');
    expect(await links.allTextContents()).toEqual([textOf('shell.inbox')]);
  });
});

test('a token that expires during use leads to the sign-in screen with the reason', async () => {
  const { id, token } = await tokenWith({ scopes: ['viewer'] });
  const refusals = [/GET \/v1\/(?:admin|console)\//];
  await inlet.visit({ language: 'pt-BR', token, refusals }, async (visit) => {
    const { textOf, page } = visit;
    await inlet.remove(`/v1/admin/tokens/${id}`);
    await page.reload();
    const status = page.getByRole('status').filter({ hasText: textOf('signIn.refused') });
    await status.waitFor();
    await visit.field(textOf('signIn.token')).waitFor();
    // The reason survives a reload.
    await page.reload();
    await status.waitFor();
  });
});

describe('actions without the scope are hidden', () => {
  const places = ['overview', 'webhooks', 'events', 'failed', 'contacts', 'channels', 'notices'];
  test('from the navigation', async () => {
    // Reads that are under way when a session ends.
    const refusals = [/GET \/v1\/admin\//];
    await inlet.visit({ token: null, refusals }, async (visit) => {
      const { textOf, find, field, press, pressButton, signIn } = visit;
      for (const [scope, seen] of [
        ['admin', places.toSpliced(4, 0, 'inbox')],
        ['operator', places],
        ['viewer', places],
      ] as const) {
        await signIn((await tokenWith({ scopes: [scope] })).token);
        const links = find('navigation', textOf('shell.places')).getByRole('link');
        const names = seen.map((place) => textOf(`shell.${place}`));
        expect([scope, await links.allTextContents()]).toEqual([scope, names]);
        await pressButton(textOf('shell.more'));
        const signOut = find('menuitem', textOf('shell.signOut'));
        await signOut.waitFor();
        for (const place of ['team', 'tokens', 'audit']) {
          const isOffered = (await find('menuitem', textOf(`shell.${place}`)).count()) === 1;
          expect([scope, place, isOffered]).toEqual([scope, place, scope === 'admin']);
        }
        await press(signOut);
        await field(textOf('signIn.token')).waitFor();
      }
    });
  });

  test('and not reachable by URL', async () => {
    const { token } = await tokenWith({ scopes: ['viewer'] });
    await inlet.visit({ token, path: '/audit' }, async ({ open, textOf, waitFor }) => {
      await waitFor('heading', textOf('shell.forbidden'));
      for (const path of ['/tokens', '/webhooks/new', '/contacts/erasures']) {
        await open(path);
        await waitFor('heading', textOf('shell.forbidden'));
      }
    });
  });
});

test('an unknown URL shows a message and a link', async () => {
  await inlet.visit({ path: '/events/a/b/c' }, async ({ textOf, waitFor, follow, page }) => {
    await waitFor('heading', textOf('shell.notFound'));
    await follow(textOf('shell.toOverview'));
    await page.waitForURL('**/');
  });
});

test('the language is chosen on the sign-in screen, and kept', async () => {
  await inlet.visit(
    { language: 'en', token: null },
    async ({ page, textOf, choose, waitFor, find }) => {
      await choose(textOf('signIn.language'), 'Português (Brasil)');
      await waitFor('heading', 'Entrar no Inlet');
      await page.reload();
      await waitFor('heading', 'Entrar no Inlet');
      expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
      expect(await find('button', 'Entrar').count()).toBe(1);
    },
  );
});
