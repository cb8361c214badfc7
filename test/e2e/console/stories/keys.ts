// Key rotation: the new URL is shown once, the usage of the old key is counted, and revoking ends it.
import { waitForValue } from '../../../support/processes/client.ts';
import { copyBy } from '../../../support/console/setup-steps.ts';
import { inlet } from '../../../support/console/shared-console.ts';

const mapping = { eventId: { path: 'id' }, contact: { externalId: { path: 'id' } } };
const keyOf = (url: string) => url.split('/').at(-1) ?? '';

test('a key is rotated and its URL copied in six clicks, and the old one is revoked', async () => {
  const hook = await inlet.addWebhook('Rotated', mapping);
  const old = keyOf(hook.url).slice(-4);
  await inlet.visit({ language: 'es' }, async (visit) => {
    const { count, textOf, page, follow, pressButton, find, waitFor, keepSecret } = visit;
    keepSecret(keyOf(hook.url));
    const before = count.clicks;
    await follow(textOf('shell.webhooks'), find('navigation', textOf('shell.places')));
    await follow('Rotated');
    await follow(textOf('webhook.tab.keys'));
    await pressButton(textOf('keys.rotate'));
    const dialog = await waitFor('dialog', textOf('keys.rotate.title'));
    await pressButton(textOf('keys.rotate.action'), dialog);
    const url = await copyBy(visit, textOf('keys.made.copy'));
    expect(count.clicks - before).toBeLessThanOrEqual(6);
    expect(url).not.toBe(hook.url);
    keepSecret(keyOf(url));
    expect((await inlet.deliver(hook.url, { id: 'with the old one' })).status).toBe(200);
    expect((await inlet.deliver(url, { id: 'with the new one' })).status).toBe(200);
    await pressButton(textOf('keys.made.done'));
    expect(await page.getByRole('main').textContent()).not.toContain(keyOf(url));

    const revoke = textOf('keys.revokeOne', { lastFour: old });
    const row = find('row', new RegExp(`…${old}`)).filter({ has: find('button', revoke) });
    await pressButton(revoke, row);
    const asked = await waitFor('dialog', textOf('keys.revoke.title', { lastFour: old }));
    await pressButton(revoke, asked);
    await row.waitFor({ state: 'detached' });
    await waitForValue('the old URL is refused', async () => {
      const { status } = await inlet.deliver(hook.url, { id: 'too late' });
      return status === 401 ? true : undefined;
    });
    expect((await inlet.deliver(url, { id: 'still in time' })).status).toBe(200);
  });
});

test('a sender is refused by its address in six clicks', async () => {
  const hook = await inlet.addWebhook('Refused sender', mapping);
  await inlet.visit(
    {},
    async ({ count, find, follow, pressButton, press, sawToast, textOf, type, waitFor }) => {
      const before = count.clicks;
      await follow(textOf('shell.webhooks'), find('navigation', textOf('shell.places')));
      await follow('Refused sender');
      await follow(textOf('webhook.tab.settings'));
      const index = await waitFor('navigation', textOf('settings.index'));
      await press(find('link', textOf('settings.allowlist'), { where: index }));
      const group = find('region', textOf('settings.allowlist'));
      await group.getByRole('textbox', { name: textOf('settings.addresses') }).focus();
      await type(textOf('settings.addresses'), '203.0.113.0/24');
      await pressButton(textOf('settings.saveOne', { title: textOf('settings.allowlist') }));
      const now = textOf('settings.allowlist.now', { count: 1 });
      await group.getByRole('status').filter({ hasText: now }).waitFor();
      // The text follows what is typed; a page that closes would end the request.
      await sawToast(textOf('settings.saved'));
      expect(count.clicks - before).toBeLessThanOrEqual(6);
    },
  );
  await waitForValue('the sender is refused', async () =>
    (await inlet.deliver(hook.url, { id: 'refused' })).status === 403 ? true : undefined,
  );
});
