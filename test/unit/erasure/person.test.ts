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
])('%j mentions the person, as a mapping would read it', (text) => {
  expect(ana.isMentionedIn({ note: text }, 'BR')).toBe(true);
  expect(ana.redact({ note: text, other: 'x' }, 'BR')).toEqual({ note: null, other: 'x' });
});

test('a person whom release 0.2.0 stored is found by the same number and document', () => {
  const registers = { externalId: null, email: null };
  const stored = { ...registers, phone: '+5599999999999', document: 'AB\u200b123456' };
  const person = personOf(identitiesOf(stored, scope));
  for (const text of ['(99) 99999-9999', 'AB\u200b123456', 'AB123456'])
    expect(person.isMentionedIn({ note: text }, 'BR')).toBe(true);
});

test('a text about somebody else does not', () => {
  expect(ana.isMentionedIn({ note: '11 90000-0048, jose@example.com' }, 'BR')).toBe(false);
});
