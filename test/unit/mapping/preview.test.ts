import fc from 'fast-check';
import type { MappingDocument, Source } from '../../../src/domain/mappings/mapping.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { previewItems } from '../../../src/mapping/evaluation/preview.ts';
import { exampleBody, exampleDocument, exampleEvent, payloadOf } from './example-mapping.ts';

const preview = (document: MappingDocument, body: unknown) => {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const shown = {
    items: [...previewItems(result.mapping, payloadOf(body), { defaultRegion: 'BR' })],
  };
  return JSON.parse(JSON.stringify(shown)) as typeof shown;
};

test('the example is shown with the source of each value', () => {
  const { items } = preview(exampleDocument, exampleBody);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject(exampleEvent);
  const step = (transform: string, source: string, [before, after]: [string, string | null]) => ({
    transform,
    source,
    before,
    after,
    problem: null,
  });
  expect(items[0]?.sources).toMatchObject({
    eventId: { source: 'event_id', raw: 'evt_0001' },
    eventType: { source: 'event', raw: 'lead.created' },
    eventDate: {
      source: 'created_at',
      raw: '2026-01-06 09:00:00',
      steps: [step('date', 'created_at', ['2026-01-06 09:00:00', '2026-01-06T12:00:00.000Z'])],
    },
    'contact.externalId': { source: 'lead.id', raw: 35100001, steps: [] },
    'contact.name': {
      source: 'lead.first_name + lead.last_name',
      raw: ['Ana', 'Exemplo'],
      steps: [],
    },
    'contact.phone': {
      source: "lead.fields[?code=='PHONE'].value | [0]",
      raw: '(11) 90000-0001',
      steps: [{ transform: 'phone', before: '(11) 90000-0001', after: '+5511900000001' }],
    },
    'contact.email': { source: 'lead.contact.email', raw: 'Ana.Exemplo@Example.com' },
    'contact.document': {
      source: 'lead.cpf',
      raw: '123.456.789-09',
      steps: [step('document', 'lead.cpf', ['123.456.789-09', '12345678909'])],
    },
    'contact.fields.city': { source: 'lead.address.city', raw: 'São Paulo' },
    'message.text': { source: 'default', raw: 'Novo contato' },
    'context.origin': { source: 'campaign.source', raw: 'google' },
    'context.campaign': { source: 'campaign.name', raw: 'promo-janeiro' },
    'context.labels.0': { source: 'const', raw: 'Lead' },
    'context.sector': { source: 'const', raw: 'Vendas' },
  });
});

test('a value that fails is shown with its raw text and its problem', () => {
  const [item] = preview({ contact: { phone: { path: 'p', required: true } } }, { p: 'abc' }).items;
  const failed = { before: 'abc', after: null, problem: 'invalid_phone' };
  expect(item?.sources).toEqual({
    'contact.phone': {
      source: 'p',
      raw: 'abc',
      steps: [{ transform: 'phone', source: 'p', ...failed }],
    },
  });
  expect(item?.failure).toBe('required_missing:contact.phone');
  expect(item?.problems.map(({ target, code }) => [target, code])).toEqual([
    ['contact.phone', 'invalid_phone'],
    ['contact.phone', 'required_missing'],
  ]);
});

test('every step is shown with its part, and so is a default', () => {
  const name: Source = {
    join: [{ path: 'a', transforms: ['upper'] }, { path: 'b' }],
    transforms: [{ replace: { find: ' ', with: '-' } }, { truncate: { length: 4, ellipsis: '' } }],
  };
  const email = { path: 'e', transforms: ['trim', 'email'], default: 'x@example.com' };
  const [item] = preview({ contact: { name, email } }, { a: 'ana', b: 'Exemplo', e: ' a@' }).items;
  const shown = (target: string) =>
    item?.sources[target]?.steps.map((each) => [each.transform, each.source, each.after]);
  expect(shown('contact.name')).toEqual([
    ['upper', 'a', 'ANA'],
    ['replace', 'a + b', 'ANA-Exemplo'],
    ['truncate', 'a + b', 'ANA-'],
  ]);
  expect(shown('contact.email')).toEqual([
    ['trim', 'e', 'a@'],
    ['email', 'e', null],
  ]);
  expect(item?.sources['contact.email']).toMatchObject({ source: 'default', raw: 'x@example.com' });
  expect(item?.sources['contact.email']?.steps[1]?.problem).toBe('invalid_email');
});

test('each item of a split is shown; a failed split is one failed item', () => {
  const document = { split: 'leads', contact: { name: { path: 'n' } } };
  const { items } = preview(document, { leads: [{ n: 'A' }, { n: 'B' }] });
  expect(items.map(({ contact }) => contact.name)).toEqual(['A', 'B']);
  expect(preview(document, {}).items).toMatchObject([
    { failure: 'split_not_array', problems: [{ target: 'split', code: 'split_not_array' }] },
  ]);
});

test('an ignored item is marked', () => {
  const [item] = preview(exampleDocument, {}).items;
  expect(item).toMatchObject({ ignored: 'filter', failure: null, sources: {} });
});

test('long raw values are cut or left out', () => {
  const document = { contact: { name: { path: 'l' }, email: { path: 't' } } };
  const [item] = preview(document, { l: Array(5_000).fill(1), t: 'x'.repeat(5_000) }).items;
  expect(item?.sources['contact.name']?.raw).toBe('(too large to show)');
  expect(item?.sources['contact.email']?.raw).toHaveLength(4_096);
});

test('never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(preview(exampleDocument, body).items).toHaveLength(1);
    }),
  );
});
