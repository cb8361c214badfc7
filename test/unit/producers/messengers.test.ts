// What the starter mappings of Twilio, Telegram and Meta read: the person, and the words of each kind of message.
import { producerOf } from '../../../src/producers/registry.ts';
import {
  form,
  json,
  map,
  readOnly,
  readStarter,
  type Json,
} from '../../support/producers/read-starter.ts';

describe('Twilio', () => {
  const sent = (over: Record<string, string>) =>
    form({
      MessageSid: 'SM1',
      AccountSid: 'AC1',
      SmsStatus: 'received',
      To: 'whatsapp:+551130000099',
      From: 'whatsapp:+5511900000001',
      WaId: '5511900000001',
      ProfileName: 'Ana Modelo',
      Body: '',
      NumMedia: '0',
      ...over,
    });

  test.each<[string, Record<string, string>, string]>([
    ['a text', { Body: 'Oi' }, 'Oi'],
    [
      'a photo',
      { NumMedia: '1', MediaContentType0: 'image/jpeg', MediaUrl0: 'https://a.example.com/1' },
      '[image] https://a.example.com/1',
    ],
    [
      'a photo with words',
      {
        Body: 'my roof',
        NumMedia: '1',
        MediaContentType0: 'image/png',
        MediaUrl0: 'https://a.example.com/1',
      },
      '[image] my roof https://a.example.com/1',
    ],
    [
      'two files',
      {
        NumMedia: '2',
        MediaContentType0: 'audio/ogg',
        MediaUrl0: 'https://a.example.com/1',
        MediaContentType1: 'application/pdf',
        MediaUrl1: 'https://a.example.com/2',
      },
      '[audio] https://a.example.com/1\n[document] https://a.example.com/2',
    ],
    [
      'a card',
      { NumMedia: '1', MediaContentType0: 'text/x-vcard', MediaUrl0: 'https://a.example.com/1' },
      '[contact] https://a.example.com/1',
    ],
    [
      'a place',
      { Latitude: '-23.55', Longitude: '-46.63', Address: 'Street 1', Label: 'Shop' },
      `[location] Shop, Street 1 ${map('-23.55', '-46.63')}`,
    ],
    ['a place without a name', { Latitude: '1', Longitude: '2' }, `[location] ${map('1', '2')}`],
    ['a button', { ButtonText: 'Yes', ButtonPayload: 'yes-1' }, 'Yes'],
    ['the payload of a button', { ButtonPayload: 'yes-1' }, 'yes-1'],
    [
      'a row of a list',
      { ListTitle: 'Large', ListDescription: '40 cm', ListId: '3' },
      'Large, 40 cm',
    ],
    ['a form', { InteractiveData: '{"city":"Recife"}' }, '[form] city: Recife'],
    [
      'an advertisement',
      { ReferralHeadline: 'Sale', ReferralSourceUrl: 'https://ad.example.com/1' },
      '[referral] Sale https://ad.example.com/1',
    ],
    ['a type alone', { MessageType: 'order' }, '[order]'],
    ['nothing', {}, '[message]'],
    ['a number of files that is none', { NumMedia: '-1e9' }, '[message]'],
  ])('%s is shown in words', (_, over, text) => {
    expect(readOnly('twilio', sent(over)).message.text).toBe(text);
  });

  const none = { WaId: '', Body: 'Oi' };
  test.each<[string, Record<string, string>, Json]>([
    ['a number', { Body: 'Oi' }, { externalId: '5511900000001', phone: '+5511900000001' }],
    [
      'an id and a number',
      { Body: 'Oi', ExternalUserId: 'BR.13' },
      { externalId: 'BR.13', phone: '+5511900000001' },
    ],
    [
      'an id alone',
      { ...none, From: '', ExternalUserId: 'BR.13' },
      { externalId: 'BR.13', phone: null },
    ],
    [
      'an id beside an opaque address',
      { ...none, From: 'whatsapp:BR.13', ExternalUserId: 'BR.13' },
      { externalId: 'BR.13', phone: null },
    ],
    [
      'an opaque address',
      { ...none, From: 'whatsapp:BR.13' },
      { externalId: 'whatsapp:BR.13', phone: null },
    ],
    [
      'an id of Messenger',
      { ...none, From: 'messenger:7001' },
      { externalId: 'messenger:7001', phone: null },
    ],
    [
      'a number of an old plan',
      { ...none, From: 'whatsapp:+22507000001' },
      { phone: '+22507000001' },
    ],
    ['the number without a plus', { Body: 'Oi', From: '' }, { phone: '+5511900000001' }],
  ])('a person is known by %s', (_, over, contact) => {
    expect(readOnly('twilio', sent(over))).toMatchObject({ ignored: null, contact, problems: [] });
  });
});

describe('Telegram', () => {
  const sent = (message: Json, chat: Json = { type: 'private' }) =>
    json({
      update_id: 1,
      message: {
        message_id: 2,
        from: { id: 71, is_bot: false, first_name: 'Elif' },
        chat: { id: 71, ...chat },
        date: 1_767_700_800,
        ...message,
      },
    });

  test.each<[string, Json, string]>([
    ['a text', { text: 'Oi' }, 'Oi'],
    ['a photo', { photo: [{ file_id: 'a' }] }, '[photo]'],
    ['a photo with words', { photo: [{ file_id: 'a' }], caption: 'my roof' }, '[photo] my roof'],
    [
      'a file',
      { document: { file_name: 'plan.pdf' }, caption: 'the plan' },
      '[document] plan.pdf the plan',
    ],
    [
      'an animation',
      { animation: { file_id: 'a' }, document: { file_name: 'a.mp4' } },
      '[animation]',
    ],
    ['a voice', { voice: { duration: 3 } }, '[voice]'],
    ['music', { audio: { performer: 'Trio', title: 'Song' } }, '[audio] Trio, Song'],
    ['a sticker', { sticker: { emoji: '😀' } }, '[sticker] 😀'],
    [
      'a place',
      { location: { latitude: -23.55, longitude: -46.63 } },
      `[location] ${map('-23.55', '-46.63')}`,
    ],
    [
      'a venue',
      {
        location: { latitude: 1, longitude: 2 },
        venue: { title: 'Shop', address: 'Street 1', location: { latitude: 1, longitude: 2 } },
      },
      `[location] Shop, Street 1 ${map('1', '2')}`,
    ],
    [
      'a card',
      {
        contact: {
          phone_number: '+5511900000002',
          first_name: 'Bia',
          last_name: 'Modelo',
          user_id: 5,
        },
      },
      '[contact] Bia Modelo +5511900000002',
    ],
    [
      'a poll',
      { poll: { question: 'When?', options: [{ text: 'Today' }, { text: 'Later' }] } },
      '[poll] When? (Today, Later)',
    ],
    ['a dice', { dice: { emoji: '🎲', value: 4 } }, '[dice] 🎲 4'],
    [
      'an answer of a form',
      { web_app_data: { button_text: 'Order', data: '{"a":1}' } },
      '[form] Order: {"a":1}',
    ],
    [
      'a content of tomorrow',
      { reply_to_message: { text: 'x' }, giveaway: { winners: 1 } },
      '[giveaway]',
    ],
    ['nothing', {}, '[message]'],
  ])('%s is shown in words', (_, message, text) => {
    expect(readOnly('telegram', sent(message))).toMatchObject({ ignored: null, message: { text } });
  });

  test.each([['group'], ['supergroup'], ['channel']])('a %s is no person', (type) => {
    const event = readOnly('telegram', sent({ text: 'Oi' }, { id: -100_123, type, title: 'Team' }));
    expect(event.ignored).toBe('filter');
  });
});

describe('Messenger and Instagram', () => {
  const posted = (...items: readonly Json[]) =>
    json({
      object: 'page',
      entry: [
        {
          id: '900',
          time: 1_767_700_800_000,
          messaging: items.map((item) => ({
            sender: { id: '7001' },
            recipient: { id: '900' },
            timestamp: 1_767_700_800_000,
            ...item,
          })),
        },
      ],
    });
  const attached = (type: string, payload: unknown, more: Json = {}) => ({
    message: { mid: 'm1', attachments: [{ type, payload, ...more }] },
  });

  test.each<[string, Json, string]>([
    ['a text', { message: { mid: 'm1', text: 'Oi' } }, 'Oi'],
    [
      'a photo',
      attached('image', { url: 'https://cdn.example.com/1' }),
      '[image] https://cdn.example.com/1',
    ],
    [
      'a photo with words',
      {
        message: {
          mid: 'm1',
          text: 'my roof',
          attachments: [{ type: 'image', payload: { url: 'https://cdn.example.com/1' } }],
        },
      },
      'my roof\n[image] https://cdn.example.com/1',
    ],
    [
      'a place',
      attached('location', { coordinates: { lat: 1.5, long: 2 } }, { title: 'Ana' }),
      `[location] Ana ${map('1.5', '2')}`,
    ],
    [
      'a link',
      attached('fallback', null, { title: 'Offer', url: 'https://shop.example.com/1' }),
      '[link] Offer https://shop.example.com/1',
    ],
    [
      'a mention in a story',
      attached('story_mention', { url: 'https://cdn.example.com/2' }),
      '[story_mention] https://cdn.example.com/2',
    ],
    [
      'an answer to a story',
      {
        message: {
          mid: 'm1',
          text: 'Nice',
          reply_to: { story: { url: 'https://cdn.example.com/3' } },
        },
      },
      '[story] https://cdn.example.com/3\nNice',
    ],
    ['a button', { postback: { mid: 'm1', title: 'Start', payload: 'GET_STARTED' } }, 'Start'],
    ['a quick reply', { message: { mid: 'm1', quick_reply: { payload: 'BLUE' } } }, 'BLUE'],
    [
      'a reaction',
      { reaction: { mid: 'm0', action: 'react', reaction: 'love', emoji: '❤' } },
      '[reaction] ❤',
    ],
    ['what is not passed on', { message: { mid: 'm1', is_unsupported: true } }, '[unsupported]'],
  ])('%s is shown in words', (_, item, text) => {
    const [found] = readStarter('meta', posted(item));
    expect(found?.detected).toBe('meta');
    expect(found?.mapped).toMatchObject({
      ignored: null,
      contact: { externalId: '7001' },
      message: { text },
      problems: [],
    });
    expect(found?.id).toEqual(expect.any(String));
  });

  test.each<[string, Json]>([
    ['an echo of the page', { message: { mid: 'm1', text: 'Oi', is_echo: true } }],
    ['a deleted message', { message: { mid: 'm1', is_deleted: true } }],
    ['a reaction that is taken back', { reaction: { mid: 'm0', action: 'unreact' } }],
    ['a receipt', { read: { watermark: 1 } }],
  ])('%s is ignored', (_, item) => {
    expect(readOnly('meta', posted(item)).ignored).toBe('filter');
  });

  test('each message in one body is an event of its own', () => {
    const ids = readStarter(
      'meta',
      posted({ message: { mid: 'm1', text: 'a' } }, { message: { mid: 'm2', text: 'b' } }),
    ).map(({ id }) => id);
    expect(ids).toEqual(['m1', 'm2']);
  });
});

describe('Slack', () => {
  const posted = (event: Json) =>
    json({
      team_id: 'T1',
      api_app_id: 'A1',
      event_id: 'Ev1',
      event: { type: 'message', user: 'U1', ...event },
    });
  const file = { name: 'plan.pdf', permalink: 'https://shop.slack.example.com/1' };

  test.each<[string, Json, string]>([
    ['a text', { text: 'Oi' }, 'Oi'],
    [
      'a file',
      { subtype: 'file_share', text: '', files: [file] },
      '[file] plan.pdf https://shop.slack.example.com/1',
    ],
    [
      'a file with words',
      { text: 'the plan', files: [file] },
      'the plan\n[file] plan.pdf https://shop.slack.example.com/1',
    ],
    ['a forwarded message', { text: '', attachments: [{ text: 'Oi', fallback: 'x' }] }, 'Oi'],
    ['a reaction', { type: 'reaction_added', reaction: 'thumbsup' }, '[reaction] :thumbsup:'],
    ['a person who joins', { type: 'member_joined_channel' }, '[member_joined_channel]'],
  ])('%s is shown in words', (_, event, text) => {
    expect(readOnly('slack', posted(event))).toMatchObject({ ignored: null, message: { text } });
  });
});

test.each<[string, Json, string | null]>([
  ['words', { body: '<p>Oi</p>' }, 'Oi'],
  [
    'files alone',
    {
      body: '<p></p>',
      attachments: [{ name: 'a.png', url: 'https://a.example.com/1' }, { name: 'b.pdf' }],
    },
    '[file] a.png https://a.example.com/1\n[file] b.pdf',
  ],
  ['nothing', { body: '', attachments: [] }, null],
])('a conversation in Intercom with %s', (_, source, text) => {
  const author = { type: 'user', id: 'p1', name: 'Ana' };
  const item = { type: 'conversation', source: { author, ...source } };
  const body = {
    type: 'notification_event',
    topic: 'conversation.user.created',
    id: 'n1',
    data: { item },
  };
  expect(readOnly('intercom', json(body)).message.text).toBe(text);
});

test.each(['twilio', 'telegram', 'meta', 'evolution', 'waha', 'whatsapp'])(
  '%s replaces a member messenger of the sender',
  (name) => {
    const decoded = producerOf(name).decodeBody({
      contentType: 'application/json',
      body: Buffer.from(
        '{"messenger":{"personId":"1","text":"x"},"entry":[{"messaging":[{"messenger":{"personId":"1"}}],"changes":[{"value":{"messages":[{"messenger":{"personId":"1"}}]}}]}]}',
      ),
    });
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
    const text = JSON.stringify(decoded.value);
    const places = { meta: /"messaging":\[\{\}\]/, whatsapp: /"messages":\[\{\}\]/ };
    const place =
      places[name as 'meta'] ??
      /^\{(?:"messenger":\{"personId":null,"text":"\[message\]"\},)?"entry"|"entry".*"messenger":\{"personId":null,"text":"\[message\]"\}\}$/;
    expect(text).toMatch(place);
  },
);
