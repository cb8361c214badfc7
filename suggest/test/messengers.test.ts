// Suggestions from the payloads of messengers and their gateways: the person is who writes, never the receiver or a group.
import type { Payload } from '../../src/domain/mappings/mapping.ts';
import { applyItem } from '../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../src/mapping/language/compile.ts';
import { suggestMapping } from '../suggest.ts';
import { producerOf } from '../../src/producers/registry.ts';

type Json = Readonly<Record<string, unknown>>;
const payloadOf = (body: unknown): Payload => ({ body, headers: {}, query: {} });

function compiled(sample: unknown) {
  const { mapping } = suggestMapping([payloadOf(sample)]);
  const result = compileMapping(mapping);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return {
    mapping,
    read: (body: unknown) => applyItem(result.mapping, payloadOf(body), { defaultRegion: 'BR' }),
  };
}

const own = '5511900000099';
const number = '5511900000001@s.whatsapp.net';
const phone = '+5511900000001';
const lid = '154417159582282@lid';
const otherLid = '154417159582283@lid';
const group = '120363000000000001@g.us';

type Gateway = (chat: string, more?: Json) => Json;

const evolution: Gateway = (remoteJid, more) => ({
  event: 'messages.upsert',
  instance: 'shop',
  data: {
    key: { remoteJid, fromMe: false, id: '3EB0AA', ...more },
    pushName: 'Ana Modelo',
    message: { conversation: 'Oi, tudo bem?' },
    messageType: 'conversation',
    messageTimestamp: 1_767_700_800,
  },
  date_time: '2026-01-06T09:00:00.000Z',
  sender: `${own}@s.whatsapp.net`,
});
const baileys: Gateway = (remoteJid, more) => ({
  key: { remoteJid, fromMe: false, id: 'A1', ...more },
  pushName: 'Ana Modelo',
  messageTimestamp: 1_767_700_800,
  message: { conversation: 'Oi, tudo bem?' },
});
const waha: Gateway = (from, more) => ({
  event: 'message',
  session: 'default',
  me: { id: `${own}@c.us`, lid: '99000000000001@lid', pushName: 'Shop' },
  payload: {
    id: 'false_A',
    timestamp: 1_767_700_800,
    from,
    fromMe: false,
    to: `${own}@c.us`,
    body: 'Oi, tudo bem?',
    _data: { notifyName: 'Ana Modelo' },
    ...more,
  },
});
const webJs: Gateway = (from, more) => ({
  id: { fromMe: false, remote: from, id: 'A1', _serialized: `false_${from}_A1` },
  body: 'Oi, tudo bem?',
  type: 'chat',
  timestamp: 1_767_700_800,
  from,
  to: `${own}@c.us`,
  notifyName: 'Ana Modelo',
  ...more,
});
const wppConnect: Gateway = (from, more) => ({
  event: 'onmessage',
  session: 'shop',
  body: 'Oi, tudo bem?',
  type: 'chat',
  t: 1_767_700_800,
  from,
  to: `${own}@c.us`,
  sender: { id: from, name: 'Ana Modelo' },
  id: 'false_A',
  chatId: from,
  isGroupMsg: false,
  fromMe: false,
  ...more,
});
const green: Gateway = (sender, more) => ({
  typeWebhook: 'incomingMessageReceived',
  instanceData: { idInstance: 1234, wid: `${own}@c.us`, typeInstance: 'whatsapp' },
  timestamp: 1_767_700_800,
  idMessage: 'F7A',
  senderData: { chatId: sender, sender, senderName: 'Ana Modelo', ...more },
  messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'Oi, tudo bem?' } },
});
const withOwner: Gateway = (chatid, more) => ({
  EventType: 'messages',
  instanceName: 'shop',
  owner: own,
  message: {
    messageid: 'A1',
    chatid,
    sender: chatid,
    senderName: 'Ana Modelo',
    fromMe: false,
    isGroup: false,
    messageTimestamp: 1_767_700_800_000,
    text: 'Oi, tudo bem?',
    ...more,
  },
});
const connected: Gateway = (chatLid, more) => ({
  chatLid,
  connectedPhone: own,
  isGroup: false,
  instanceId: 'A20D',
  messageId: 'M1',
  phone: chatLid,
  fromMe: false,
  momment: 1_767_700_800_000,
  senderName: 'Ana Modelo',
  type: 'ReceivedCallback',
  text: { message: 'Oi, tudo bem?' },
  ...more,
});

const gateways: [string, Gateway][] = [
  ['the number of the instance as sender', evolution],
  ['the bare protocol', baileys],
  ['the session in me', waha],
  ['the chat in id', webJs],
  ['a sender with an id', wppConnect],
  ['the number of the instance as wid', green],
  ['the number of the instance as owner', withOwner],
  ['a connected phone', connected],
];

test.each(gateways)('people with hidden numbers are several, with %s', (_, gateway) => {
  const { read } = compiled(gateway(lid));
  const [ana, bia] = [read(gateway(lid)), read(gateway(otherLid))];
  expect(ana).toMatchObject({ ignored: null, contact: { externalId: lid, name: 'Ana Modelo' } });
  expect(bia.contact.externalId).toBe(otherLid);
  expect(JSON.stringify([ana.contact, bia.contact])).not.toContain(own);
  expect(ana.message.text).toBe('Oi, tudo bem?');
});

test.each(gateways)('who shows a number is known by it, with %s', (_, gateway) => {
  const { read } = compiled(gateway(number));
  const event = read(gateway(number));
  expect(event).toMatchObject({ ignored: null, contact: { phone, externalId: number } });
  expect(JSON.stringify(event.contact)).not.toContain(own);
});

test.each(gateways)('a group is no person, with %s', (_, gateway) => {
  const { read } = compiled(gateway(lid));
  const posted = gateway(group, { participant: number, author: number, isGroup: true });
  expect(read(posted).ignored).toBe('filter');
});

test.each<[string, Json]>([
  ['remoteJidAlt', { remoteJidAlt: number }],
  ['senderPn', { senderPn: number }],
])('the number in %s is the phone of the id', (_, more) => {
  const sample = evolution(lid, more);
  expect(compiled(sample).read(sample).contact).toMatchObject({ externalId: lid, phone });
});

test('a number whose chat has an id that hides it stays a person without that id', () => {
  const sample = connected(lid, { senderLid: lid, phone: '5511900000001' });
  const { read } = compiled(sample);
  expect(read(sample).contact).toMatchObject({ externalId: lid, phone });
  const bare = read({ ...connected(lid), phone: '5511900000001', chatLid: null, senderLid: null });
  expect(bare).toMatchObject({ ignored: null, contact: { phone } });
});

test('a member of a group is the person where the sample is of a group', () => {
  const sample = evolution(group, { participant: number });
  expect(compiled(sample).read(sample).contact).toMatchObject({ externalId: number, phone });
});

test('a sender, an owner and a recipient of other payloads are not the receiver', () => {
  const body = { sender: '+5511900000001', owner: 'Eva', to: 'sales', text: 'Oi, tudo bem?' };
  expect(compiled(body).read(body).contact.phone).toBe(phone);
});

test.each<[string, Json, string]>([
  [
    'twilio',
    {
      MessageSid: 'SM1',
      AccountSid: 'AC1',
      From: 'whatsapp:+5511900000001',
      WaId: '5511900000001',
      ProfileName: 'Ana',
      Body: '',
      NumMedia: '1',
      MediaUrl0: 'https://a.example.com/1',
      MediaContentType0: 'image/jpeg',
    },
    '[image] https://a.example.com/1',
  ],
  [
    'twilio',
    {
      MessageSid: 'SM1',
      AccountSid: 'AC1',
      From: 'whatsapp:+5511900000001',
      ProfileName: 'Ana',
      Body: 'Oi, tudo bem?',
    },
    'Oi, tudo bem?',
  ],
  [
    'telegram',
    {
      update_id: 1,
      message: {
        message_id: 2,
        from: { id: 71, first_name: 'Ana' },
        chat: { id: 71, type: 'private' },
        date: 1_767_700_800,
        caption: 'my roof',
        photo: [{ file_id: 'a' }],
      },
    },
    '[photo] my roof',
  ],
  ['evolution', evolution(number), 'Oi, tudo bem?'],
])('what the decoder of %s shows is the message', (name, body, text) => {
  const raw = { contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) };
  const decoded = producerOf(name).decodeBody(raw);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
  const { mapping, read } = compiled(decoded.value);
  expect(mapping.message?.text).toMatchObject({ path: 'messenger.text' });
  expect(read(decoded.value).message.text).toBe(text);
});
