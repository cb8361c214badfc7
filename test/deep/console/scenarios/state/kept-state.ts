// State that is kept: over network failures, while another user edits, and in the focus.
import type { Locator } from 'playwright-core';
import { waitForValue } from '../../../../support/processes/client.ts';
import { takeUrl } from '../../../../support/console/setup-steps.ts';
import { phone } from '../../../../support/console/phone.ts';
import { adminToken } from '../../../../support/processes/roles.ts';
import { textsIn } from '../../../../support/console/messages.ts';
import { leadMapping } from '../../../../support/context/test-context.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

const loadFails = [
  /Failed to fetch dynamically imported module|could not be loaded|Unable to preload/,
];

test('a screen that could not be loaded is loaded when it is asked for again', async () => {
  await inlet.visit({ language: 'es', messages: loadFails }, async (visit) => {
    const { page, textOf, waitFor, follow, pressButton, find, takeFromMenu } = visit;
    const files = /\/assets\/channels?-/;
    await waitFor('heading', textOf('shell.overview'));
    await page.route(files, (route) => route.abort());
    await follow(textOf('shell.channels'));
    const alert = page.getByRole('alert').filter({ hasText: textOf('ui.notLoaded') });
    await alert.waitFor();
    await pressButton(textOf('ui.retry'), alert);
    await find('button', textOf('ui.retry')).waitFor();
    await page.unroute(files);
    await pressButton(textOf('ui.retry'));
    await waitFor('heading', textOf('shell.channels'));

    // Another link to it needs no reload either.
    await page.route(/\/assets\/audit-/, (route) => route.abort());
    await takeFromMenu(textOf('shell.more'), textOf('shell.audit'));
    await alert.waitFor();
    await follow(textOf('shell.overview'));
    await waitFor('heading', textOf('shell.overview'));
    await page.unroute(/\/assets\/audit-/);
    await takeFromMenu(textOf('shell.more'), textOf('shell.audit'));
    await waitFor('heading', textOf('shell.audit'));
  });
});

type Focusable = { readonly ownerDocument: { readonly activeElement: unknown } };

/** The focus, and what screen readers announce. */
const hasFocus = (what: Locator): Promise<boolean> =>
  waitForValue('it has the focus', async () =>
    (await what.evaluate((element: Focusable) => element === element.ownerDocument.activeElement))
      ? true
      : undefined,
  );

describe('focus management', () => {
  test('the focus follows sign-in, navigation and steps', async () => {
    await inlet.post('/v1/admin/channels', { name: 'Focus desk', kind: 'inbox' });
    await inlet.visit({ token: null }, async (visit) => {
      const { textOf, find, field, follow, pressButton } = visit;
      await visit.signIn(adminToken);
      await hasFocus(find('heading', textOf('shell.overview')));
      await follow(textOf('shell.webhooks'));
      await hasFocus(find('heading', textOf('webhooks.title')));
      await follow(textOf('webhooks.new'));
      await hasFocus(field(textOf('setup.name')));
      await field(textOf('setup.name')).blur();
      await pressButton(textOf('setup.create'));
      await hasFocus(field(textOf('setup.name')));
      await visit.type(textOf('setup.name'), 'Site form');
      await visit.choose(textOf('setup.channel'), 'Focus desk');
      await pressButton(textOf('setup.create'));
      await hasFocus(find('heading', textOf('setup.step.url')));
      await takeUrl(visit);
      await pressButton(textOf('setup.sendExample'));
      await hasFocus(find('heading', textOf('setup.step.mapping')));
    });
  });

  test('the focus follows the parts of a dialog, and an outdated toast is closed', async () => {
    const { url } = await inlet.addWebhook('Twins', leadMapping);
    const lead = (id: string, name: string) =>
      inlet.lead(url, { id, type: 'lead', text: 'hello', lead: { id, name } });
    await lead('twin-1', 'Rosa');
    // Both show the newest value.
    const { effects } = await lead('twin-2', 'Rita');
    await inlet.visit({ path: `/contacts/${effects.contactId}` }, async (visit) => {
      const { page, textOf, find, takeFromMenu, pressButton, sawToast } = visit;
      await takeFromMenu(textOf('contacts.more'), new RegExp(`^${textOf('contacts.merge')}`));
      const dialog = find('dialog', textOf('contacts.mergeTitle', { name: 'Rita' }));
      await pressButton(textOf('contacts.compareWith', { name: 'Rosa' }), dialog);
      await hasFocus(find('heading', textOf('contacts.mergeTitle', { name: 'Rita' })));
      const names = { stays: 'Rita', joins: 'Rosa' };
      await pressButton(textOf('contacts.doMerge', names), dialog);
      const toast = (words: string) => page.getByRole('alertdialog').filter({ hasText: words });
      await sawToast(textOf('contacts.mergedNow', names));
      await pressButton(textOf('contacts.unmerge', { name: 'Rosa' }));
      const apart = { name: 'Rosa', survivor: 'Rita' };
      const asked = find('dialog', textOf('contacts.unmergeTitle', apart));
      await pressButton(textOf('contacts.unmerge', { name: 'Rosa' }), asked);
      await sawToast(textOf('contacts.unmergedNow', apart));
      expect(await toast(textOf('contacts.mergedNow', names)).count()).toBe(0);
      await hasFocus(find('heading', 'Rita'));
    });
  });

  test('the focus moves to the heading when the pressed button disappears', async () => {
    const hook = await inlet.addWebhook('Focus', leadMapping);
    await inlet.post(`/v1/admin/webhooks/${hook.id}/mappings`, { mapping: leadMapping });
    await inlet.visit({ path: `/webhooks/${hook.id}/settings` }, async (visit) => {
      const { page, textOf, find, field, follow, press, pressButton, waitFor } = visit;
      await field(textOf('settings.windowDays')).fill('30');
      const title = textOf('settings.dedup');
      expect(await page.title()).toBe(`${textOf('webhook.tab.settings')} · Focus · Inlet`);
      await pressButton(textOf('settings.saveOne', { title }));
      await hasFocus(find('heading', title));

      await follow(textOf('webhook.tab.versions'));
      await press(find('button', textOf('versions.activate')).first());
      const dialog = await waitFor('dialog', textOf('versions.activateTitle', { version: 2 }));
      await pressButton(textOf('versions.activateNow', { version: 2 }), dialog);
      await waitForValue('a heading has the focus', async () =>
        (await page.evaluate('/^H[123]$/.test(document.activeElement.tagName)')) ? true : undefined,
      );
    });
  });
});

test('typed text survives a language change', async () => {
  await inlet.visit({ path: '/webhooks/new' }, async ({ textOf, field, takeFromMenu, waitFor }) => {
    await field(textOf('setup.name')).fill('Half a name');
    await takeFromMenu(textOf('shell.more'), 'Español');
    const inSpanish = textsIn('es');
    await waitFor('heading', inSpanish('setup.newTitle'));
    await waitFor('button', inSpanish('setup.create'));
    expect(await field(inSpanish('setup.name')).inputValue()).toBe('Half a name');
  });
});

test('a setup step that fails to load does not affect the others', async () => {
  await inlet.post('/v1/admin/channels', { name: 'Step desk', kind: 'inbox' });
  const opening = { path: '/webhooks/new', token: null, messages: loadFails };
  await inlet.visit(opening, async (visit) => {
    const { page, textOf, find, field, type, choose, signIn, waitFor, pressButton } = visit;
    const channels = /\/v1\/admin\/channels/;
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(channels, async (route) => {
      await isAsked;
      await route.abort();
    });
    await signIn(adminToken);
    await type(textOf('setup.name'), 'In steps');
    answer();
    const failed = find('button', textOf('ui.retry'));
    await failed.waitFor();
    expect(await field(textOf('setup.name')).inputValue()).toBe('In steps');
    await page.unroute(channels);
    await failed.click();
    await choose(textOf('setup.channel'), 'Step desk');
    await pressButton(textOf('setup.create'));

    const url = await takeUrl(visit);
    await page.route(/\/assets\/mapping-editor-/, (route) => route.abort());
    await inlet.deliver(url, { lead: { name: 'Ana' } });
    await page
      .getByRole('alert')
      .filter({ hasText: textOf('ui.notLoaded') })
      .waitFor();
    await pressButton(`${textOf('setup.lookAgain')}: ${textOf('setup.step.url')}`);
    expect(await takeUrl(visit)).toBe(url);
    await page.unroute(/\/assets\/mapping-editor-/);
    await pressButton(textOf('setup.backToNext'));
    await waitFor('region', textOf('mapping.targets'));
  });
});

test('waiting for the first event announces a lost connection', async () => {
  const { id } = await inlet.addWebhook('Waiting');
  const opening = { path: `/webhooks/${id}/setup`, token: null };
  await inlet.visit(opening, async ({ page, textOf, signIn }) => {
    const stream = /samples\/live/;
    const toast = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();
    await page.route(stream, (route) => route.abort());
    await signIn(adminToken);
    await toast(textOf('setup.lost'));
    await page.unroute(stream);
    await toast(textOf('setup.listening'));
  });
});

test('waiting for the first event says that a request was rejected', async () => {
  const { id, url } = await inlet.addWebhook('Broken sender');
  await inlet.visit(
    { path: `/webhooks/${id}/setup` },
    async ({ page, textOf, follow, waitFor }) => {
      const listening = page.getByRole('status').filter({ hasText: textOf('setup.listening') });
      await listening.waitFor();
      const headers = { 'content-type': 'application/json' };
      expect((await fetch(url, { method: 'POST', headers, body: '{ "name": ' })).status).toBe(400);
      await follow('Show causes');
      await waitFor('heading', textOf('rejections.code.malformed_json'));
    },
  );
});

test('the error of a pasted payload is next to it, also on a phone', async () => {
  const { id } = await inlet.addWebhook('Half a payload');
  await inlet.visit({ path: `/webhooks/${id}/setup`, ...phone }, async (visit) => {
    const { page, textOf, pressButton, type } = visit;
    await pressButton(textOf('setup.paste'));
    await type(textOf('setup.pasteLabel'), '{ "name": "Ana", ');
    await pressButton(textOf('setup.useSample'));
    const problem = page.getByRole('alert').filter({ hasText: textOf('setup.unreadable') });
    await problem.waitFor();
    const field = visit.field(textOf('setup.pasteLabel'));
    const [above, toast] = [await field.boundingBox(), await problem.boundingBox()];
    expect(Math.abs((toast?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0))).toBeLessThan(150);
    await type(textOf('setup.pasteLabel'), '{ "name": "Ana" }');
    await problem.waitFor({ state: 'detached' });
  });
});

test('an outdated toast is closed by the opposite action', async () => {
  const { id } = await inlet.addWebhook('Paused', leadMapping);
  await inlet.visit(
    { path: `/webhooks/${id}` },
    async ({ page, textOf, pressButton, sawToast }) => {
      const did = (what: string) => textOf(`webhook.did.${what}`, { name: 'Paused' });
      await pressButton(textOf('webhook.do.pause'));
      await sawToast(did('pause'));
      await pressButton(textOf('webhook.do.resume'));
      await sawToast(did('resume'));
      const outdated = page.getByRole('alertdialog').filter({ hasText: did('pause') });
      expect(await outdated.count()).toBe(0);
    },
  );
});

test('a new webhook is not offered without a usable channel', async () => {
  const { id } = await inlet.post('/v1/admin/channels', { name: 'Off', kind: 'inbox' });
  await inlet.ask('PATCH', `/v1/admin/channels/${id}`, { body: { enabled: false } });
  const { token } = await inlet.post('/v1/admin/tokens', {
    name: 'Narrow',
    scopes: ['operator'],
    channelIds: [id],
  });
  await inlet.visit({ token, path: '/webhooks' }, async ({ page, textOf, waitFor, find }) => {
    await waitFor('heading', textOf('webhooks.first'));
    await page.waitForLoadState('networkidle');
    expect(await find('link', textOf('webhooks.new')).count()).toBe(0);
  });
});

describe('unsaved settings', () => {
  const days = async (id: string): Promise<unknown> =>
    (await inlet.get(`/v1/admin/webhooks/${id}/settings`)).dedup;

  test('are kept after a concurrent change, beside the saved values', async () => {
    const { id } = await inlet.addWebhook('Late', leadMapping);
    const path = `/webhooks/${id}/settings`;
    const refusals = [/PATCH .*settings/];
    const change = (body: object) =>
      inlet.ask('PATCH', `/v1/admin/webhooks/${id}/settings`, { body });
    await inlet.visit({ path, refusals }, async ({ page, textOf, field, pressButton }) => {
      const save = textOf('settings.saveOne', { title: textOf('settings.dedup') });
      const gone = () =>
        page.getByRole('button', { name: save, exact: true }).waitFor({ state: 'detached' });
      await field(textOf('settings.windowDays')).fill('30');
      // A change of another group is no conflict.
      await change({ retries: { maxAttempts: 3 } });
      await pressButton(save);
      await gone();
      expect(await days(id)).toMatchObject({ windowDays: 30 });

      await field(textOf('settings.windowDays')).fill('20');
      await change({ dedup: { windowDays: 40, overlapHours: 100 } });
      await pressButton(save);
      const name = textOf('settings.windowDays');
      const both = textOf('settings.lateBoth', { name, theirs: '40', yours: '20' });
      await page.getByRole('listitem').filter({ hasText: both }).waitFor();
      expect(await field(textOf('settings.windowDays')).inputValue()).toBe('20');
      await pressButton(save);
      await gone();
      expect(await days(id)).toMatchObject({ windowDays: 20, overlapHours: 100 });
    });
  });

  test('a concurrently changed secret is overwritten only after a warning', async () => {
    const { id } = await inlet.addWebhook('Two secrets', leadMapping);
    const path = `/v1/admin/webhooks/${id}/settings`;
    const refusals = [/PATCH .*settings/];
    const theirs = { handshake: { verifyToken: 'a-word-of-theirs' } };
    await inlet.ask('PATCH', path, { body: theirs });
    await inlet.visit({ path: `/webhooks/${id}/settings`, refusals }, async (visit) => {
      const { page, textOf, field, pressButton, keepSecret } = visit;
      const saveOf = (group: string) => textOf('settings.saveOne', { title: textOf(group) });
      const save = async (group: string) => {
        await pressButton(saveOf(group));
        const button = page.getByRole('button', { name: saveOf(group), exact: true });
        await button.waitFor({ state: 'detached' });
      };
      const toast = page.getByRole('status').filter({ hasText: textOf('settings.late') });
      keepSecret('a-word-of-ours');
      // The user's own changes are no conflict.
      await field(textOf('settings.verifyToken')).fill('a-word-of-ours');
      await field(textOf('settings.windowDays')).fill('30');
      await save('settings.dedup');
      await save('settings.handshake');
      expect(await toast.count()).toBe(0);

      await field(textOf('settings.verifyToken')).fill('a-word-of-ours');
      await inlet.ask('PATCH', path, { body: theirs });
      const { updatedAt } = await inlet.get(path);
      await pressButton(saveOf('settings.handshake'));
      await toast.waitFor();
      expect((await inlet.get(path)).updatedAt).toBe(updatedAt);
      expect(await field(textOf('settings.verifyToken')).inputValue()).toBe('a-word-of-ours');
      await save('settings.handshake');
      expect((await inlet.get(path)).updatedAt).not.toBe(updatedAt);
    });
  });

  test('survive navigation and a new token of the same name, without secrets, and not for other users', async () => {
    const { id } = await inlet.addWebhook('Kept', leadMapping);
    const ends = () => inlet.post('/v1/admin/tokens', { name: 'Ends', scopes: ['operator'] });
    const [made, renewed] = [await ends(), await ends()];
    const path = `/webhooks/${id}/settings`;
    const refusals = [/GET \/v1\/admin\//];
    await inlet.visit({ path, token: made.token, refusals }, async (visit) => {
      const { page, textOf, field, find, follow, keepSecret } = visit;
      const label = textOf('settings.windowDays');
      keepSecret('a-word-of-ours');
      await field(label).fill('33');
      await field(textOf('settings.verifyToken')).fill('a-word-of-ours');
      await follow(textOf('webhook.tab.summary'));
      const [asked] = await Promise.all([
        page.waitForEvent('dialog'),
        page.close({ runBeforeUnload: true }),
      ]);
      expect(asked.type()).toBe('beforeunload');
      await asked.dismiss();
      await follow(textOf('webhook.tab.settings'));
      expect(await field(label).inputValue()).toBe('33');
      expect(await field(textOf('settings.verifyToken')).inputValue()).toBe('');
      const enterAfter = async (ended: { readonly id: string }, token: string) => {
        await inlet.remove(`/v1/admin/tokens/${ended.id}`);
        // The page reads the webhook every ten seconds, and so notices it by itself.
        await field(textOf('signIn.token')).waitFor();
        await visit.signIn(token);
        await find('link', textOf('webhook.tab.settings')).click();
        await field(label).waitFor();
      };
      await enterAfter(made, renewed.token);
      expect(await field(label).inputValue()).toBe('33');
      await enterAfter(renewed, adminToken);
      expect(await field(label).inputValue()).toBe('');
      const questions: string[] = [];
      page.on('dialog', async (question) => {
        questions.push(question.type());
        await question.accept();
      });
      await page.reload();
      expect(questions).toEqual([]);
    });
  });
});

test('the overview keeps its data while the server is unavailable, with one notice', async () => {
  await inlet.addWebhook('Known', leadMapping);
  await inlet.visit({}, async ({ page, textOf, find }) => {
    const numbers = find('region', textOf('overview.numbers.day'));
    await numbers.waitFor();
    await page.route(/\/v1\/admin\//, (route) => route.abort());
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: textOf('ui.noAnswer') }).waitFor();
    await numbers.waitFor();
    expect(await alert.count()).toBe(1);
  });
});
