// State that is kept: over network failures, while another user edits, and in the focus.
import type { Locator } from 'playwright-core';
import { until } from '../../../support/processes/client.ts';
import { takeUrl } from '../../../support/console/setup-steps.ts';
import { phone } from '../../../support/console/phone.ts';
import { adminToken } from '../../../support/processes/roles.ts';
import { wordsOf } from '../../../support/console/messages.ts';
import { leadMapping } from '../../../support/context/test-context.ts';
import { inlet } from './shared-console.ts';

const loadFails = [
  /Failed to fetch dynamically imported module|could not be loaded|Unable to preload/,
];

test.each(['en', 'pt-BR', 'es'] as const)(
  'a screen that could not be loaded is loaded when it is asked for again: %s',
  async (language) => {
    await inlet.visit({ language, messages: loadFails }, async (visit) => {
      const { page, say, sees, follow, pressButton, find } = visit;
      const files = /\/assets\/channels?-/;
      await sees('heading', say('shell.overview'));
      await page.route(files, (route) => route.abort());
      await follow(say('shell.channels'));
      const alert = page.getByRole('alert').filter({ hasText: say('ui.notLoaded') });
      await alert.waitFor();
      await pressButton(say('ui.retry'), alert);
      await find('button', say('ui.retry')).waitFor();
      await page.unroute(files);
      await pressButton(say('ui.retry'));
      await sees('heading', say('shell.channels'));

      // Another link to it needs no reload either.
      await page.route(/\/assets\/audit-/, (route) => route.abort());
      await follow(say('shell.audit'));
      await alert.waitFor();
      await follow(say('shell.overview'));
      await sees('heading', say('shell.overview'));
      await page.unroute(/\/assets\/audit-/);
      await follow(say('shell.audit'));
      await sees('heading', say('shell.audit'));
      const sheets = '[...document.styleSheets].map(({ href }) => href).join()';
      expect(await page.evaluate(sheets)).toContain('/audit-');
    });
  },
);

type Focusable = { readonly ownerDocument: { readonly activeElement: unknown } };

/** The focus, and what screen readers announce. */
const hasFocus = (what: Locator): Promise<boolean> =>
  until('it has the focus', async () =>
    (await what.evaluate((element: Focusable) => element === element.ownerDocument.activeElement))
      ? true
      : undefined,
  );

describe('focus management', () => {
  test('the focus follows sign-in, navigation and steps', async () => {
    await inlet.post('/v1/admin/channels', { name: 'Focus desk', kind: 'inbox' });
    await inlet.visit({ token: null }, async (visit) => {
      const { say, find, field, follow, pressButton, keepSecret, page } = visit;
      await visit.signIn(adminToken);
      await hasFocus(find('heading', say('shell.overview')));
      await follow(say('shell.webhooks'));
      await hasFocus(find('heading', say('webhooks.title')));
      await follow(say('webhooks.new'));
      await hasFocus(field(say('setup.name')));
      await field(say('setup.name')).blur();
      await pressButton(say('setup.create'));
      await hasFocus(field(say('setup.name')));
      await visit.type(say('setup.name'), 'Site form');
      await visit.choose(say('setup.channel'), 'Focus desk');
      await pressButton(say('setup.create'));
      await hasFocus(find('heading', say('setup.step.url')));
      await pressButton(say('setup.urlCopy'));
      keepSecret(String(await page.evaluate('navigator.clipboard.readText()')).slice(-20));
      await pressButton(say('setup.sendExample'));
      await hasFocus(find('heading', say('setup.step.mapping')));
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
      const { page, say, find, takeFromMenu, pressButton } = visit;
      await takeFromMenu(say('contacts.more'), new RegExp(`^${say('contacts.merge')}`));
      const dialog = find('dialog', say('contacts.mergeTitle', { name: 'Rita' }));
      await pressButton(say('contacts.compareWith', { name: 'Rosa' }), dialog);
      await hasFocus(find('heading', say('contacts.mergeTitle', { name: 'Rita' })));
      const names = { stays: 'Rita', joins: 'Rosa' };
      await pressButton(say('contacts.doMerge', names), dialog);
      const toast = (words: string) => page.getByRole('alertdialog').filter({ hasText: words });
      await toast(say('contacts.mergedNow', names)).waitFor();
      await pressButton(say('contacts.unmerge', { name: 'Rosa' }));
      const apart = { name: 'Rosa', survivor: 'Rita' };
      const asked = find('dialog', say('contacts.unmergeTitle', apart));
      await pressButton(say('contacts.unmerge', { name: 'Rosa' }), asked);
      await toast(say('contacts.unmergedNow', apart)).waitFor();
      expect(await toast(say('contacts.mergedNow', names)).count()).toBe(0);
      await hasFocus(find('heading', 'Rita'));
    });
  });

  test('the focus moves to the heading when the pressed button disappears', async () => {
    const hook = await inlet.addWebhook('Focus', leadMapping);
    await inlet.post(`/v1/admin/webhooks/${hook.id}/mappings`, { mapping: leadMapping });
    await inlet.visit({ path: `/webhooks/${hook.id}/settings` }, async (visit) => {
      const { page, say, find, field, press, pressButton, open, sees } = visit;
      await field(say('settings.windowDays')).fill('30');
      const title = say('settings.dedup');
      expect(await page.title()).toBe(`${say('webhook.tab.settings')} · Focus · Inlet`);
      await pressButton(say('settings.saveOne', { title }));
      await hasFocus(find('heading', title));

      await open(`/webhooks/${hook.id}/versions`);
      await sees('heading', 'Focus');
      await press(find('button', say('versions.activate')).first());
      const dialog = await sees('dialog', say('versions.activateTitle', { version: 2 }));
      await pressButton(say('versions.activateNow', { version: 2 }), dialog);
      await until('a heading has the focus', async () =>
        (await page.evaluate('/^H[123]$/.test(document.activeElement.tagName)')) ? true : undefined,
      );
    });
  });
});

test('typed text survives a language change', async () => {
  await inlet.visit({ path: '/webhooks/new' }, async ({ say, field, takeFromMenu, sees }) => {
    await field(say('setup.name')).fill('Half a name');
    await takeFromMenu(say('shell.more'), 'Español');
    const inSpanish = wordsOf('es');
    await sees('heading', inSpanish('setup.newTitle'));
    await sees('button', inSpanish('setup.create'));
    expect(await field(inSpanish('setup.name')).inputValue()).toBe('Half a name');
  });
});

test('a setup step that fails to load does not affect the others', async () => {
  await inlet.post('/v1/admin/channels', { name: 'Step desk', kind: 'inbox' });
  await inlet.visit({ messages: loadFails }, async (visit) => {
    const { page, say, find, field, type, open, choose, sees, pressButton } = visit;
    const channels = /\/v1\/admin\/channels/;
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(channels, async (route) => {
      await isAsked;
      await route.abort();
    });
    await open('/webhooks/new');
    await type(say('setup.name'), 'In steps');
    answer();
    const failed = find('button', say('ui.retry'));
    await failed.waitFor();
    expect(await field(say('setup.name')).inputValue()).toBe('In steps');
    await page.unroute(channels);
    await failed.click();
    await choose(say('setup.channel'), 'Step desk');
    await pressButton(say('setup.create'));

    const url = await takeUrl(visit);
    await page.route(/\/assets\/mapping-editor-/, (route) => route.abort());
    await inlet.deliver(url, { lead: { name: 'Ana' } });
    await page
      .getByRole('alert')
      .filter({ hasText: say('ui.notLoaded') })
      .waitFor();
    await pressButton(`${say('setup.lookAgain')}: ${say('setup.step.url')}`);
    expect(await takeUrl(visit)).toBe(url);
    await page.unroute(/\/assets\/mapping-editor-/);
    await pressButton(say('setup.backToNext'));
    await sees('region', say('mapping.targets'));
  });
});

test('waiting for the first event announces a lost connection', async () => {
  const { id } = await inlet.addWebhook('Waiting');
  await inlet.visit({}, async ({ page, say, open }) => {
    const stream = /samples\/live/;
    const toast = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();
    await page.route(stream, (route) => route.abort());
    await open(`/webhooks/${id}/setup`);
    await toast(say('setup.lost'));
    await page.unroute(stream);
    await toast(say('setup.listening'));
  });
});

test('the error of a pasted payload is next to it, also on a phone', async () => {
  const { id } = await inlet.addWebhook('Half a payload');
  await inlet.visit({ path: `/webhooks/${id}/setup`, ...phone }, async (visit) => {
    const { page, say, pressButton, type } = visit;
    await pressButton(say('setup.paste'));
    await type(say('setup.pasteLabel'), '{ "name": "Ana", ');
    await pressButton(say('setup.useSample'));
    const problem = page.getByRole('alert').filter({ hasText: say('setup.unreadable') });
    await problem.waitFor();
    const field = visit.field(say('setup.pasteLabel'));
    const [above, toast] = [await field.boundingBox(), await problem.boundingBox()];
    expect(Math.abs((toast?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0))).toBeLessThan(150);
    await type(say('setup.pasteLabel'), '{ "name": "Ana" }');
    await problem.waitFor({ state: 'detached' });
  });
});

test('an outdated toast is closed by the opposite action', async () => {
  const { id } = await inlet.addWebhook('Paused', leadMapping);
  await inlet.visit({ path: `/webhooks/${id}` }, async ({ page, say, pressButton }) => {
    const toast = (what: string) =>
      page
        .getByRole('alertdialog')
        .filter({ hasText: say(`webhook.did.${what}`, { name: 'Paused' }) });
    await pressButton(say('webhook.do.pause'));
    await toast('pause').waitFor();
    await pressButton(say('webhook.do.resume'));
    await toast('resume').waitFor();
    expect(await toast('pause').count()).toBe(0);
  });
});

test('a new webhook is not offered without a usable channel', async () => {
  const { id } = await inlet.post('/v1/admin/channels', { name: 'Off', kind: 'inbox' });
  await inlet.ask('PATCH', `/v1/admin/channels/${id}`, { body: { enabled: false } });
  const { token } = await inlet.post('/v1/admin/tokens', {
    name: 'Narrow',
    scopes: ['operator'],
    channelIds: [id],
  });
  await inlet.visit({ token, path: '/webhooks' }, async ({ page, say, sees, find }) => {
    await sees('heading', say('webhooks.first'));
    await page.waitForLoadState('networkidle');
    expect(await find('link', say('webhooks.new')).count()).toBe(0);
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
    await inlet.visit({ path, refusals }, async ({ page, say, field, pressButton }) => {
      const save = say('settings.saveOne', { title: say('settings.dedup') });
      const gone = () =>
        page.getByRole('button', { name: save, exact: true }).waitFor({ state: 'detached' });
      await field(say('settings.windowDays')).fill('30');
      // A change of another group is no conflict.
      await change({ retries: { maxAttempts: 3 } });
      await pressButton(save);
      await gone();
      expect(await days(id)).toMatchObject({ windowDays: 30 });

      await field(say('settings.windowDays')).fill('20');
      await change({ dedup: { windowDays: 40, overlapHours: 100 } });
      await pressButton(save);
      const name = say('settings.windowDays');
      const both = say('settings.lateBoth', { name, theirs: '40', yours: '20' });
      await page.getByRole('listitem').filter({ hasText: both }).waitFor();
      expect(await field(say('settings.windowDays')).inputValue()).toBe('20');
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
      const { page, say, field, pressButton, keepSecret } = visit;
      const saveOf = (group: string) => say('settings.saveOne', { title: say(group) });
      const save = async (group: string) => {
        await pressButton(saveOf(group));
        const button = page.getByRole('button', { name: saveOf(group), exact: true });
        await button.waitFor({ state: 'detached' });
      };
      const toast = page.getByRole('status').filter({ hasText: say('settings.late') });
      keepSecret('a-word-of-ours');
      // The user's own changes are no conflict.
      await field(say('settings.verifyToken')).fill('a-word-of-ours');
      await field(say('settings.windowDays')).fill('30');
      await save('settings.dedup');
      await save('settings.handshake');
      expect(await toast.count()).toBe(0);

      await field(say('settings.verifyToken')).fill('a-word-of-ours');
      await inlet.ask('PATCH', path, { body: theirs });
      const { updatedAt } = await inlet.get(path);
      await pressButton(saveOf('settings.handshake'));
      await toast.waitFor();
      expect((await inlet.get(path)).updatedAt).toBe(updatedAt);
      expect(await field(say('settings.verifyToken')).inputValue()).toBe('a-word-of-ours');
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
      const { page, say, field, find, follow, keepSecret } = visit;
      const label = say('settings.windowDays');
      keepSecret('a-word-of-ours');
      await field(label).fill('33');
      await field(say('settings.verifyToken')).fill('a-word-of-ours');
      await follow(say('webhook.tab.summary'));
      const [asked] = await Promise.all([
        page.waitForEvent('dialog'),
        page.close({ runBeforeUnload: true }),
      ]);
      expect(asked.type()).toBe('beforeunload');
      await asked.dismiss();
      await follow(say('webhook.tab.settings'));
      expect(await field(label).inputValue()).toBe('33');
      expect(await field(say('settings.verifyToken')).inputValue()).toBe('');
      const enterAfter = async (ended: { readonly id: string }, token: string) => {
        await inlet.remove(`/v1/admin/tokens/${ended.id}`);
        await follow(say('webhook.tab.summary'));
        await field(say('signIn.token')).waitFor();
        await visit.signIn(token);
        await find('link', say('webhook.tab.settings')).click();
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
  await inlet.visit({}, async ({ page, say, find }) => {
    const numbers = find('region', say('overview.numbers.day'));
    await numbers.waitFor();
    await page.route(/\/v1\/admin\//, (route) => route.abort());
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: say('ui.noAnswer') }).waitFor();
    await numbers.waitFor();
    expect(await alert.count()).toBe(1);
  });
});
