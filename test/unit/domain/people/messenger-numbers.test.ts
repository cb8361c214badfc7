// Numbers as messengers write them, also those that today's numbering plans do not have.
import { canonicalPhone, parsePhone, phoneKeys } from '../../../../src/domain/people/phone.ts';

test.each([
  ['Ivory Coast, eight digits', 'whatsapp:+22507000001', '+22507000001'],
  ['Ivory Coast, in an address', '22507000001@s.whatsapp.net', '+22507000001'],
  ['Benin, eight digits', '22997000001@c.us', '+22997000001'],
  ['Mexico, with 1', '5215512345678@s.whatsapp.net', '+525512345678'],
  ['Mexico, of a device', '5215512345678:3@s.whatsapp.net', '+525512345678'],
  ['Argentina, with 9', 'whatsapp:+5491112345678', '+5491112345678'],
  ['Brazil, without the ninth digit', '551188880001@c.us', '+551188880001'],
  ['Gabon, seven digits', '2417000001@s.whatsapp.net', '+2417000001'],
  ['Germany, a short one', 'whatsapp:+4915123456', '+4915123456'],
])('%s: %s is the address %s', (_, text, e164) => {
  for (const region of ['BR', 'MX', 'US', null]) expect(parsePhone(text, region)).toBe(e164);
});

test.each([
  '154417159582282@lid',
  '120363000000000001@g.us',
  '5511900000001-1600000000@g.us',
  'status@broadcast',
  '120363000000000002@newsletter',
  '0@c.us',
  'whatsapp:BR.1349000000000001',
  'whatsapp:+999123456789',
])('%s is no number', (text) => {
  expect(parsePhone(text, 'BR')).toBeNull();
});

test.each(['+22507000001', '+225 07 00 00 01', 'WhatsApp: +225 0700 0001', '22507000001'])(
  'what a person writes must be a number of today: %s',
  (text) => {
    expect(parsePhone(text, 'BR')).toBeNull();
  },
);

test.each([
  ['5215512345678', 'MX', '+525512345678'],
  ['521 55 1234 5678', 'MX', '+525512345678'],
  ['525512345678', 'MX', '+525512345678'],
  ['5512345678', 'MX', '+525512345678'],
  ['015512345678', 'MX', '+525512345678'],
  ['01 (55) 1234-5678', 'MX', '+525512345678'],
  ['0445512345678', 'MX', '+525512345678'],
  ['045 81 1234 5678', 'MX', '+528112345678'],
  ['+52 044 55 1234 5678', 'MX', '+525512345678'],
  ['+52 01 55 1234 5678', 'BR', '+525512345678'],
  ['+521 55 1234 5678', 'BR', '+525512345678'],
  ['005215512345678', 'BR', '+525512345678'],
  ['5215512345678', 'BR', '+525512345678'],
  ['5215512345678', 'US', '+525512345678'],
  ['5491123456789', 'MX', '+5491123456789'],
  ['551188880001', 'US', '+551188880001'],
  ['5511988880001', 'MX', '+5511988880001'],
])('%s in %s is %s', (text, region, e164) => {
  expect(parsePhone(text, region)).toBe(e164);
});

// A number of another country does not become a Mexican one.
test.each([
  ['0445512345678', 'BR'],
  ['04455123456', 'MX'],
])('%s in %s is no number', (text, region) => {
  expect(parsePhone(text, region)).toBeNull();
});

test.each([
  ['+22507000001', '+2250707000001'],
  ['+22544000001', '+2250544000001'],
  ['+22501000001', '+2250101000001'],
  ['+22521000001', '+22521000001'],
  ['+2250707000001', '+2250707000001'],
  ['+22997000001', '+2290197000001'],
  ['+2290197000001', '+2290197000001'],
])('the owner of %s is known by %s', (given, key) => {
  expect(canonicalPhone(given)).toBe(key);
  expect(phoneKeys(given)).toEqual([key]);
});
