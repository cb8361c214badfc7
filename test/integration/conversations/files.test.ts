// Files of messages: types are judged by their bytes, bounded, served to tokens only, erased with the person.
import { createErasureContext, databaseText } from '../../support/context/erasures.ts';
import { aChannel } from '../../support/context/builders.ts';
import { statusAndCode, useConversations } from '../../support/context/conversations.ts';
import { newId } from '../../../src/base/ids.ts';
import { startRetention } from '../../../src/maintenance/retention.ts';
import { systemClock } from '../../../src/base/clock.ts';

const { api, lead, call, texts, sector } = useConversations('conversation_files', {
  maxMediaBytes: 4_096,
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
type Part = readonly [name: string, bytes: Buffer, fileName?: string];

/** Sends a form with files. */
async function send(chatId: string, parts: readonly Part[], headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append('message', 'Veja');
  for (const [name, bytes, fileName = 'foto.png'] of parts)
    form.append(name, new Blob([bytes], { type: 'image/svg+xml' }), fileName);
  const request = new Request('http://form.test', { method: 'POST', body: form });
  const raw = Buffer.from(await request.arrayBuffer());
  const type = request.headers.get('content-type') ?? '';
  return api().ask('POST', `/v1/chat/${chatId}`, {
    raw,
    headers: { 'content-type': type, ...headers },
  });
}

const read = (path: string, token: string | null) =>
  fetch(`${api().url}${path}`, { headers: { ...(token !== null && { keyapi: token }) } });

test('an image is sent with its caption and read by a token, as an attachment', async () => {
  const { chatId } = await lead();
  const { status, body } = await send(chatId, [['images', png, '../fotô.png']]);
  expect([status, body.data.content]).toEqual([
    201,
    {
      type: 'image',
      message: 'Veja',
      files: [
        {
          file_id: expect.any(String),
          name: 'fotô.png',
          content_type: 'image/png',
          bytes: png.length,
          path: expect.stringMatching(`^/v1/chat/${chatId}/files/`),
        },
      ],
    },
  ]);
  const [{ path }] = body.data.content.files;
  const token = await api().addToken(['inbox']);
  const answer = await read(path, token);
  expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': expect.stringMatching(/^attachment;/),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect((await read(path, null)).status).toBe(401);
  expect((await read(path, await api().addToken(['viewer']))).status).toBe(403);
  const other = await lead();
  expect((await read(path.replace(chatId, other.chatId), token)).status).toBe(404);
  expect(await texts(chatId)).toContainEqual(['operator', 'Veja']);
});

test('a file may have a name of any characters', async () => {
  const { chatId } = await lead();
  const names = ['JOSÉ – “proposta”.png', 'фото 📷.png', 'a"b.png', '写真.png'];
  const { status, body } = await send(
    chatId,
    names.map((name) => ['images', png, name]),
  );
  const { files = [] } = body.data.content ?? {};
  expect([status, files.map((file: { name: string }) => file.name)]).toEqual([201, names]);
  for (const { path } of files)
    expect((await read(path, await api().addToken(['inbox']))).status).toBe(200);
});

test('a channel that sends text only refuses files, and stores none', async () => {
  const settings = { phoneNumberId: '12345', accessToken: 'x' };
  const made = await api().ask('POST', '/v1/admin/channels', {
    body: { name: 'WhatsApp', kind: 'whatsapp', settings },
  });
  const webhook = await api().addWebhook(undefined, made.body.data.id);
  const { chatId } = await lead('text only', {}, webhook);
  expect(statusAndCode(await send(chatId, [['images', png]]))).toEqual([
    422,
    'invalid_field',
    undefined,
  ]);
  expect(await texts(chatId)).toEqual([['client', 'Olá']]);
  expect(
    await api().connection.collection('media.files').countDocuments({ 'metadata.chatId': chatId }),
  ).toBe(0);
});

test('several files are one message, and one idempotency key sends them once', async () => {
  const { chatId } = await lead();
  const parts: Part[] = [
    ['documents[]', Buffer.from('nome;valor\n'), 'tabela.csv'],
    ['images', png],
  ];
  const headers = { 'Idempotency-Key': newId() };
  const first = await send(chatId, parts, headers);
  expect(first.body.data.content).toMatchObject({
    type: 'document',
    files: [{ content_type: 'text/plain' }, { content_type: 'image/png' }],
  });
  const again = await send(chatId, parts, headers);
  expect(again.body.data.message_id).toBe(first.body.data.message_id);
  const other: Part[] = [['images', Buffer.concat([png, Buffer.from([0])])]];
  expect(statusAndCode(await send(chatId, other, headers))[0]).toBe(422);
});

test.each<[what: string, parts: readonly Part[], expected: readonly unknown[]]>([
  ['a text as an image', [['images', Buffer.from('<svg/>')]], [415, 'unsupported_media_type']],
  ['a page as an image', [['images', Buffer.from('<html>')]], [415, 'unsupported_media_type']],
  [
    'a program',
    [['documents', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1])]],
    [415, 'unsupported_media_type'],
  ],
  ['too many bytes', [['documents', Buffer.alloc(5_000, 'a')]], [413, 'body_too_large']],
  ['an unknown part', [['stickers', png]], [422, 'invalid_field']],
  ['an empty file', [['images', Buffer.alloc(0)]], [422, 'invalid_field']],
  [
    'eleven files',
    Array.from({ length: 11 }, () => ['images', png] as const),
    [422, 'invalid_field'],
  ],
  ['no file and no type', [], [422, 'invalid_field']],
])('%s is rejected', async (_what, parts, expected) => {
  const { chatId } = await lead();
  expect(statusAndCode(await send(chatId, parts)).slice(0, 2)).toEqual(expected);
  expect(await texts(chatId)).toEqual([['client', 'Olá']]);
});

const stored = (chatId: string) =>
  api().connection.collection('media.files').countDocuments({ 'metadata.chatId': chatId });

test('files of a closed chat are not kept: the next retention deletes them', async () => {
  const { chatId } = await lead();
  await call('PATCH', `/chat/${chatId}/status`, { body: { status: 'closed' } });
  expect(statusAndCode(await send(chatId, [['images', png]]))[0]).toBe(409);
  expect(await stored(chatId)).toBe(1);
  const open = await lead();
  await send(open.chatId, [['images', png]]);
  const later = { ...systemClock, now: () => new Date(Date.now() + 2 * 86_400_000) };
  await api()
    .connection.collection('media.files')
    .updateMany({}, { $set: { uploadDate: new Date(0) } });
  const retention = startRetention(api().newResources({ clock: later }), {
    retentionDays: 90,
    auditRetentionDays: 0,
  });
  await retention.tick();
  await retention.close();
  expect([await stored(chatId), await stored(open.chatId)]).toEqual([0, 1]);
});

test('an erasure reaches what agents wrote and sent, notes and file names', async () => {
  const { chatId, contactId } = await lead();
  await send(chatId, [['documents', Buffer.from('Contrato de Zuleica'), 'zuleica.txt']]);
  await call('POST', `/chat/${chatId}`, { body: { type: 'text', message: 'Olá, Zuleica' } });
  await call('POST', `/chat/${chatId}/transfer`, {
    body: { sector_id: await sector(), annotation: 'Zuleica quer desconto' },
  });
  await call('PATCH', `/chat/${chatId}/status`, {
    body: { status: 'closed', closure_comment: 'Zuleica comprou' },
  });
  expect(await databaseText(api())).toMatch(/zuleica/i);
  const erasures = createErasureContext(api());
  await erasures.erase(contactId);
  await erasures.toEnd();
  expect(await databaseText(api())).not.toMatch(/zuleica/i);
  expect(await stored(chatId)).toBe(0);
});

test('an erasure reaches the person in channels to which people took the chat or the contact', async () => {
  const { chatId, contactId } = await lead('omar', { text: 'Omar pergunta' });
  const [one, two] = [await aChannel(api()), await aChannel(api())];
  await call('POST', `/chat/${chatId}/transfer`, { body: { worker_id: one } });
  const start = { contact_id: contactId, worker_id: two };
  const started = await call('POST', '/chat/start-with-contact', { body: start });
  const text = { type: 'text', message: 'Omar, tudo bem?' };
  await call('POST', `/chat/${started.body.data.chat_id}`, { body: text });
  const erasures = createErasureContext(api());
  await erasures.erase(contactId);
  await erasures.toEnd();
  expect(await databaseText(api())).not.toMatch(/omar/i);
});
