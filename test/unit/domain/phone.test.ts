import {
  canonicalPhone,
  isPhoneRegion,
  parsePhone,
  spellingsOf,
  splitPhone,
} from '../../../src/domain/people/phone.ts';

describe('a phone number is parsed as E.164', () => {
  test.each([
    ['(11) 90000-0047', 'BR', '+5511900000047'],
    ['55 11 90000-0045', 'BR', '+5511900000045'],
    ['+55 11 90000-0025', 'BR', '+5511900000025'],
    ['+5511900000011', 'BR', '+5511900000011'],
    ['11900000033', 'BR', '+5511900000033'],
    ['(55) 90000-0019', 'BR', '+5555900000019'],
    ['11 90000-0020', 'BR', '+5511900000020'],
    ['+55 (11) 90000-0021', 'BR', '+5511900000021'],
    ['5511900000040', 'BR', '+5511900000040'],
    ['(21) 90000-0018', 'BR', '+5521900000018'],
    ['553890000048', 'BR', '+553890000048'],
    ['554830000049', 'BR', '+554830000049'],
    ['whatsapp:+5511900000042', 'BR', '+5511900000042'],
    ['+12025550143', 'US', '+12025550143'],
    ['(202) 555-0144', 'US', '+12025550144'],
    ['+44 7700 900138', 'GB', '+447700900138'],
    ['07700 900138', 'GB', '+447700900138'],
  ])('%s in %s is %s', (text, region, e164) => {
    expect(parsePhone(text, region)).toBe(e164);
  });

  test.each([
    ['a trunk zero', '011 90000-0047', '+5511900000047'],
    ['a trunk zero after the country code', '+55 (011) 90000-0047', '+5511900000047'],
    ['a carrier code', '015 11 90000-0047', '+5511900000047'],
    ['00 for the plus', '0055 11 90000-0047', '+5511900000047'],
    ['00 for the plus, abroad', '00351912345678', '+351912345678'],
    ['a foreign number without its plus', '12025550143', '+12025550143'],
    ['a Portuguese one without its plus', '351912345678', '+351912345678'],
    ['a mobile from before the ninth digit', '(47) 9123-4567', '+554791234567'],
    ['a landline', '(48) 3000-0049', '+554830000049'],
    ['a messenger address', '5511900000042@c.us', '+5511900000042'],
    ['an extension', '+1 202 555 0143 ext. 5', '+12025550143'],
    ['the old Mexican mobile prefix', '+5215512345678', '+525512345678'],
    ['full-width digits', '１１９００００００４７', '+5511900000047'],
    ['an address of RCS', 'rcs:+5511900000047', '+5511900000047'],
    ['Arabic digits', '١١٩٠٠٠٠٠٠٤٧', '+5511900000047'],
    ['Persian digits', '۱۱۹۰۰۰۰۰۰۴۷', '+5511900000047'],
    ['direction marks of an address book', '\u202a+55 11 90000-0047\u202c', '+5511900000047'],
    ['a zero-width space', '(11)\u200b 90000-0047\ufeff', '+5511900000047'],
    ['a decimal number of a spreadsheet', '5511900000047.0', '+5511900000047'],
    ['a trunk zero and a carrier, landline', '0 21 48 3000-0049', '+554830000049'],
    ['a carrier after the country code', '+55 0 15 11 90000-0047', '+5511900000047'],
    ['xx in the place of a carrier', '(0xx11) 90000-0047', '+5511900000047'],
    ['a trunk zero in brackets', '+55 (0)11 90000-0047', '+5511900000047'],
    ['a Brazilian extension', '(11) 3000-0047 ramal 12', '+551130000047'],
    ['an extension in brackets', '(11) 3000-0047 (ext. 12)', '+551130000047'],
    ['a short extension', '(11) 3000-0047 x12', '+551130000047'],
    ['an address with parameters', 'tel:+55-11-90000-0047;ext=5', '+5511900000047'],
    ['an address with slashes', 'tel://+5511900000047', '+5511900000047'],
    ['a messenger address of a device', '5511900000042:12@s.whatsapp.net', '+5511900000042'],
    ['a link of a messenger', 'https://wa.me/5511900000047', '+5511900000047'],
    ['as Meta exports it', 'p:+5511900000047', '+5511900000047'],
    ['a foreign messenger address', '12025550143@c.us', '+12025550143'],
    ['an Argentine mobile', '+54 9 11 2345-6789', '+5491123456789'],
    ['a toll-free number', '0800 123 4567', '+558001234567'],
    ['a remark', '(11) 90000-0047 (cell)', '+5511900000047'],
    ['a remark in a word', '11 90000-0047 WhatsApp', '+5511900000047'],
    ['a label', 'Tel.: (11) 90000-0047', '+5511900000047'],
    ['a label of one word', 'celular 11 90000-0047', '+5511900000047'],
    ['a formula of a spreadsheet', '="5511900000047"', '+5511900000047'],
    ["a spreadsheet's mark for a text", "'5511900000047", '+5511900000047'],
    ['a list of one as JSON', '["+5511900000047"]', '+5511900000047'],
    ['digits of Devanagari', '११९००००००४७', '+5511900000047'],
    ['spaces that do not break', '11\u00a090000\u202f0047', '+5511900000047'],
    ['a whole number in scientific notation', '5.511900000047E+12', '+5511900000047'],
    ['a Norwegian number of one digit', '+47 22 22 22 22', '+4722222222'],
  ])('%s', (_, text, e164) => {
    expect(parsePhone(text, 'BR')).toBe(e164);
  });

  test.each([
    '',
    ' ',
    'abc',
    '123',
    '90000-0047',
    '+55 90000-0047',
    '+55 3234-5678',
    '(01) 90000-0047',
    '(11) 90000-0047 / (11) 90000-0048',
    'ligar para 11 90000-0047',
    '+5511999',
    'true',
    '120363021234567890@g.us',
    '5511900000042@lid',
    '11900000042@example.com',
    'ramal 12',
    // Digits were lost.
    '5.5119E+12',
    '5.511900000E+12',
    '["11900000047","11900000048"]',
    '(99) 99999-9999',
    '+55 (00) 00000-0000',
    '+1 000 000 0000',
    '1'.repeat(20),
    '1'.repeat(100_000),
  ])('%j is not a phone number', (text) => {
    expect(parsePhone(text, 'BR')).toBeNull();
  });

  test('without a region only a number with its country code is parsed', () => {
    expect(parsePhone('11900000033', null)).toBeNull();
    expect(parsePhone('+5511900000033', null)).toBe('+5511900000033');
    expect(parsePhone('+5511900000033', 'XX')).toBe('+5511900000033');
    expect([isPhoneRegion('BR'), isPhoneRegion('XX')]).toEqual([true, false]);
  });
});

test.each([
  ['+551190000004', '+5511990000004'],
  ['+551180000004', '+5511980000004'],
  ['+551160000004', '+5511960000004'],
  ['+5511900000047', '+5511900000047'],
  ['+551150000004', '+551150000004'],
  ['+554830000049', '+554830000049'],
  ['+12025550143', '+12025550143'],
  ['+552090000004', '+552090000004'],
])('%s identifies as %s', (e164, key) => {
  expect(canonicalPhone(e164)).toBe(key);
  expect(canonicalPhone(key)).toBe(key);
});

test.each([
  ['+5511987654321', ['5511987654321', '551187654321']],
  ['+551187654321', ['551187654321', '5511987654321']],
  ['+5491123456789', ['5491123456789', '541123456789']],
  ['+525512345678', ['525512345678', '5215512345678']],
  ['+12025550143', ['12025550143']],
])('%s is written as %j', (e164, spellings) => {
  expect(spellingsOf(e164).toSorted()).toEqual(spellings.toSorted());
});

test.each([
  ['+5511900000047', '55', '11900000047'],
  ['+12025550143', '1', '2025550143'],
  ['+351912345678', '351', '912345678'],
])('%s is country %s, national %s', (e164, ddi, national) => {
  expect(splitPhone(e164)).toEqual({ ddi, national });
});
