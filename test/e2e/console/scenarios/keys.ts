// Key rotation: the new URL is shown once, the usage of the old key is counted, and revoking ends it.
import { until } from '../../../support/processes/client.ts';
import { inlet } from './shared-console.ts';

const mapping = { eventId: { path: 'id' }, contact: { externalId: { path: 'id' } } };
const keyOf = (url: string) => url.split('/').at(-1) ?? '';

test.each(['en', 'pt-BR'] as const)('a key is rotated: %s', async (language) => {
  const hook = await inlet.addWebhook(`Rotated ${language}`, mapping);
  const old = keyOf(hook.url).slice(-4);
  const path = `/webhooks/${hook.id}/keys`;
  await inlet.visit({ language, path }, async (visit) => {
    const { textOf, page, pressButton, find, waitFor, keepSecret } = visit;
    keepSecret(keyOf(hook.url));
    await pressButton(textOf('keys.rotate'));
    const dialog = await waitFor('dialog', textOf('keys.rotate.title'));
    await pressButton(textOf('keys.rotate.action'), dialog);
    await pressButton(textOf('keys.made.copy'));
    const url = String(await page.evaluate('navigator.clipboard.readText()'));
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
    await until('the old URL is refused', async () => {
      const { status } = await inlet.deliver(hook.url, { id: 'too late' });
      return status === 401 ? true : undefined;
    });
    expect((await inlet.deliver(url, { id: 'still in time' })).status).toBe(200);
  });
});
