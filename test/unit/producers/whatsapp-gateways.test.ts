// What the starter mappings of the gateways to WhatsApp read: the person, never the receiver's own number, and the words of each kind of
// message.
import {
  json,
  map,
  readOnly,
  readStarter,
  vcard,
  type Json,
} from '../../support/producers/read-starter.ts';

/** The contents of WhatsApp's web client, which two gateways post. */
const contents: [string, Json, string][] = [
  ['a text', { conversation: 'Oi', messageContextInfo: {} }, 'Oi'],
  [
    'a text with a link',
    { extendedTextMessage: { text: 'https://a.example.com' } },
    'https://a.example.com',
  ],
  [
    'a photo',
    { imageMessage: { caption: 'my roof', url: 'https://mmg.example.com/1' } },
    '[image] my roof https://mmg.example.com/1',
  ],
  [
    'a stored photo',
    { imageMessage: { url: 'https://mmg.example.com/1' }, mediaUrl: 'https://s3.example.com/1' },
    '[image] https://s3.example.com/1',
  ],
  ['a voice', { audioMessage: { ptt: true }, messageContextInfo: {} }, '[audio]'],
  [
    'a file with words',
    {
      documentWithCaptionMessage: {
        message: {
          documentMessage: { fileName: 'plan.pdf', title: 'plan.pdf', caption: 'the plan' },
        },
      },
    },
    '[document] plan.pdf the plan',
  ],
  [
    'a photo that disappears',
    { ephemeralMessage: { message: { viewOnceMessageV2: { message: { imageMessage: {} } } } } },
    '[image]',
  ],
  [
    'a place',
    {
      locationMessage: {
        degreesLatitude: -23.55,
        degreesLongitude: -46.63,
        name: 'Shop',
        address: 'Street 1',
      },
    },
    `[location] Shop, Street 1 ${map('-23.55', '-46.63')}`,
  ],
  [
    'a card',
    { contactMessage: { displayName: 'Bia Modelo', vcard } },
    '[contact] Bia Modelo +55 11 90000-0002',
  ],
  [
    'cards',
    { contactsArrayMessage: { contacts: [{ vcard }, { displayName: 'Caio' }] } },
    '[contact] Bia Modelo +55 11 90000-0002; Caio',
  ],
  ['a reaction', { reactionMessage: { text: '👍', key: {} } }, '[reaction] 👍'],
  [
    'a button',
    { buttonsResponseMessage: { selectedDisplayText: 'Yes', selectedButtonId: '1' } },
    'Yes',
  ],
  ['a button of a template', { templateButtonReplyMessage: { selectedDisplayText: 'Yes' } }, 'Yes'],
  [
    'a row of a list',
    { listResponseMessage: { title: 'Large', description: '40 cm' } },
    'Large, 40 cm',
  ],
  [
    'a form',
    {
      interactiveResponseMessage: {
        body: { text: 'Sent' },
        nativeFlowResponseMessage: { paramsJson: '{"city":"Recife"}' },
      },
    },
    '[form] city: Recife',
  ],
  [
    'a poll',
    {
      pollCreationMessageV3: {
        name: 'When?',
        options: [{ optionName: 'Today' }, { optionName: 'Later' }],
      },
    },
    '[poll] When? (Today, Later)',
  ],
  [
    'an order',
    { orderMessage: { itemCount: 2, orderTitle: 'Shirts', message: 'please' } },
    '[order] 2 × Shirts please',
  ],
  [
    'a sticker',
    { stickerMessage: { url: 'https://mmg.example.com/2' } },
    '[sticker] https://mmg.example.com/2',
  ],
  ['a content of tomorrow', { newThingMessageV2: { a: 1 } }, '[newThing]'],
];

const own = '551130000099';

describe('Evolution API', () => {
  const posted = (key: Json, more: Json = {}, over: Json = {}) =>
    json({
      event: 'messages.upsert',
      instance: 'shop',
      data: {
        key: { remoteJid: '5511900000001@s.whatsapp.net', fromMe: false, id: 'E1', ...key },
        pushName: 'Ana Modelo',
        message: { conversation: 'Oi' },
        messageType: 'conversation',
        messageTimestamp: 1_767_700_800,
        ...more,
      },
      sender: `${own}@s.whatsapp.net`,
      server_url: 'https://evolution.example.com',
      ...over,
    });

  test.each(contents)('%s is shown in words', (_, message, text) => {
    const [found] = readStarter('evolution', posted({}, { message }));
    expect(found).toMatchObject({ detected: 'evolution', id: 'shop:E1' });
    expect(found?.mapped).toMatchObject({ ignored: null, message: { text }, problems: [] });
  });

  const lid = '154417159582282@lid';
  const number = '5511900000001@s.whatsapp.net';
  test.each<[string, Json, Json]>([
    ['a number', {}, { externalId: number, phone: '+5511900000001', name: 'Ana Modelo' }],
    ['a hidden number', { remoteJid: lid }, { externalId: lid, phone: null }],
    [
      'both',
      { remoteJid: lid, remoteJidAlt: number },
      { externalId: lid, phone: '+5511900000001' },
    ],
    ['both, the number first', { remoteJidAlt: lid }, { externalId: lid, phone: '+5511900000001' }],
    [
      'both, in an older release',
      { remoteJid: lid, senderPn: number },
      { externalId: lid, phone: '+5511900000001' },
    ],
    [
      'a device',
      { remoteJid: '5511900000001:7@s.whatsapp.net' },
      { externalId: number, phone: '+5511900000001' },
    ],
    [
      'a number of an old plan',
      { remoteJid: '22507000001@s.whatsapp.net' },
      { phone: '+22507000001' },
    ],
  ])('a person is known by %s', (_, key, contact) => {
    const event = readOnly('evolution', posted(key));
    expect(event).toMatchObject({ ignored: null, contact, problems: [] });
    expect(JSON.stringify(event.contact)).not.toContain(own);
  });

  test.each<[string, Json, Json, Json]>([
    ['a message of the instance', { fromMe: true }, {}, {}],
    [
      'a group',
      { remoteJid: '120363000000000001@g.us', participant: '5511900000001@s.whatsapp.net' },
      {},
      {},
    ],
    ['a group of old', { remoteJid: '5511900000001-1600000000@g.us', participant: lid }, {}, {}],
    [
      'a status',
      { remoteJid: 'status@broadcast', participant: '5511900000001@s.whatsapp.net' },
      {},
      {},
    ],
    ['a channel', { remoteJid: '120363000000000002@newsletter' }, {}, {}],
    ['a deleted message', {}, { message: { protocolMessage: { type: 'REVOKE' } } }, {}],
    ['a reaction that is taken back', {}, { message: { reactionMessage: { text: '' } } }, {}],
    ['another event', {}, {}, { event: 'messages.update' }],
    ['a connection', {}, {}, { event: 'connection.update', data: { state: 'open' } }],
  ])('%s is ignored', (...[, key, data, over]) => {
    expect(readOnly('evolution', posted(key, data, over)).ignored).toBe('filter');
  });
});

describe('WAHA', () => {
  const posted = (payload: Json, over: Json = {}) =>
    json({
      event: 'message',
      session: 'default',
      me: { id: `${own}@c.us`, pushName: 'Shop' },
      payload: {
        id: 'false_5511900000001@c.us_A1',
        timestamp: 1_767_700_800,
        from: '5511900000001@c.us',
        fromMe: false,
        to: `${own}@c.us`,
        body: '',
        hasMedia: false,
        _data: { notifyName: 'Ana Modelo' },
        ...payload,
      },
      engine: 'WEBJS',
      ...over,
    });

  test.each<[string, Json, string]>([
    ['a text', { body: 'Oi' }, 'Oi'],
    [
      'a photo',
      {
        hasMedia: true,
        body: 'my roof',
        media: { url: 'https://waha.example.com/1.jpg', mimetype: 'image/jpeg' },
      },
      '[image] my roof https://waha.example.com/1.jpg',
    ],
    [
      'a file',
      {
        hasMedia: true,
        media: {
          url: 'https://waha.example.com/1',
          mimetype: 'application/pdf',
          filename: 'plan.pdf',
        },
      },
      '[document] plan.pdf https://waha.example.com/1',
    ],
    ['a file that is not loaded', { hasMedia: true, media: null, _data: { type: 'ptt' } }, '[ptt]'],
    [
      'a place',
      { location: { latitude: '-23.55', longitude: '-46.63', description: 'Shop' } },
      `[location] Shop ${map('-23.55', '-46.63')}`,
    ],
    ['a card', { vCards: [vcard], body: vcard }, '[contact] Bia Modelo +55 11 90000-0002'],
    ['a reaction', { reaction: { text: '👍', messageId: 'x' } }, '[reaction] 👍'],
    ...contents.map(([title, message, text]): [string, Json, string] => [
      `${title}, of an engine without a phone`,
      { _data: { pushName: 'Ana Modelo', message } },
      text,
    ]),
  ])('%s is shown in words', (_, payload, text) => {
    const event = payload.reaction ? 'message.reaction' : 'message';
    const [found] = readStarter('waha', posted(payload, { event }));
    expect(found).toMatchObject({ detected: 'waha', id: 'false_5511900000001@c.us_A1' });
    expect(found?.mapped).toMatchObject({ ignored: null, message: { text }, problems: [] });
  });

  const lid = '154417159582282@lid';
  test.each<[string, Json, Json]>([
    [
      'a number',
      {},
      { externalId: '5511900000001@c.us', phone: '+5511900000001', name: 'Ana Modelo' },
    ],
    ['a hidden number', { from: lid }, { externalId: lid, phone: null }],
    [
      'both',
      { from: lid, _data: { key: { remoteJidAlt: '5511900000001@s.whatsapp.net' } } },
      { externalId: lid, phone: '+5511900000001' },
    ],
    [
      'both, of another engine',
      {
        from: lid,
        _data: { Info: { SenderAlt: '5511900000001:3@s.whatsapp.net', PushName: 'Ana Modelo' } },
      },
      { externalId: lid, phone: '+5511900000001', name: 'Ana Modelo' },
    ],
  ])('a person is known by %s', (_, payload, contact) => {
    const event = readOnly('waha', posted({ body: 'Oi', ...payload }));
    expect(event).toMatchObject({ ignored: null, contact, problems: [] });
    expect(JSON.stringify(event.contact)).not.toContain(own);
  });

  test.each<[string, Json, Json]>([
    ['a message of the session', { body: 'Oi', fromMe: true }, {}],
    [
      'a group',
      { body: 'Oi', from: '120363000000000001@g.us', participant: '5511900000001@c.us' },
      {},
    ],
    ['a status', { body: 'Oi', from: 'status@broadcast' }, {}],
    ['a channel', { body: 'Oi', from: '120363000000000002@newsletter' }, {}],
    ['a notification of the engine', { _data: { type: 'e2e_notification' } }, {}],
    ['a receipt', { body: 'Oi' }, { event: 'message.ack' }],
    ['a session', {}, { event: 'session.status', payload: { status: 'WORKING' } }],
  ])('%s is ignored', (_, payload, over) => {
    expect(readOnly('waha', posted(payload, over)).ignored).toBe('filter');
  });
});
