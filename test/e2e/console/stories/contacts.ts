// Contacts in the console: search, comparison, merge, unmerge, chat and erasure.
import { copyBy } from '../../../support/console/setup-steps.ts';
import { leadMapping } from '../../../support/context/test-context.ts';
import { inlet } from '../../../support/console/shared-console.ts';

let url: string;
let number = 0;

const postLead = (lead: object, text = 'hello') => {
  number += 1;
  return inlet.lead(url, { id: `e${number}`, type: 'lead', text, lead });
};

beforeAll(async () => {
  ({ url } = await inlet.addWebhook('Store', leadMapping));
});

test('an event that named two people leads to one of them, and back', async () => {
  const [one, other] = ['Ana Lima', 'Bia Reis'];
  const email = 'bia.reis@example.com';
  await postLead({ id: '1', name: one, phone: '11900001001' });
  await postLead({ name: other, email });
  await postLead({ id: '1', name: one, email }, 'both of us');
  await inlet.visit({ language: 'es', path: '/contacts' }, async (visit) => {
    const { textOf, waitFor, find, follow, pressButton, type, page } = visit;
    await type(textOf('contacts.search'), email);
    await follow(other);
    await waitFor('heading', other);
    const copy = textOf('contacts.copy', { field: textOf('contacts.field.email') });
    expect(await copyBy(visit, copy)).toBe(email);
    await follow(textOf('contacts.toConflicts', { count: 1 }));
    const named = { stays: one, joins: other };
    const row = find('row', new RegExp(`^${textOf('contacts.field.email')}`));
    await row.filter({ hasText: textOf('contacts.matched') }).waitFor();
    await pressButton(textOf('contacts.mergeTwo', named));
    await waitFor('table', textOf('contacts.sideBySide'));
    await pressButton(textOf('contacts.doMerge', named));
    await waitFor('heading', textOf('contacts.noConflicts.open'));

    await follow(textOf('shell.contacts'), find('navigation', textOf('shell.places')));
    await type(textOf('contacts.search'), one);
    await follow(one);
    await waitFor('heading', textOf('contacts.merged'));
    await pressButton(textOf('contacts.unmerge', { name: other }));
    const dialog = find('dialog', textOf('contacts.unmergeTitle', { name: other, survivor: one }));
    await pressButton(textOf('contacts.unmerge', { name: other }), dialog);
    await find('heading', textOf('contacts.merged')).waitFor({ state: 'detached' });

    await follow(textOf('contacts.openChat'));
    await waitFor('heading', textOf('shell.inbox'));
    await waitFor('heading', one);
    await page.getByRole('listitem').filter({ hasText: 'both of us' }).waitFor();
  });
});

test('a pinned value is not overwritten, and a concurrent edit is rejected', async () => {
  const done = await postLead({ id: '20', name: 'Caio', city: 'Recife' });
  const { contactId } = done.effects;
  const refusals = [/PATCH \/v1\/admin\/contacts\//];
  await inlet.visit({ path: `/contacts/${contactId}`, refusals }, async (visit) => {
    const { textOf, waitFor, find, pressButton, key } = visit;
    await pressButton(textOf('contacts.edit'));
    const dialog = find('dialog', textOf('contacts.editTitle'));
    const name = find('textbox', textOf('contacts.field.name'), { where: dialog });
    await name.fill('Caio Prado');
    await inlet.ask('PATCH', `/v1/admin/contacts/${contactId}`, {
      body: { email: 'c@example.com' },
    });
    await pressButton(textOf('ui.save'), dialog);
    await pressButton(textOf('contacts.reload'), dialog);
    const kept = textOf('contacts.keepAgainstEvents', { field: textOf('contacts.field.name') });
    await find('checkbox', kept, { where: dialog }).focus();
    await key('Space');
    await pressButton(textOf('ui.save'), dialog);
    await waitFor('heading', 'Caio Prado');
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
    const { textOf, waitFor, find, takeFromMenu, pressButton, key, page } = visit;
    const name = '<img src=x onerror=alert(1)>';
    await waitFor('heading', name);
    await takeFromMenu(textOf('contacts.more'), textOf('contacts.erase'));
    const dialog = find('dialog', textOf('contacts.eraseTitle', { name }));
    await find('checkbox', new RegExp(`^${textOf('contacts.block')}`), { where: dialog }).focus();
    await key('Space');
    await pressButton(textOf('contacts.eraseAction', { name }), dialog);
    await waitFor('dialog', textOf('contacts.certificate'));
    const download = page.waitForEvent('download');
    await pressButton(textOf('contacts.download'));
    expect((await download).suggestedFilename()).toMatch(/^erasure-.*\.json$/);
    await pressButton(textOf('ui.close'), find('dialog', textOf('contacts.certificate')));
    await waitFor('table', textOf('contacts.blocks'));
    await page.goto(path);
    await waitFor('heading', textOf('contacts.erased'));
  });
});
