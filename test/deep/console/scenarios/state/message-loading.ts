// Message files that fail to load: the page says so in the language it has, and loads them on retry.
import { textsIn } from '../../../../support/console/messages.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

const messages = [/Failed to fetch dynamically imported module|Unable to preload/];
const languageNames = { 'pt-BR': 'Português (Brasil)', es: 'Español' };
const files = (language: string) => new RegExp(`/assets/${language}-[^/]+\\.js`);

test('without the messages of the browser’s language the page is in English and says so', async () => {
  const opening = { language: 'pt-BR', token: null, messages } as const;
  await inlet.visit(opening, async ({ page, textOf, find, pressButton }) => {
    const english = textsIn('en');
    await page.route(files('pt-BR'), (route) => route.abort());
    await page.reload();
    const missing = english('ui.languageMissing', { language: languageNames['pt-BR'] });
    const status = page.getByRole('status').filter({ hasText: missing });
    await status.waitFor();
    await find('heading', english('signIn.title')).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.unroute(files('pt-BR'));
    await pressButton(english('ui.retry'));
    await find('heading', textOf('signIn.title')).waitFor();
    expect(await status.count()).toBe(0);
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
  });
});

test('without any messages the page shows a text and a retry button', async () => {
  const opening = { language: 'es', token: null, messages } as const;
  await inlet.visit(opening, async ({ page, textOf, find, pressButton }) => {
    for (const one of ['en', 'es']) await page.route(files(one), (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor();
    const failedAgain = ['en', 'es'].map((one) =>
      page.waitForEvent('requestfailed', (request) => files(one).test(request.url())),
    );
    await pressButton('Try again');
    await Promise.all(failedAgain);
    await page.unrouteAll();
    await pressButton('Try again');
    await find('heading', textOf('signIn.title')).waitFor();
  });
});

test('a language that fails to load keeps the current one', async () => {
  await inlet.visit({ messages }, async ({ page, textOf, find, pressButton, takeFromMenu }) => {
    await page.route(files('es'), (route) => route.abort());
    await takeFromMenu(textOf('shell.more'), languageNames.es);
    const missing = textOf('ui.languageMissing', { language: languageNames.es });
    await page.getByRole('status').filter({ hasText: missing }).waitFor();
    await find('heading', textOf('shell.overview')).waitFor();
    await page.unroute(files('es'));
    await pressButton(textOf('ui.retry'));
    await find('heading', textsIn('es')('shell.overview')).waitFor();
  });
});

test('slow messages never leave an empty page', async () => {
  await inlet.visit({ language: 'pt-BR', token: null }, async ({ page, textOf, find }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(files('pt-BR'), async (route) => {
      await held;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    const opening = page.getByRole('status').filter({ hasText: 'Carregando …' });
    await opening.waitFor();
    release();
    await find('heading', textOf('signIn.title')).waitFor();
    expect(await opening.count()).toBe(0);
  });
});
