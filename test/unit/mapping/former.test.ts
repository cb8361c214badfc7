import { identitiesOf } from '../../../src/domain/people/contact.ts';
import { applyItem } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { payloadOf } from './example-mapping.ts';

function contactOf(contact: object, body: object) {
  const result = compileMapping({ contact });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return applyItem(result.mapping, payloadOf(body), { defaultRegion: 'BR' }).contact;
}

const former = {
  externalId: { path: 'ids' },
  phone: { path: 'before.phone' },
  email: { path: 'before.email' },
};

test('a value and each element of a list are former identities; empty values and placeholders are none', () => {
  const body = {
    ids: [51, null, 'N/A', '52', 51],
    before: { phone: '11 90000-0001', email: 'Old@Example.com' },
  };
  expect(contactOf({ former }, body).former).toEqual([
    { kind: 'externalId', value: '51' },
    { kind: 'externalId', value: '52' },
    { kind: 'phone', value: '+5511900000001' },
    { kind: 'email', value: 'old@example.com' },
  ]);
});

test('of each kind at most 20 are read', () => {
  const ids = Array.from({ length: 30 }, (_, at) => at + 100);
  expect(contactOf({ former }, { ids }).former).toHaveLength(20);
});

test('a mapping without former identities has none', () => {
  expect(contactOf({ email: { path: 'email' } }, {})).not.toHaveProperty('former');
  expect(contactOf({ former }, {}).former).toEqual([]);
});

test('they come after the identities of now, and none twice', () => {
  const contact = {
    externalId: '77',
    phone: null,
    email: 'ana@example.com',
    document: null,
    former: [
      { kind: 'externalId', value: '51' },
      { kind: 'email', value: 'ana@example.com' },
      { kind: 'email', value: 'old@example.com' },
    ] as const,
  };
  const found = identitiesOf(contact, { channelId: 'c', webhookId: 'w' });
  expect(found.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
    'externalId w:77',
    'email ana@example.com',
    'externalId w:51',
    'email old@example.com',
  ]);
});
