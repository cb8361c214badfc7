// The inbox and the team in the console: an event comes in, agents answer, transfer and close, the next event opens
// another chat.
import { EventEmitter, once } from 'node:events';
import type { Locator } from 'playwright-core';
import type { Visit } from '../../../../support/console/console.ts';
import { leadMapping } from '../../../../support/context/test-context.ts';
import { waitForValue } from '../../../../support/processes/client.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

let url: string;
let token: string;
let number = 0;

const postLead = (name: string, text: string) => {
  number += 1;
  return inlet.lead(url, { id: `inbox-${number}`, type: 'lead', text, lead: { id: name, name } });
};

beforeAll(async () => {
  ({ url } = await inlet.addWebhook('Inbox', leadMapping));
  ({ token } = await inlet.post('/v1/admin/tokens', { name: 'Team', scopes: ['inbox'] }));
});

/** An element with these texts, in any order. */
const having = (element: Locator, texts: readonly string[]): Locator =>
  texts.reduce((found, hasText) => found.filter({ hasText }), element);
const rowOf = ({ page }: Visit, name: string, ...texts: string[]) =>
  having(page.getByRole('row', { name }), texts);
const bubbleOf = ({ page }: Visit, ...texts: string[]) => having(page.getByRole('listitem'), texts);
const paneOf = ({ find, textOf }: Visit, name: string, ...texts: string[]) =>
  having(find('region', textOf('inbox.chatWith', { name })), texts);

const actAs = (visit: Visit, name: string) => visit.choose(visit.textOf('inbox.agent'), name);

async function showView({ page, textOf, key }: Visit, view: string): Promise<void> {
  const start = textOf(`inbox.view.${view}`, { unread: 0 });
  await page.getByRole('radio', { name: new RegExp(`^${start}`) }).focus();
  await key('Space');
}

async function write({ textOf, type, key }: Visit, text: string): Promise<void> {
  await type(textOf('inbox.write'), text);
  await key('Enter');
}

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
    const first = await postLead(name, 'Is it still available?');
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

    const second = await postLead(name, 'A question about the invoice');
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

test('of two agents who take a chat one gets it, and the other sees who', async () => {
  const name = 'Elio Prates';
  const { effects } = await postLead(name, 'Hello');
  const { results } = await inlet.list('/v1/admin/agents?search=Caio');
  const refusals = [/PATCH \/v1\/chat\//];
  await inlet.visit({ token, refusals, path: `/inbox?chat=${effects.chatId}` }, async (visit) => {
    await actAs(visit, 'Bia Lima');
    await visit.page.route('**/status', async (route) => {
      await inlet.ask('PATCH', `/v1/chat/${effects.chatId}/status`, {
        body: { status: 'in_chat' },
        headers: { 'x-inlet-user-id': results[0].id },
      });
      await route.continue();
    });
    await visit.pressButton(visit.textOf('inbox.take'));
    await visit.sawToast();
    await paneOf(visit, name, 'Caio Prado').waitFor();
  });
});

test('a file is attached and shown, and messages are found by their words', async () => {
  const name = 'Fabio Mota';
  const { effects } = await postLead(name, 'Please send the quotation number 4711');
  await inlet.visit({ token, language: 'pt-BR' }, async (visit) => {
    const { page, textOf, type, pressButton } = visit;
    await actAs(visit, 'Bia Lima');
    await type(textOf('inbox.search'), 'quotation 4711');
    await page.getByRole('button', { name: /quotation number 4711/ }).click();
    await paneOf(visit, name).waitFor();
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const chosen = page.waitForEvent('filechooser');
    await pressButton(textOf('inbox.attach'));
    await (await chosen).setFiles([{ name: 'offer.png', mimeType: 'image/png', buffer: png }]);
    await visit.waitFor('list', textOf('inbox.files'));
    await pressButton(textOf('inbox.send'));
    const image = page.getByRole('img', { name: 'offer.png' });
    await image.waitFor();
    const width = await image.evaluate(
      (shown) => (shown as unknown as { naturalWidth: number }).naturalWidth,
    );
    expect(width).toBe(1);
    const download = page.waitForEvent('download');
    await pressButton(textOf('inbox.file.download', { name: 'offer.png' }));
    expect((await download).suggestedFilename()).toBe('offer.png');
    const { results } = await inlet.list(`/v1/chat/${effects.chatId}`);
    expect(results.map((one: { content: { type: string } }) => one.content.type)).toEqual([
      'text',
      'image',
    ]);
  });
});

test('a chat is started with a contact whose chats are closed', async () => {
  const { effects } = await postLead('Hugo Paiva', 'Hello');
  await inlet.patch(`/v1/chat/${effects.chatId}/status`, { status: 'closed' });
  await inlet.visit({ path: `/contacts/${effects.contactId}` }, async (visit) => {
    await visit.pressButton(visit.textOf('contacts.startChat'));
    await paneOf(visit, 'Hugo Paiva').waitFor();
    await write(visit, 'Are you still interested?');
    await bubbleOf(visit, 'Are you still interested?').waitFor();
    expect(visit.page.url()).not.toContain(effects.chatId);
  });
});

test('a restricted token answers the chats of its channels, and sees sectors without changing them', async () => {
  const { effects } = await postLead('Joana Luz', 'Hello');
  const { worker } = await inlet.get(`/v1/chat/${effects.chatId}/details`);
  const made = await inlet.post('/v1/admin/tokens', {
    name: 'One channel',
    scopes: ['inbox'],
    channelIds: [worker.id],
  });
  await inlet.visit({ token: made.token, path: '/team/sectors' }, async (visit) => {
    const { textOf, find, page, go } = visit;
    await page.getByRole('cell', { name: 'After sales', exact: true }).waitFor();
    expect(await find('button', textOf('team.sectors.new')).count()).toBe(0);
    expect(await find('button', textOf('team.editOne', { name: 'After sales' })).count()).toBe(0);
    await go(`/inbox?chat=${effects.chatId}`);
    await write(visit, 'Good morning');
    await bubbleOf(visit, 'Good morning').waitFor();
  });
});

test('a message whose answer is lost is sent once, and a failed one goes back into the draft', async () => {
  const { effects } = await postLead('Iris Leal', 'Hello');
  const messages = [/Failed to load resource/];
  const path = `/inbox?chat=${effects.chatId}`;
  await inlet.visit({ token, path, messages }, async (visit) => {
    const { page, textOf, pressButton, field } = visit;
    let tries = 0;
    await page.route(`**/v1/chat/${effects.chatId}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      tries += 1;
      // The first never arrives; of the second the answer is lost.
      if (tries === 2) await route.fetch();
      return tries <= 2 ? route.abort() : route.continue();
    });
    await write(visit, 'Only once');
    for (const _try of [1, 2]) {
      await page.getByRole('alert').waitFor();
      expect(await field(textOf('inbox.write')).inputValue()).toBe('Only once');
      await pressButton(textOf('inbox.send'));
      await waitForValue('it was tried', () => Promise.resolve(tries > _try || undefined));
    }
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await bubbleOf(visit, 'Only once').waitFor();
    expect(await field(textOf('inbox.write')).inputValue()).toBe('');
    const { results } = await inlet.list(`/v1/chat/${effects.chatId}`);
    expect(results).toHaveLength(2);
  });
});

test('a text that is not sent is kept, and an agent who is disabled is no longer chosen', async () => {
  const { effects } = await postLead('Gil Sena', 'Hello');
  const refusals = [/GET \/v1\/chat/];
  await inlet.visit({ token, refusals, path: `/inbox?chat=${effects.chatId}` }, async (visit) => {
    const { page, textOf, type, field, sawToast } = visit;
    await actAs(visit, 'Caio Prado');
    await type(textOf('inbox.write'), 'An unfinished text');
    const { results } = await inlet.list('/v1/admin/agents?search=Caio');
    await inlet.patch(`/v1/admin/agents/${results[0].id}`, { status: 'disabled' });
    await page.reload();
    await sawToast(textOf('inbox.agent.gone'));
    await field(textOf('inbox.write')).waitFor();
    expect(await field(textOf('inbox.write')).inputValue()).toBe('An unfinished text');
    await waitForValue('no agent is chosen', async () =>
      (await page.evaluate("localStorage.getItem('inlet.agent')")) === null ? true : undefined,
    );
  });
});

test('a chat that begins while the list and the live stream are opening is in the list', async () => {
  const begun = new EventEmitter();
  const isBegun = once(begun, 'chat');
  const name = 'Ivo Prata';
  await inlet.visit({ token: null }, async (visit) => {
    const { page, signIn } = visit;
    // The list is read before the chat begins, the stream opens after it, and the answer of the list comes last.
    await page.route(
      /\/v1\/chat\?/,
      async (route) => {
        const response = await route.fetch();
        await postLead(name, 'In between');
        begun.emit('chat');
        await page.waitForResponse(/\/v1\/chat\/live/);
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.route(/\/v1\/chat\/live/, async (route) => {
      await isBegun;
      await route.continue();
    });
    await signIn(token);
    await rowOf(visit, name).waitFor();
  });
});
