// Channels: affected webhooks are named first, and a response after the dialog was closed does not navigate.
import type { Locator, Route } from 'playwright-core';
import { until } from '../../../support/processes/client.ts';
import type { Visit } from '../../../support/console/console.ts';
import { leadMapping } from '../../../support/context/test-context.ts';
import { inlet } from './shared-console.ts';

/** Holds the response until released. */
function held() {
  let letGo = () => {};
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isAsked = false;
  const hold =
    (method: string) =>
    async (route: Route): Promise<void> => {
      if (route.request().method() !== method) return route.fallback();
      isAsked = true;
      await isFree;
      await route.continue();
    };
  const asked = () => until('it was asked', async () => (isAsked ? true : undefined));
  return { hold, asked, letGo };
}

/** The focused button is disabled during the request; the keyboard still works. */
async function closeMeanwhile({ page, key }: Visit, dialog: Locator): Promise<void> {
  await until('the title has the focus', async () =>
    (await page.evaluate('document.activeElement.tagName')) === 'H2' ? true : undefined,
  );
  await key('Escape');
  await dialog.waitFor({ state: 'detached' });
}

test('a channel created after its dialog was closed does not navigate', async () => {
  await inlet.visit({ path: '/channels' }, async (visit) => {
    const { page, say, find, pressButton, sees, type } = visit;
    const { hold, asked, letGo } = held();
    await page.route(/\/v1\/admin\/channels$/, hold('POST'));
    await pressButton(say('channels.new'));
    const dialog = await sees('dialog', say('channels.new'));
    await type(say('channels.name'), 'Made late', dialog);
    await type(say('channels.optional', { name: say('channels.setting.region') }), 'br', dialog);
    await pressButton(say('channels.create'), dialog);
    await asked();
    await closeMeanwhile(visit, dialog);
    letGo();
    await find('link', 'Made late').waitFor();
    expect(new URL(page.url()).pathname).toBe('/channels');
    await visit.follow('Made late');
    const region = visit.field(say('channels.optional', { name: say('channels.setting.region') }));
    expect(await region.inputValue()).toBe('BR');
  });
});

test('a channel deleted after its dialog was closed does not navigate, and the page says so', async () => {
  const { id } = await inlet.post('/v1/admin/channels', { name: 'Gone late', kind: 'inbox' });
  const refusals = [/GET \/v1\/admin\/channels\//];
  await inlet.visit({ path: `/channels/${id}`, refusals }, async (visit) => {
    const { page, say, find, pressButton, sees } = visit;
    const { hold, asked, letGo } = held();
    await page.route(/\/v1\/admin\/channels\//, hold('DELETE'));
    await pressButton(say('channels.delete'));
    const dialog = await sees('dialog', say('channels.delete.title', { name: 'Gone late' }));
    await pressButton(say('channels.delete.action', { name: 'Gone late' }), dialog);
    await asked();
    await closeMeanwhile(visit, dialog);
    letGo();
    await sees('alertdialog', say('channels.deleted', { name: 'Gone late' }));
    await find('button', say('ui.retry')).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/channels/${id}`);
  });
});

test('affected webhooks are named, and a channel in use cannot be deleted', async () => {
  const hook = await inlet.addWebhook('Shop of the channel', leadMapping);
  const { channelId } = await inlet.get(`/v1/admin/webhooks/${hook.id}`);
  await inlet.visit({ path: `/channels/${channelId}` }, async (visit) => {
    const { say, find, key, pressButton, sees } = visit;
    const name = hook.name;
    await find('link', name).waitFor();
    await pressButton(say('channels.turnOff'));
    const off = await sees('dialog', say('channels.off.title', { name }));
    const whose = say('channels.off.whose', { count: 1, names: name });
    await off.filter({ hasText: whose }).waitFor();
    await key('Escape');
    await pressButton(say('channels.delete'));
    const dialog = await sees('dialog', say('channels.delete.title', { name }));
    await find('link', name, { where: dialog }).waitFor();
    const action = say('channels.delete.action', { name });
    expect(await find('button', action, { where: dialog }).isDisabled()).toBe(true);
  });
});
