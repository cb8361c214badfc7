// The documentation site, from a screen of the console.
import { inlet } from '../../../support/console/shared-console.ts';
import { phone } from '../../../support/console/phone.ts';

test('a screen leads to its page of the documentation, where a search finds another', async () => {
  await inlet.visit({ path: '/inbox' }, async ({ page, find, textOf, waitFor, open }) => {
    const help = find('link', textOf('shell.help'));
    expect(await help.getAttribute('href')).toBe('/docs/answering');
    const [opened] = await Promise.all([page.waitForEvent('popup'), help.click()]);
    await opened.getByRole('heading', { name: 'Answering chats', level: 1 }).waitFor();
    await opened.close();

    // In this page, whose messages and requests are checked.
    await open('/docs/answering');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('rotate secret');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/(?!answering)[\w/-]+#/);
    await page.setViewportSize(phone);
    for (const path of ['/docs/', '/docs/errors', '/docs/mapping']) {
      await open(path);
      await waitFor('heading', /./);
      const wide = 'document.documentElement.scrollWidth - innerWidth';
      expect([path, await page.evaluate(wide)]).toEqual([path, 0]);
    }
  });
});

test('on a phone the help is in the menu', async () => {
  await inlet.visit({ ...phone, path: '/contacts' }, async ({ page, takeFromMenu, textOf }) => {
    await takeFromMenu(textOf('shell.more'), textOf('shell.help'));
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    await page.waitForURL('**/docs/contacts#find-and-edit');
  });
});
