// The bodies of the WhatsApp webhook: what its mapping reads of each kind of message.
import type { MappedEvent, Payload } from '../../../src/domain/mappings/mapping.ts';
import { applyItem, readEventId, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { detectProducer } from '../../../src/producers/registry.ts';
import { whatsapp } from '../../../src/producers/whatsapp/whatsapp.ts';
import {
  changeOf,
  notificationOf,
  phoneNumberId,
  statusOf,
} from '../../support/destinations/whatsapp-cloud.ts';

type Json = Readonly<Record<string, unknown>>;
const at = new Date('2026-01-06T12:00:00Z');
const timestamp = String(+at / 1_000);

function payloadOf(body: string): Payload {
  const decoded = whatsapp.decodeBody({ contentType: undefined, body: Buffer.from(body) });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
  return { body: decoded.value, headers: {}, query: {} };
}

function read(changes: readonly Json[]) {
  const compiled = compileMapping(whatsapp.starterMapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const { mapping } = compiled;
  const payload = payloadOf(notificationOf(changes).body);
  const split = splitItems(mapping, payload);
  if (!split.ok) throw new Error(JSON.stringify(split.message));
  return split.items.map((item) => ({
    item: item as Json,
    id: readEventId(mapping, payload, { item }),
    mapped: applyItem(mapping, payload, { defaultRegion: 'US', item }),
  }));
}

const written = (type: string, part: unknown, more: Json = {}): Json => ({
  from: '5511900000001',
  id: `wamid.${type}`,
  timestamp,
  type,
  [type]: part,
  ...more,
});
const mappedOf = (messages: readonly Json[], contacts: readonly Json[] = []): MappedEvent[] =>
  read([changeOf({ messages, contacts })]).map(({ mapped }) => mapped);

test('a text has its phone, the name of its own sender and its time', () => {
  const contacts = [
    { wa_id: '5511900000002', profile: { name: 'Bia' } },
    { wa_id: '5511900000001', profile: { name: 'Ana' } },
  ];
  const other = written('text', { body: 'oi' }, { from: '5511900000002', id: 'wamid.2' });
  const [ana, bia] = mappedOf([written('text', { body: 'olá' }), other], contacts);
  expect(ana).toMatchObject({
    ignored: null,
    contact: { phone: '+5511900000001', name: 'Ana', externalId: '5511900000001' },
    message: { text: 'olá' },
    eventType: 'text',
  });
  expect(new Date(ana?.eventDate ?? 0)).toEqual(at);
  expect(bia).toMatchObject({ contact: { name: 'Bia' }, message: { text: 'oi' } });
});

test.each<[string, unknown, string]>([
  ['button', { payload: 'yes', text: 'Yes' }, 'Yes'],
  ['interactive', { type: 'button_reply', button_reply: { id: '1', title: 'Blue' } }, 'Blue'],
  ['interactive', { type: 'list_reply', list_reply: { id: '2', title: 'Large' } }, 'Large'],
  ['interactive', { type: 'nfm_reply', nfm_reply: { body: 'Sent' } }, 'Sent'],
  [
    'interactive',
    { type: 'list_reply', list_reply: { id: '2', title: 'Large', description: '40 cm' } },
    'Large, 40 cm',
  ],
  [
    'interactive',
    {
      type: 'nfm_reply',
      nfm_reply: {
        name: 'flow',
        body: 'Sent',
        response_json: '{"flow_token":"t","city":"Recife","sizes":["S","M"],"news":true}',
      },
    },
    '[form] city: Recife, sizes: S, M, news: true',
  ],
  [
    'interactive',
    { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
    '[call permission] accept',
  ],
  ['interactive', { type: 'new_reply' }, '[interactive]'],
  ['image', { id: '1', caption: 'my roof' }, '[image] my roof'],
  ['image', { id: '1' }, '[image]'],
  [
    'image',
    { id: '1', caption: 'my roof', url: 'https://media.example.com/1' },
    '[image] my roof https://media.example.com/1',
  ],
  ['video', { id: '1', url: 'javascript:alert(1)' }, '[video]'],
  ['audio', { id: '1', voice: true }, '[audio]'],
  ['sticker', { id: '1' }, '[sticker]'],
  ['document', { id: '1', filename: 'plan.pdf' }, '[document] plan.pdf'],
  [
    'document',
    { id: '1', filename: 'plan.pdf', caption: 'the plan' },
    '[document] plan.pdf the plan',
  ],
  [
    'location',
    { latitude: -23.55, longitude: -46.63, name: 'Shop', address: 'Street 1' },
    '[location] Shop, Street 1 https://maps.google.com/?q=-23.55,-46.63',
  ],
  ['location', { latitude: 0, longitude: 2 }, '[location] https://maps.google.com/?q=0,2'],
  [
    'contacts',
    [
      { name: { formatted_name: 'Bia Modelo' }, phones: [{ phone: '+55 11 90000-0002' }] },
      { name: { first_name: 'Caio' } },
    ],
    '[contact] Bia Modelo +55 11 90000-0002; Caio',
  ],
  ['contacts', [], '[contact]'],
  ['reaction', { message_id: 'wamid.x', emoji: '👍' }, '[reaction] 👍'],
  ['order', { catalog_id: '1' }, '[order]'],
  [
    'order',
    {
      catalog_id: '1',
      text: 'please',
      product_items: [
        { product_retailer_id: 'SKU-1', quantity: 2, item_price: 10.5, currency: 'BRL' },
        { product_retailer_id: 'SKU-2', quantity: '1' },
      ],
    },
    '[order] 2 × SKU-1 (BRL 10.5), 1 × SKU-2 please',
  ],
  ['unsupported', undefined, '[unsupported]'],
  [
    'system',
    { body: 'Ana changed from 1 to 2', type: 'user_changed_number' },
    '[system] Ana changed from 1 to 2',
  ],
  ['edit', { message: { type: 'text', text: { body: 'new' } } }, '[edit] new'],
  ['something_new', {}, '[something_new]'],
])('a message of type %s with %j reads %j', (type, part, text) => {
  expect(mappedOf([written(type, part)])).toMatchObject([{ ignored: null, message: { text } }]);
});

test.each([
  ['system', {}],
  ['request_welcome', undefined],
  ['reaction', { message_id: 'wamid.x' }],
])('nobody wrote what has the type %s and the content %j', (type, part) => {
  expect(mappedOf([written(type, part)])).toMatchObject([{ ignored: 'filter' }]);
});

test('what WhatsApp does not pass on says why', () => {
  const errors = [{ code: 131051, title: 'Message type unknown' }];
  const [found] = mappedOf([written('unsupported', undefined, { errors })]);
  expect(found?.message.text).toBe('[unsupported] Message type unknown');
});

const hidden = (more: Json = {}): Json => ({
  from_user_id: 'BR.1349000000000001',
  id: 'wamid.h',
  timestamp,
  type: 'text',
  text: { body: 'oi' },
  ...more,
});

test.each<[string, Json, readonly Json[], Json]>([
  [
    'a username hides the number',
    hidden(),
    [{ user_id: 'BR.1349000000000001', profile: { name: 'Bia', username: 'bia.m' } }],
    { externalId: 'BR.1349000000000001', phone: null, name: 'Bia' },
  ],
  [
    'only a username is given',
    hidden(),
    [{ user_id: 'BR.1349000000000001', profile: { username: 'bia.m' } }],
    { externalId: 'BR.1349000000000001', name: 'bia.m' },
  ],
  [
    'id and number are given',
    hidden({ from: '5511900000001' }),
    [{ user_id: 'BR.1349000000000001', wa_id: '5511900000001', profile: { name: 'Bia' } }],
    { externalId: 'BR.1349000000000001', phone: '+5511900000001', name: 'Bia' },
  ],
  [
    'the id is beside the message only',
    written('text', { body: 'oi' }),
    [{ user_id: 'BR.1349000000000001', wa_id: '5511900000001', profile: { name: 'Bia' } }],
    { externalId: 'BR.1349000000000001', phone: '+5511900000001' },
  ],
  [
    'nothing is in the message',
    { id: 'wamid.n', timestamp, type: 'text', text: { body: 'oi' } },
    [{ user_id: 'BR.1349000000000001', profile: { name: 'Bia' } }],
    { externalId: 'BR.1349000000000001', name: 'Bia' },
  ],
  [
    'the number is from before a renumbering',
    written('text', { body: 'oi' }, { from: '22507000001' }),
    [{ wa_id: '22507000001', profile: { name: 'Awa' } }],
    { externalId: '22507000001', phone: '+22507000001' },
  ],
  [
    'the number has an old prefix',
    written('text', { body: 'oi' }, { from: '5215512345678' }),
    [],
    { phone: '+525512345678', fields: { whatsappId: '5215512345678' } },
  ],
])('a person is known when %s', (...[, message, contacts, contact]) => {
  expect(mappedOf([message], contacts)).toMatchObject([{ ignored: null, contact, problems: [] }]);
});

test('one of two people without a number gets the own name', () => {
  const contacts = [
    { user_id: 'BR.2', profile: { name: 'Caio' } },
    { user_id: 'BR.1349000000000001', profile: { name: 'Bia' } },
  ];
  const names = mappedOf([hidden(), hidden({ from_user_id: 'BR.2' })], contacts).map(
    ({ contact }) => contact.name,
  );
  expect(names).toEqual(['Bia', 'Caio']);
});

test('a message in a group is ignored', () => {
  expect(mappedOf([hidden({ group_id: 'g1' })])).toMatchObject([{ ignored: 'filter' }]);
});

test('each status of a message is an event of its own, and a redelivery is the same', () => {
  const sent = { id: 'wamid.1', to: '5511900000001', callbackData: 'our-id' };
  const statuses = (['sent', 'delivered', 'delivered'] as const).map((status) =>
    statusOf(sent, status, { at }),
  );
  const messages = [written('text', { body: 'olá' }, { id: 'wamid.1' })];
  const found = read([changeOf({ messages }), changeOf({ statuses })]);
  const ids = found.map(({ id }) => id);
  expect(new Set(ids.map((id) => JSON.stringify(id))).size).toBe(3);
  expect(ids[2]).toEqual(ids[3]);
  expect(found.map(({ item }) => item.phone_number_id)).toEqual(ids.map(() => phoneNumberId));
});

test('it is detected, and other subscriptions of Meta are not', () => {
  const detected = (changes: readonly Json[]) =>
    detectProducer(payloadOf(notificationOf(changes).body))[0]?.name;
  expect(detected([changeOf({ messages: [] })])).toBe('whatsapp');
  expect(detected([{ field: 'leadgen', value: { leadgen_id: '1' } }])).toBe('meta');
});

test.each(['[]', '{"entry":{}}', '{"entry":[null,{"changes":[null,{"value":[]}]}]}'])(
  '%s is decoded as it is',
  (body) => {
    expect(JSON.stringify(payloadOf(body).body)).toBe(body);
  },
);
