// Sign-in and sign-out. The deep tier has rejected tokens, their messages and hidden actions.
import { inlet } from '../../../support/console/shared-console.ts';

test('a session survives a reload, and signing out clears the tab', async () => {
  // Reads that are under way when the session ends.
  await inlet.visit(
    { refusals: [/GET \/v1\/admin\//] },
    async ({ page, textOf, waitFor, takeFromMenu, field }) => {
      await page.evaluate("sessionStorage.setItem('inlet.mapping.of-a-webhook.1', '{}')");
      await page.reload();
      await waitFor('navigation', textOf('shell.places'));
      await takeFromMenu(textOf('shell.more'), textOf('shell.signOut'));
      await field(textOf('signIn.token')).waitFor();
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
      await page.reload();
      await field(textOf('signIn.token')).waitFor();
    },
  );
});
