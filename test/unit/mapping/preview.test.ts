import fc from 'fast-check';
import type { MappingDocument } from '../../../src/domain/mapping.ts';
import { compileMapping } from '../../../src/mapping/compile.ts';
import { previewMapping } from '../../../src/mapping/preview.ts';
import { exampleBody, exampleDocument, exampleEvent, payloadOf } from './example.ts';

const preview = (document: MappingDocument, body: unknown) => {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const shown = previewMapping(result.mapping, payloadOf(body), { defaultRegion: 'BR' });
  return JSON.parse(JSON.stringify(shown)) as typeof shown;
};

test('the example is shown with where each value came from', () => {
  const { items } = preview(exampleDocument, exampleBody);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject(exampleEvent);
  expect(items[0]?.sources).toEqual({
    eventId: { source: 'event_id', raw: 'evt_0001' },
    eventType: { source: 'event', raw: 'lead.created' },
    eventDate: { source: 'created_at', raw: '2026-01-06 09:00:00' },
    'contact.externalId': { source: 'lead.id', raw: 35100001 },
    'contact.name': { source: 'lead.first_name + lead.last_name', raw: ['Ana', 'Exemplo'] },
    'contact.phone': {
      source: "lead.fields[?code=='PHONE'].value | [0]",
      raw: '(11) 90000-0001',
    },
    'contact.email': { source: 'lead.contact.email', raw: 'Ana.Exemplo@Example.com' },
    'contact.document': { source: 'lead.cpf', raw: '123.456.789-09' },
    'contact.fields.city': { source: 'lead.address.city', raw: 'São Paulo' },
    'message.text': { source: 'default', raw: 'Novo contato' },
    'context.origin': { source: 'campaign.source', raw: 'google' },
    'context.campaign': { source: 'campaign.name', raw: 'promo-janeiro' },
    'context.labels.0': { source: 'const', raw: 'Lead' },
    'context.sector': { source: 'const', raw: 'Vendas' },
  });
});

test('a value that was refused is shown with its raw text and its problem', () => {
  const [item] = preview({ contact: { phone: { path: 'p', required: true } } }, { p: 'abc' }).items;
  expect(item?.sources).toEqual({ 'contact.phone': { source: 'p', raw: 'abc' } });
  expect(item?.failure).toBe('required_missing:contact.phone');
  expect(item?.problems.map(({ target, code }) => [target, code])).toEqual([
    ['contact.phone', 'invalid_phone'],
    ['contact.phone', 'required_missing'],
  ]);
});

test('each item of a split is shown; a split that fails is shown as one failed item', () => {
  const document = { split: 'leads', contact: { name: { path: 'n' } } };
  const { items } = preview(document, { leads: [{ n: 'A' }, { n: 'B' }] });
  expect(items.map(({ contact }) => contact.name)).toEqual(['A', 'B']);
  expect(preview(document, {}).items).toMatchObject([
    { failure: 'split_not_array', problems: [{ target: 'split', code: 'split_not_array' }] },
  ]);
});

test('an ignored item says so', () => {
  const [item] = preview(exampleDocument, {}).items;
  expect(item).toMatchObject({ ignored: 'filter', failure: null, sources: {} });
});

test('raw values are shown only as far as a person can read them', () => {
  const document = { contact: { name: { path: 'l' }, email: { path: 't' } } };
  const [item] = preview(document, { l: Array(5_000).fill(1), t: 'x'.repeat(5_000) }).items;
  expect(item?.sources['contact.name']?.raw).toBe('(too large to show)');
  expect(item?.sources['contact.email']?.raw).toHaveLength(4_096);
});

test('no JSON value makes it throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(preview(exampleDocument, body).items).toHaveLength(1);
    }),
  );
});
