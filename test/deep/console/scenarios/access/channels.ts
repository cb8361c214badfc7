// Channels: affected webhooks are named first, and a response after the dialog was closed does not navigate.
import type { Locator, Route } from 'playwright-core';
import { waitForValue } from '../../../../support/processes/client.ts';
import type { Visit } from '../../../../support/console/console.ts';
import { leadMapping } from '../../../../support/context/test-context.ts';
import { countryName } from '../../../../support/console/setup-steps.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

/** Holds the response until released. */
function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = false;
  const hold =
    (method: string) =>
    async (route: Route): Promise<void> => {
      if (route.request().method() !== method) return route.fallback();
      isAsked = true;
      await released;
      await route.continue();
    };
  const asked = () => waitForValue('it was asked', async () => (isAsked ? true : undefined));
  return { hold, asked, release };
}

/** The focused button is disabled during the request; the keyboard still works. */
async function closeDuringRequest({ page, key }: Visit, dialog: Locator): Promise<void> {
  await waitForValue('the title has the focus', async () =>
    (await page.evaluate('document.activeElement.tagName')) === 'H2' ? true : undefined,
  );
  await key('Escape');
  await dialog.waitFor({ state: 'detached' });
}

test('a channel created after its dialog was closed does not navigate', async () => {
  await inlet.visit({ path: '/channels' }, async (visit) => {
    const { page, textOf, find, pressButton, waitFor, type } = visit;
    const { hold, asked, release } = held();
    await page.route(/\/v1\/admin\/channels$/, hold('POST'));
    await pressButton(textOf('channels.new'));
    const dialog = await waitFor('dialog', textOf('channels.new'));
    await type(textOf('channels.name'), 'Made late', dialog);
    const country = textOf('channels.optional', { name: textOf('channels.setting.region') });
    await visit.search(country, await countryName(visit, 'BR'), dialog);
    await pressButton(textOf('channels.create'), dialog);
    await asked();
    await closeDuringRequest(visit, dialog);
    release();
    await find('link', 'Made late').waitFor();
    expect(new URL(page.url()).pathname).toBe('/channels');
    await visit.follow('Made late');
    const chosen = await waitForValue(
      'the country is shown',
      async () => (await find('combobox', country).inputValue()) || undefined,
    );
    expect(chosen).toBe(await countryName(visit, 'BR'));
  });
});

test('a channel deleted after its dialog was closed does not navigate, and the page says so', async () => {
  const { id } = await inlet.post('/v1/admin/channels', { name: 'Gone late', kind: 'inbox' });
  const refusals = [/GET \/v1\/admin\/channels\//];
  await inlet.visit({ path: `/channels/${id}`, refusals }, async (visit) => {
    const { page, textOf, find, pressButton, waitFor, sawToast } = visit;
    const { hold, asked, release } = held();
    await page.route(/\/v1\/admin\/channels\//, hold('DELETE'));
    await pressButton(textOf('channels.delete'));
    const dialog = await waitFor('dialog', textOf('channels.delete.title', { name: 'Gone late' }));
    await pressButton(textOf('channels.delete.action', { name: 'Gone late' }), dialog);
    await asked();
    await closeDuringRequest(visit, dialog);
    release();
    await sawToast(textOf('channels.deleted', { name: 'Gone late' }));
    await find('button', textOf('ui.retry')).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/channels/${id}`);
  });
});

test('affected webhooks are named, and a channel in use cannot be deleted', async () => {
  const hook = await inlet.addWebhook('Shop of the channel', leadMapping);
  const { channelId } = await inlet.get(`/v1/admin/webhooks/${hook.id}`);
  await inlet.visit({ path: `/channels/${channelId}` }, async (visit) => {
    const { textOf, find, key, pressButton, waitFor } = visit;
    const name = hook.name;
    await find('link', name).waitFor();
    await pressButton(textOf('channels.turnOff'));
    const off = await waitFor('dialog', textOf('channels.off.title', { name }));
    const whose = textOf('channels.off.whose', { count: 1, names: name });
    await off.filter({ hasText: whose }).waitFor();
    await key('Escape');
    await pressButton(textOf('channels.delete'));
    const dialog = await waitFor('dialog', textOf('channels.delete.title', { name }));
    await find('link', name, { where: dialog }).waitFor();
    const action = textOf('channels.delete.action', { name });
    expect(await find('button', action, { where: dialog }).isDisabled()).toBe(true);
  });
});
