// Samples of several types of records in one envelope: the mapping reads people and no record of the same number.
import { applyItem } from '../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../src/mapping/language/compile.ts';
import { suggestMapping } from '../suggest.ts';
import { payloadOf } from '../../test/unit/mapping/example-mapping.ts';

const person = { id: 91, name: 'Ana Exemplo', email: 'ana@example.com' };
const company = { id: 91, name: 'Acme Ltda', email: 'contato@acme.example.com' };

function read(samples: readonly object[], body: object) {
  const { mapping } = suggestMapping(samples.map(payloadOf));
  const compiled = compileMapping(mapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return applyItem(compiled.mapping, payloadOf(body), { defaultRegion: 'BR' });
}

type Row = readonly [
  what: string,
  envelope: (type: string, data: object) => object,
  person: string,
  other: string,
];

const rows: readonly Row[] = [
  ['type beside the data', (type, data) => ({ type, data }), 'person', 'organization'],
  ['entity in a head', (entity, data) => ({ meta: { entity }, data }), 'contact', 'company'],
  ['object in capitals', (object, data) => ({ object, ...data }), 'CONTACT', 'DEAL'],
  [
    'type in the record',
    (type, data) => ({ data: { item: { type, ...data } } }),
    'user',
    'account',
  ],
  ['resource type', (type, data) => ({ resource_type: type, resource: data }), 'customer', 'order'],
  ['type in Portuguese', (type, data) => ({ entity_type: type, data }), 'cliente', 'pedido'],
];

test.each(rows.map((row) => [row[0], row] as const))('%s', (_what, [, envelope, one, other]) => {
  const samples = [envelope(other, company), envelope(one, person)];
  expect(read(samples, envelope(one, person))).toMatchObject({
    ignored: null,
    contact: { externalId: '91', email: 'ana@example.com' },
  });
  expect(read(samples, envelope(other, company)).ignored).toBe('filter');
});

test.each([
  ['of one type', ['person', 'person']],
  ['of types that are no records', ['created', 'updated']],
  ['of people only', ['lead', 'contact']],
])('samples %s get no filter', (_what, types) => {
  const samples = types.map((type) => payloadOf({ type, data: person }));
  expect(suggestMapping(samples).mapping).not.toHaveProperty('filter');
});
