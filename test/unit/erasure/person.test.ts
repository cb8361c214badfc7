import { identitiesOf } from '../../../src/domain/people/contact.ts';
import { personOf } from '../../../src/erasure/person.ts';

const scope = { channelId: 'channel', webhookId: 'webhook' };
const ana = personOf(
  identitiesOf(
    {
      externalId: null,
      phone: '+5511900000047',
      email: 'josé@example.com',
      document: '12345678909',
    },
    scope,
  ),
);

test.each([
  ['(11) 90000-0047'],
  ['call (11)\u200b 90000\u200b-0047 today'],
  ['\u202a+55 11 90000-0047\u202c'],
  ['١١٩٠٠٠٠٠٠٤٧'],
  ['１１９００００００４７'],
  ['Jose\u0301 <JOSE\u0301@example.com>'],
  ['josé@exam\u00adple.com'],
  ['\u202a123.456.789-09\u202c'],
  [Buffer.from('{"lead":{"phone":"(11) 90000-0047"}}').toString('base64')],
  // In a text with others.
  ['CPF: 123.456.789-09, Ana'],
  ['cpf=12345678909&x=1'],
  ['CPF12345678909nome'],
  ['(11) 90000-0046\n(11) 90000-0047\n(11) 90000-0048'],
  ['5511900000046 5511900000047'],
  ['phone=%2B55+11+90000-0047'],
  // Escaped.
  ['https://example.com/?email=jos%C3%A9%40example.com'],
  ['https://example.com/?to=https%3A%2F%2Fexample.org%2F%3Femail%3Djos%25C3%25A9%2540example.com'],
  ['{"email":"jos\\u00e9\\u0040example.com"}'],
  [String.raw`{"note":"line\njosé@example.com"}`],
  ['jos&#233;&#x40;example.com'],
  [Buffer.from(String.raw`{"email":"jos\u00e9\u0040example.com"}`).toString('base64')],
  [encodeURIComponent(Buffer.from('{"email":"josé@example.com" }').toString('base64'))],
  // Far into a long text.
  [`${'x '.repeat(100_000)}(11) 90000-0047`],
  [`${'x '.repeat(100_000)}josé@example.com`],
  [`${'x '.repeat(100_000)}123.456.789-09`],
  // Behind more marks than a letter has, which are not sorted.
  [`a${'\u0301\u0316'.repeat(200_000)} (11) 90000-0047`],
  [`a${'\u0301\uFF9E'.repeat(200_000)} (11) 90000-0047`],
  // More numbers with the same end than are compared.
  [Array.from({ length: 10_000 }, (_, index) => `${1_000_000 + index}000047`).join(' x ')],
  ['1000047 '.repeat(200_000)],
])('%j mentions the person, as a mapping would read it', (text) => {
  expect(ana.isMentionedIn({ note: text }, 'BR')).toBe(true);
  expect(ana.redact({ note: text, other: 'x' }, 'BR')).toEqual({ note: null, other: 'x' });
});

test('a document that was given in wide letters is found in any', () => {
  const contact = { externalId: null, phone: null, email: null, document: 'ＡＢ１２３４５６' };
  const person = personOf(identitiesOf(contact, scope));
  for (const text of ['ＡＢ１２３４５６', 'AB123456'])
    expect(person.isMentionedIn({ note: text }, 'BR')).toBe(true);
});

test('a document that lost its leading zero as a number is found', () => {
  const contact = { externalId: null, phone: null, email: null, document: '01234567890' };
  const person = personOf(identitiesOf(contact, scope));
  expect(person.redact({ cpf: 1_234_567_890, other: 1_234_567_891 }, 'BR')).toEqual({
    cpf: null,
    other: 1_234_567_891,
  });
});

test('a short document is found as a value, and not in a text', () => {
  const contact = { externalId: null, phone: null, email: null, document: '123456' };
  const person = personOf(identitiesOf(contact, scope));
  expect(person.isMentionedIn({ rg: '123456' }, 'BR')).toBe(true);
  expect(person.isMentionedIn({ note: 'order 123456' }, 'BR')).toBe(false);
});

test.each([
  ['11 90000-0048, jose@example.com'],
  ['maria.josé@example.com'],
  ['majosé@example.com'],
  ['order 9912345678909'],
  ['115119000000471'],
  ['11 90000-0046 0047'],
])('%j is about somebody else', (text) => {
  expect(ana.isMentionedIn({ note: text }, 'BR')).toBe(false);
});

test('the numbers of all texts of a body that are compared are bounded, and those beyond count as mentions', () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => `${1_000_000 + index}000047`);
  expect(ana.isMentionedIn(numbers, 'BR')).toBe(true);
  expect(ana.redact([...numbers, 'x'], 'BR')).toEqual([
    ...numbers.map((number, index) => (index < 5_000 ? number : null)),
    'x',
  ]);
  expect(ana.isMentionedIn(numbers.slice(0, 5_000), 'BR')).toBe(false);
  expect(ana.isMentionedIn(numbers.slice(5_000), 'BR')).toBe(false);
});

test('a number that a body repeats is compared once', () => {
  const times = Array.from({ length: 10_000 }, () => '20261126000047');
  expect(ana.isMentionedIn(times, 'BR')).toBe(false);
});
