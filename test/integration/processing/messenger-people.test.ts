// People who write by a messenger that hides their number: the id and the number lead to one contact, in any order.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import { aChannel } from '../../support/context/builders.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { updateWebhookSettings } from '../../../src/store/webhooks/webhooks.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('messenger_people');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const actor = { tokenId: 'test', name: 'test' };

async function webhookOf(producerProfile: string, channelId?: string) {
  const { starterMapping } = producerOf(producerProfile);
  const webhook = await context.addWebhook(starterMapping, channelId);
  await updateWebhookSettings(
    context.stores,
    { webhook, given: { producerProfile, settings: {} } },
    actor,
  );
  return webhook;
}

let last = 0;
const nextId = () => `m${(last += 1)}`;
const lid = '154417159582282@lid';
const number = '5511900000001@s.whatsapp.net';

const evolution = (key: object) => ({
  event: 'messages.upsert',
  instance: 'shop',
  data: {
    key: { fromMe: false, id: nextId(), ...key },
    pushName: 'Ana Exemplo',
    message: { conversation: 'Oi' },
    messageTimestamp: 1_767_700_800,
  },
  sender: '551130000099@s.whatsapp.net',
});

const whatsapp = (sender: { from?: string; from_user_id?: string }) => ({
  entry: [
    {
      changes: [
        {
          value: {
            messaging_product: 'whatsapp',
            metadata: { phone_number_id: '1', display_phone_number: '551130000099' },
            contacts: [
              { profile: { name: 'Ana' }, wa_id: sender.from, user_id: sender.from_user_id },
            ],
            messages: [
              {
                ...sender,
                id: nextId(),
                timestamp: '1767700800',
                type: 'text',
                text: { body: 'Oi' },
              },
            ],
          },
        },
      ],
    },
  ],
});

const meta = (id: string) => ({
  object: 'page',
  entry: [
    {
      messaging: [
        {
          sender: { id },
          recipient: { id: '9' },
          timestamp: 1,
          message: { mid: nextId(), text: 'Oi' },
        },
      ],
    },
  ],
});

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const id = { from_user_id: 'BR.1349000000000001' };
const phone = { from: '5511900000001' };

/** Sends one after another, and returns the contacts and messages that they made. */
async function processAll(profile: string, payloads: readonly object[], channelId?: string) {
  const webhook = await webhookOf(profile, channelId);
  for (const payload of payloads) {
    const event = await context.send(webhook, payload);
    await context.processEvents([event]);
    const items = await events().find({ parentId: event }).toArray();
    if (items.length > 0) await context.processEvents(items.map(({ _id }) => _id));
  }
  const { contacts, messages, conflicts } = await context.snapshot();
  return { contacts: contacts.length, messages, conflicts };
}

test.each<[string, string, () => object[]]>([
  ['an id, then id and number', 'whatsapp', () => [id, { ...id, ...phone }].map(whatsapp)],
  [
    'a number, then both, then the id',
    'whatsapp',
    () => [phone, { ...id, ...phone }, id].map(whatsapp),
  ],
  [
    'a hidden number, then both',
    'evolution',
    () => [{ remoteJid: lid }, { remoteJid: lid, remoteJidAlt: number }].map(evolution),
  ],
  [
    'a number, then both, then a hidden one',
    'evolution',
    () =>
      [{ remoteJid: number }, { remoteJid: lid, senderPn: number }, { remoteJid: lid }].map(
        evolution,
      ),
  ],
  ['an id of a page', 'meta', () => [meta('7001'), meta('7001')]],
  [
    'a number in two spellings',
    'whatsapp',
    () =>
      [{ from: '22507000001' }, { from: '2250707000001' }, { from: '22507000001' }].map(whatsapp),
  ],
])('%s, by %s, has one contact', async (_, profile, payloads) => {
  const sent = payloads();
  expect(await processAll(profile, sent)).toEqual({
    contacts: 1,
    messages: sent.length,
    conflicts: 0,
  });
});

test.each<[string, string, () => object[]]>([
  [
    'two hidden numbers',
    'evolution',
    () => [{ remoteJid: lid }, { remoteJid: '154417159582283@lid' }].map(evolution),
  ],
  ['two ids', 'whatsapp', () => [id, { from_user_id: 'BR.2' }].map(whatsapp)],
  ['two ids of a page', 'meta', () => [meta('7001'), meta('7002')]],
])('%s, by %s, are two contacts', async (_, profile, payloads) => {
  expect(await processAll(profile, payloads())).toEqual({ contacts: 2, messages: 2, conflicts: 0 });
});

test('what WhatsApp says about a person is shown, and opens no window for answers', async () => {
  const settings = { phoneNumberId: '1', accessToken: 'x' };
  const channelId = await aChannel(context, { kind: 'whatsapp', settings });
  const written = whatsapp(phone);
  const said = JSON.parse(
    JSON.stringify(whatsapp(phone)).replace(
      '"type":"text","text":{"body":"Oi"}',
      '"type":"system","system":{"body":"Ana changed her number"}',
    ),
  ) as object;
  const registers = async () => (await context.snapshot()).contacts[0]?.registers;
  expect(await processAll('whatsapp', [said], channelId)).toMatchObject({ messages: 1 });
  expect(await registers()).not.toHaveProperty('repliedAt');
  await processAll('whatsapp', [written], channelId);
  expect(await registers()).toHaveProperty('repliedAt');
});
