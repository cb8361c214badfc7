// The inbox and the team in the console: an event comes in, agents answer, transfer and close, the next event opens
// another chat.
import {
  actAs,
  bubbleOf,
  paneOf,
  postLead,
  rowOf,
  showView,
  write,
} from '../../../support/console/inbox-page.ts';
import { inlet } from '../../../support/console/shared-console.ts';
import { leadMapping } from '../../../support/context/test-context.ts';

let url: string;
let token: string;
beforeAll(async () => {
  ({ url } = await inlet.addWebhook('Inbox', leadMapping));
  ({ token } = await inlet.post('/v1/admin/tokens', { name: 'Team', scopes: ['inbox'] }));
});

test('an administrator adds agents, a sector and a label', async () => {
  await inlet.visit({}, async (visit) => {
    const { textOf, takeFromMenu, waitFor, pressButton, follow, find, type, page } = visit;
    await takeFromMenu(textOf('shell.more'), textOf('shell.team'));
    for (const [first, last] of [
      ['Bia', 'Lima'],
      ['Caio', 'Prado'],
    ] as const) {
      await pressButton(textOf('team.agents.new'));
      const dialog = await waitFor('dialog', textOf('team.agents.new'));
      await type(textOf('team.firstName'), first, dialog);
      await type(textOf('team.lastName'), last, dialog);
      await pressButton(textOf('ui.save'), dialog);
      await page.getByRole('cell', { name: `${first} ${last}`, exact: true }).waitFor();
    }
    for (const [part, name] of [
      ['sectors', 'After sales'],
      ['labels', 'Hot lead'],
    ] as const) {
      await follow(textOf(`team.${part}`));
      await pressButton(textOf(`team.${part}.new`));
      const dialog = await waitFor('dialog', textOf(`team.${part}.new`));
      await type(textOf('team.name'), name, dialog);
      await pressButton(textOf('ui.save'), dialog);
      await page.getByRole('cell', { name, exact: true }).waitFor();
    }
    await pressButton(textOf('team.labels.new'));
    const dialog = await waitFor('dialog', textOf('team.labels.new'));
    await type(textOf('team.name'), 'A label to delete', dialog);
    await pressButton(textOf('ui.save'), dialog);
    await pressButton(textOf('team.deleteOne', { name: 'A label to delete' }));
    await pressButton(
      textOf('team.deleteOne', { name: 'A label to delete' }),
      find('dialog', textOf('team.delete.title', { name: 'A label to delete' })),
    );
    await page
      .getByRole('cell', { name: 'A label to delete', exact: true })
      .waitFor({ state: 'detached' });
  });
});

test('an agent takes a chat, answers, labels and transfers it; another closes it; the next event opens one', async () => {
  const name = 'Dora Reis';
  await inlet.visit({ token }, async (bia) => {
    const { textOf, key, find, pressButton, waitFor, page } = bia;
    await actAs(bia, 'Bia Lima');
    // The event arrives while the list is shown.
    const first = await postLead(url, name, 'Is it still available?');
    const row = rowOf(bia, name);
    await row.waitFor();
    const unread = rowOf(bia, name, textOf('inbox.unreadCount', { count: 1 }));
    await unread.waitFor();
    await row.click();
    await bubbleOf(bia, 'Is it still available?').waitFor();
    // Opened, it is read.
    await unread.waitFor({ state: 'detached' });

    await row.focus();
    await key('t');
    await paneOf(bia, name, 'Bia Lima').waitFor();
    await showView(bia, 'mine');
    await rowOf(bia, name).waitFor();
    await rowOf(bia, name).focus();
    await key('r');
    await write(bia, 'Yes, it is.');
    await bubbleOf(bia, 'Yes, it is.', 'Bia Lima').waitFor();

    await rowOf(bia, name).focus();
    await key('l');
    const labels = await waitFor('dialog', textOf('inbox.labels.title', { name }));
    await find('checkbox', /Hot lead/, { where: labels }).focus();
    await key('Space');
    await pressButton(textOf('inbox.labels.action'), labels);
    await rowOf(bia, name, 'Hot lead').waitFor();

    await inlet.visit({ token }, async (caio) => {
      await actAs(caio, 'Caio Prado');
      await showView(caio, 'waiting');
      await pressButton(textOf('inbox.transfer'), paneOf(bia, name));
      const dialog = await waitFor('dialog', textOf('inbox.transfer.title', { name }));
      await find('combobox', textOf('inbox.transfer.kind.sector'), { where: dialog }).click();
      await page.getByRole('option', { name: 'After sales' }).click();
      await bia.type(textOf('inbox.transfer.annotation'), 'Wants a discount', dialog);
      await pressButton(textOf('inbox.transfer.action'), dialog);
      await bubbleOf(bia, 'Wants a discount').waitFor();

      // The other agent sees it without a reload.
      const given = rowOf(caio, name);
      await given.waitFor();
      await rowOf(caio, name, 'After sales').waitFor();
      await given.click();
      await bubbleOf(caio, 'Wants a discount', 'Bia Lima').waitFor();
      await caio.pressButton(textOf('inbox.take'));
      await write(caio, 'Ten percent.');
      await bubbleOf(bia, 'Ten percent.', 'Caio Prado').waitFor();

      await caio.pressButton(textOf('inbox.close'), paneOf(caio, name));
      const closing = await caio.waitFor('dialog', textOf('inbox.close.title', { name }));
      await caio.type(textOf('inbox.close.comment'), 'Sold', closing);
      await caio.pressButton(textOf('inbox.close.action'), closing);
      await paneOf(caio, name, textOf('inbox.closedHint')).waitFor();
      await bubbleOf(bia, 'Sold').waitFor();
    });

    const second = await postLead(url, name, 'A question about the invoice');
    expect(second.effects.contactId).toBe(first.effects.contactId);
    expect(second.effects.chatId).not.toBe(first.effects.chatId);
    await showView(bia, 'waiting');
    // The closed chat may be listed until the list is read again.
    await unread.click();
    await bubbleOf(bia, 'A question about the invoice').waitFor();
    expect(await bubbleOf(bia, 'Is it still available?').count()).toBe(0);
    await showView(bia, 'closed');
    await rowOf(bia, name).first().waitFor();
  });
});
