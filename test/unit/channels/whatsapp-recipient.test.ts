// To whom a message by WhatsApp is sent.
import { recipientOf } from '../../../src/channels/whatsapp/recipient.ts';
import { outgoingMessage } from '../../support/fixtures/outgoing-message.ts';

const to = (contact: object | null, settings = {}) =>
  recipientOf(
    { ...outgoingMessage, contact: contact && { ...outgoingMessage.contact, ...contact } },
    settings,
  );

test.each<[string, object, object | null]>([
  ['a phone alone', { phone: '+5511900000001' }, { to: '5511900000001' }],
  [
    'a Mexican number with 1',
    { phone: '+525512345678', fields: { whatsappId: '5215512345678' } },
    { to: '5215512345678' },
  ],
  [
    'a Brazilian number without the ninth digit',
    { phone: '+5511988880001', fields: { whatsappId: '551188880001' } },
    { to: '551188880001' },
  ],
  [
    'a number of an old plan',
    { phone: '+22507000001', fields: { whatsappId: '22507000001' } },
    { to: '22507000001' },
  ],
  [
    'an address of an earlier phone',
    { phone: '+5511900000001', fields: { whatsappId: '5511900000002' } },
    { to: '5511900000001' },
  ],
  [
    'an id without a number',
    { phone: null, externalId: 'BR.1349000000000001' },
    { recipient: 'BR.1349000000000001' },
  ],
  [
    'an id of a company, and a number',
    { phone: '+5511900000001', externalId: 'BR.ENT.1349000000000001' },
    { to: '5511900000001' },
  ],
  [
    'an address that is no phone',
    { phone: null, fields: { whatsappId: '99912345678' } },
    { to: '99912345678' },
  ],
  ['an id of another service', { phone: null, externalId: '35100001' }, null],
  ['an address that is not one', { phone: null, fields: { whatsappId: 'https://x' } }, null],
])('%s', (_, contact, recipient) => {
  expect(to(contact)).toEqual(recipient);
});

test('a test without a contact goes to the phone of the settings, or nowhere', () => {
  expect(to(null, { testPhone: '+5511900000009' })).toEqual({ to: '5511900000009' });
  expect(to(null)).toBeNull();
});
