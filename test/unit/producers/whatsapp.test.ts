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
  if (!decoded.ok) throw new Error(decoded.message);
  return { body: decoded.value, headers: {}, query: {} };
}

function read(changes: readonly Json[]) {
  const compiled = compileMapping(whatsapp.starterMapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const { mapping } = compiled;
  const payload = payloadOf(notificationOf(changes).body);
  const split = splitItems(mapping, payload);
  if (!split.ok) throw new Error(split.message);
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
    contact: { phone: '+5511900000001', name: 'Ana', externalId: null },
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
  ['image', { id: '1', caption: 'my roof' }, 'my roof'],
  ['image', { id: '1' }, '[image]'],
  ['audio', { id: '1', voice: true }, '[audio]'],
  ['sticker', { id: '1' }, '[sticker]'],
  ['document', { id: '1', filename: 'plan.pdf' }, 'plan.pdf'],
  ['document', { id: '1', filename: 'plan.pdf', caption: 'the plan' }, 'the plan'],
  ['location', { latitude: 1, longitude: 2, name: 'Shop', address: 'Street 1' }, 'Shop'],
  ['location', { latitude: 1, longitude: 2 }, '[location]'],
  ['contacts', [{ name: { formatted_name: 'Bia' } }], '[contacts]'],
  ['reaction', { message_id: 'wamid.x', emoji: '👍' }, '👍'],
  ['order', { catalog_id: '1' }, '[order]'],
  ['unsupported', undefined, '[unsupported]'],
])('a message of type %s with %j reads %j', (type, part, text) => {
  expect(mappedOf([written(type, part)])).toMatchObject([{ ignored: null, message: { text } }]);
});

test.each([
  ['system', { body: 'Ana changed their phone number' }],
  ['reaction', { message_id: 'wamid.x' }],
])('nobody wrote what has the type %s and the content %j', (type, part) => {
  expect(mappedOf([written(type, part)])).toMatchObject([{ ignored: 'filter' }]);
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
