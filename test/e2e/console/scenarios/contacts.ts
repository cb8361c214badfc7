// Contacts in the console: search, comparison, merge, unmerge, chat and erasure.
import { leadMapping } from '../../../support/context/test-context.ts';
import { inlet } from './shared-console.ts';

let url: string;
let number = 0;

const postLead = (lead: object, text = 'hello') => {
  number += 1;
  return inlet.lead(url, { id: `e${number}`, type: 'lead', text, lead });
};

beforeAll(async () => {
  ({ url } = await inlet.addWebhook('Store', leadMapping));
});

test.each(['en', 'pt-BR'] as const)(
  'an event that named two people leads to one of them, and back: %s',
  async (language) => {
    const [one, other] = [`Ana ${language}`, `Bia ${language}`];
    const email = `bia.${language}@example.com`.toLowerCase();
    await postLead({
      id: `1-${language}`,
      name: one,
      phone: `1190000${language === 'en' ? 1001 : 1002}`,
    });
    await postLead({ name: other, email });
    await postLead({ id: `1-${language}`, name: one, email }, 'both of us');
    await inlet.visit({ language, path: '/contacts' }, async (visit) => {
      const { say, sees, find, follow, pressButton, type, page } = visit;
      await type(say('contacts.search'), email);
      await follow(other);
      await sees('heading', other);
      await follow(say('contacts.toConflicts', { count: 1 }));
      const named = { stays: one, joins: other };
      await pressButton(say('contacts.mergeTwo', named));
      await sees('table', say('contacts.sideBySide'));
      await pressButton(say('contacts.doMerge', named));
      await sees('heading', say('contacts.noConflicts.open'));

      await follow(say('shell.contacts'), find('navigation', say('shell.places')));
      await type(say('contacts.search'), one);
      await follow(one);
      await sees('heading', say('contacts.merged'));
      await pressButton(say('contacts.unmerge', { name: other }));
      const dialog = find('dialog', say('contacts.unmergeTitle', { name: other, survivor: one }));
      await pressButton(say('contacts.unmerge', { name: other }), dialog);
      await find('heading', say('contacts.merged')).waitFor({ state: 'detached' });

      await follow(say('contacts.openChat'));
      await sees('heading', say('contacts.chatWith', { name: one }));
      await page.getByRole('listitem').filter({ hasText: 'both of us' }).waitFor();
    });
  },
);

test('a pinned value is not overwritten, and a concurrent edit is rejected', async () => {
  const done = await postLead({ id: '20', name: 'Caio', city: 'Recife' });
  const { contactId } = done.effects;
  const refusals = [/PATCH \/v1\/admin\/contacts\//];
  await inlet.visit({ path: `/contacts/${contactId}`, refusals }, async (visit) => {
    const { say, sees, find, pressButton, key } = visit;
    await pressButton(say('contacts.edit'));
    const dialog = find('dialog', say('contacts.editTitle'));
    const name = find('textbox', say('contacts.field.name'), { where: dialog });
    await name.fill('Caio Prado');
    await inlet.ask('PATCH', `/v1/admin/contacts/${contactId}`, {
      body: { email: 'c@example.com' },
    });
    await pressButton(say('ui.save'), dialog);
    await pressButton(say('contacts.reload'), dialog);
    const kept = say('contacts.keepAgainstEvents', { field: say('contacts.field.name') });
    await find('checkbox', kept, { where: dialog }).focus();
    await key('Space');
    await pressButton(say('ui.save'), dialog);
    await sees('heading', 'Caio Prado');
  });
  await postLead({ id: '20', name: 'Somebody else' });
  expect(await inlet.get(`/v1/admin/contacts/${contactId}`)).toMatchObject({
    name: 'Caio Prado',
    email: 'c@example.com',
    pins: ['name'],
  });
});

test('a contact is erased by name, and the certificate can be downloaded', async () => {
  const done = await postLead({
    id: '30',
    name: '<img src=x onerror=alert(1)>',
    email: 'dora@example.com',
  });
  const path = `/contacts/${done.effects.contactId}`;
  await inlet.visit({ language: 'pt-BR', path }, async (visit) => {
    const { say, sees, find, takeFromMenu, pressButton, key, page } = visit;
    const name = '<img src=x onerror=alert(1)>';
    await sees('heading', name);
    await takeFromMenu(say('contacts.more'), say('contacts.erase'));
    const dialog = find('dialog', say('contacts.eraseTitle', { name }));
    await find('checkbox', new RegExp(`^${say('contacts.block')}`), { where: dialog }).focus();
    await key('Space');
    await pressButton(say('contacts.eraseAction', { name }), dialog);
    await sees('dialog', say('contacts.certificate'));
    const download = page.waitForEvent('download');
    await pressButton(say('contacts.download'));
    expect((await download).suggestedFilename()).toMatch(/^erasure-.*\.json$/);
    await pressButton(say('ui.close'), find('dialog', say('contacts.certificate')));
    await sees('table', say('contacts.blocks'));
    await page.goto(path);
    await sees('heading', say('contacts.erased'));
  });
});
