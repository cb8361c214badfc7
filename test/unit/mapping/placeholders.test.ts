import { applyItem, readEventId } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import type { MappedEvent, Payload } from '../../../src/domain/mappings/mapping.ts';
import { payloadOf } from './example-mapping.ts';

const compiled = (document: unknown) => {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
};

const apply = (document: unknown, payload: Payload): MappedEvent =>
  applyItem(compiled(document), payload, { defaultRegion: 'BR' });

const codes = ({ problems }: MappedEvent) =>
  problems.map(({ target, code }) => `${target} ${code}`);

const read = (contact: object, body: unknown) => apply({ contact }, payloadOf(body));

test.each([
  ['externalId', ['', 7], '7'],
  ['email', ['ana@example.com'], 'ana@example.com'],
  ['email', '["ana@example.com"]', 'ana@example.com'],
  ['phone', ['n/a', '(11) 90000-0001'], '+5511900000001'],
  ['phone', '="5511900000001"', '+5511900000001'],
  ['phone', '(11) 90000-0001 (cell)', '+5511900000001'],
  ['email', 'mailto:ana@example.com', 'ana@example.com'],
  ['document', '20-12345678-6', '20-12345678-6'],
  ['name', 'Null', 'Null'],
  ['email', 'Ana <ana@example.com>', 'ana@example.com'],
])('%s: %j is read as %s', (target, value, expected) => {
  const event = read({ [target]: { path: 'v' } }, { v: value });
  expect([event.contact, event.problems]).toMatchObject([{ [target]: expected }, []]);
});

test.each([
  ['phone', '(11) 99999-9999', 'placeholder_value'],
  ['phone', 'não informado', 'placeholder_value'],
  ['email', 'n/a', 'placeholder_value'],
  ['email', 'sememail@example.com', 'placeholder_value'],
  ['document', 'isento', 'placeholder_value'],
  ['externalId', 0, 'placeholder_value'],
  ['externalId', [0], 'placeholder_value'],
  ['externalId', '{{id}}', 'placeholder_value'],
  ['externalId', false, 'placeholder_value'],
  ['name', 'null', 'placeholder_value'],
])('%s: %j is dropped with a problem', (target, value, code) => {
  const event = read({ [target]: { path: 'v' } }, { v: value });
  expect(event.contact).toMatchObject({ [target]: null });
  expect(codes(event)).toEqual([`contact.${target} ${code}`]);
});

describe('a placeholder', () => {
  test('gives way to the next source, and to the default', () => {
    const phone = { first: [{ path: 'a' }, { path: 'b' }] };
    const event = read({ phone }, { a: 'n/a', b: '(11) 90000-0001' });
    expect(event.contact.phone).toBe('+5511900000001');
    expect(codes(event)).toEqual(['contact.phone placeholder_value']);
    const email = { path: 'a', default: 'unknown@example.com' };
    expect(read({ email }, { a: '-' }).contact.email).toBe('unknown@example.com');
  });

  test('is also one after its transforms, and before them', () => {
    const externalId = { path: 'a', transforms: ['digits'] };
    expect(read({ externalId }, { a: 'id-0' }).contact.externalId).toBeNull();
    const prefixed = { path: 'a', transforms: [{ template: { text: 'wp-{{value}}' } }] };
    expect(read({ externalId: prefixed }, { a: 0 }).contact.externalId).toBeNull();
    expect(read({ externalId: prefixed }, { a: 8 }).contact.externalId).toBe('wp-8');
  });

  test('may be given a meaning by a table', () => {
    const externalId = { path: 'a', transforms: [{ lookup: { table: { 0: 'zero' } } }] };
    expect(read({ externalId }, { a: 0 }).contact.externalId).toBe('zero');
  });

  test('in a part makes no external id, and is left out of a name', () => {
    const externalId = { join: [{ const: 'wp' }, { path: 'shop' }, { path: 'id' }], with: ':' };
    expect(read({ externalId }, { shop: 5, id: 0 }).contact.externalId).toBeNull();
    expect(read({ externalId }, { shop: 5, id: 8 }).contact.externalId).toBe('wp:5:8');
    const template = { template: '{{shop}}-{{id}}' };
    expect(read({ externalId: template }, { shop: 5, id: 0 }).contact.externalId).toBeNull();
    expect(read({ externalId: template }, { shop: 5, id: 8 }).contact.externalId).toBe('5-8');
    const name = { join: [{ path: 'a' }, { path: 'b' }] };
    expect(read({ name }, { a: 'Ana', b: 'null' }).contact.name).toBe('Ana');
    expect(read({ name }, { a: 'Ana', b: '-' }).contact.name).toBe('Ana');
  });

  test('in a part of a number is only a part', () => {
    const phone = { join: [{ const: '+' }, { path: 'c' }, { path: 'a' }, { path: 'n' }], with: '' };
    const event = read({ phone }, { c: 55, a: 11, n: '900000001' });
    expect(event.contact.phone).toBe('+5511900000001');
  });

  test('in a part makes no event id', () => {
    const eventId = { join: [{ path: 'a' }, { path: 'b' }], with: ':' };
    const idOf = (body: object) => readEventId(compiled({ eventId }), payloadOf(body));
    expect(idOf({ a: 7, b: 0 })).toBeNull();
    expect(idOf({ a: 'null', b: 7 })).toBeNull();
    expect(idOf({ a: 7, b: 8 })?.text).toBe('7:8');
  });

  test('of a program is no label, and every text is a message or an own field', () => {
    const event = apply(
      {
        message: { text: { path: 'a' } },
        contact: { fields: { a: { path: 'a' } } },
        context: { labels: [{ path: 'b' }], campaign: { path: 'c' } },
      },
      payloadOf({ a: '-', b: ['null', 'vip'], c: '{{campaign.name}}' }),
    );
    expect(event.message.text).toBe('-');
    expect(event.contact.fields.a).toBe('-');
    expect(event.context).toMatchObject({ labels: ['vip'], campaign: null });
  });

  test('that is required fails the event', () => {
    const event = read({ phone: { path: 'a', required: true } }, { a: 'n/a' });
    expect(event.failure).toBe('required_missing:contact.phone');
  });
});
