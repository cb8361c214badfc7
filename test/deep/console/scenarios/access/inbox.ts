// The inbox in the console: agents who act at the same time, files, chats that are started, restricted tokens and lost answers.
import { EventEmitter, once } from 'node:events';
import {
  actAs,
  bubbleOf,
  paneOf,
  postLead,
  rowOf,
  write,
} from '../../../../support/console/inbox-page.ts';
import { leadMapping } from '../../../../support/context/test-context.ts';
import { waitForValue } from '../../../../support/processes/client.ts';
import { inlet } from '../../../../support/console/shared-console.ts';

let url: string;
let token: string;
beforeAll(async () => {
  ({ url } = await inlet.addWebhook('Inbox', leadMapping));
  ({ token } = await inlet.post('/v1/admin/tokens', { name: 'Team', scopes: ['inbox'] }));
  await inlet.post('/v1/admin/agents', { name: 'Bia', lastName: 'Lima' });
  await inlet.post('/v1/admin/agents', { name: 'Caio', lastName: 'Prado' });
  await inlet.post('/v1/sector', { name: 'After sales', color: '#7c4dbd' });
});

test('of two agents who take a chat one gets it, and the other sees who', async () => {
  const name = 'Elio Prates';
  const { effects } = await postLead(url, name, 'Hello');
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
  const { effects } = await postLead(url, name, 'Please send the quotation number 4711');
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
  const { effects } = await postLead(url, 'Hugo Paiva', 'Hello');
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
  const { effects } = await postLead(url, 'Joana Luz', 'Hello');
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
  const { effects } = await postLead(url, 'Iris Leal', 'Hello');
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
  const { effects } = await postLead(url, 'Gil Sena', 'Hello');
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
        await postLead(url, name, 'In between');
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
