import fc from 'fast-check';
import { applyItem, readEventId, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { maxItems } from '../../../src/mapping/work-limits.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { eventIdRecipe } from '../../../src/mapping/language/event-id.ts';
import type { MappedEvent, Payload, Source } from '../../../src/domain/mappings/mapping.ts';
import { exampleBody, exampleDocument, exampleEvent, payloadOf } from './example-mapping.ts';

const compiled = (document: unknown) => {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
};

const apply = (document: unknown, payload: Payload): MappedEvent =>
  applyItem(compiled(document), payload, { defaultRegion: 'BR' });

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const codes = ({ problems }: MappedEvent) =>
  problems.map(({ target, code }) => `${target} ${code}`);

test('every target of the example is mapped', () => {
  expect(plain(apply(exampleDocument, payloadOf(exampleBody)))).toEqual(exampleEvent);
});

test('an empty document gives an event without values', () => {
  expect(plain(apply({}, payloadOf(exampleBody)))).toEqual({
    ...exampleEvent,
    eventId: null,
    eventType: null,
    eventDate: null,
    message: { text: null },
    contact: {
      externalId: null,
      name: null,
      phone: null,
      email: null,
      document: null,
      fields: {},
    },
    context: { origin: null, campaign: null, labels: [], sector: null, fields: {} },
  });
});

describe('sources', () => {
  const name = (source: object, payload: Partial<Payload> = {}) =>
    apply({ contact: { name: source } }, { body: exampleBody, headers: {}, query: {}, ...payload })
      .contact.name;

  test.each<[string, object, string | null]>([
    ['a path', { path: 'lead.last_name' }, 'Exemplo'],
    ['a path that is absent', { path: 'lead.nothing' }, null],
    ['a number', { path: 'lead.id' }, '35100001'],
    ['a constant', { const: 'Ana' }, 'Ana'],
    ['a boolean constant', { const: false }, 'false'],
    [
      'the first that is not empty',
      { first: [{ path: 'x' }, { const: ' ' }, { const: 'B' }] },
      'B',
    ],
    ['none of several', { first: [{ path: 'x' }, { path: 'y' }] }, null],
    [
      'a join that drops the empty',
      { join: [{ const: 'A' }, { path: 'x' }, { const: 'B' }] },
      'A B',
    ],
    ['a join without a separator', { join: [{ const: '1' }, { const: '2' }], with: '' }, '12'],
    ['a join of nothing', { join: [{ path: 'x' }, { path: 'y' }] }, null],
    ['a default', { path: 'x', default: 'unknown' }, 'unknown'],
    ['a default in a part', { join: [{ path: 'x', default: 'A' }, { const: 'B' }] }, 'A B'],
    [
      'an inner transform',
      { first: [{ path: 'lead.last_name', transforms: ['lower'] }] },
      'exemplo',
    ],
    ['transforms in order', { const: ' A1B2 ', transforms: ['digits', 'trim'] }, '12'],
    ['a function', { path: "join(' ', [lead.last_name, event])" }, 'Exemplo lead.created'],
  ])('%s', (_, source, expected) => expect(name(source)).toBe(expected));

  test('headers are found in any case, query parameters in their own, and neither on a prototype', () => {
    const payload = { headers: { 'x-name': 'H' }, query: { Name: 'Q' } };
    expect(name({ header: 'X-Name' }, payload)).toBe('H');
    expect(name({ query: 'Name' }, payload)).toBe('Q');
    expect(name({ query: 'name' }, payload)).toBeNull();
    expect(name({ header: 'constructor' }, payload)).toBeNull();
    expect(name({ query: '__proto__' }, payload)).toBeNull();
  });

  test.each(['', '  ', null, [], {}])('%j is missing', (value) => {
    expect(name({ path: 'v', default: 'D' }, { body: { v: value } })).toBe('D');
  });

  test.each([[['a']], [{ a: 1 }]])('%j is not a text', (value) => {
    const event = apply({ contact: { name: { path: 'v' } } }, payloadOf({ v: value }));
    expect([event.contact.name, codes(event)]).toEqual([null, ['contact.name not_text']]);
  });
});

describe('targets', () => {
  const read = (contact: object, body: unknown) => apply({ contact }, payloadOf(body));

  test.each([
    ['phone', '(11) 90000-0001', '+5511900000001'],
    ['phone', 11900000001, '+5511900000001'],
    ['email', ' Ana@Example.com ', 'ana@example.com'],
    ['email', 'josé@exemplo.com.br', 'josé@exemplo.com.br'],
    ['email', 'jose\u0301@exemplo.com.br', 'josé@exemplo.com.br'],
    ['email', '\u200bana@example.com\u202c', 'ana@example.com'],
    ['document', '123.456.789-09', '12345678909'],
    ['document', '11.222.333/0001-81', '11222333000181'],
    ['document', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['document', 'AB 123.456-7', 'AB 123.456-7'],
    ['externalId', 7, '7'],
    ['externalId', ' 7 ', '7'],
  ])('%s: %j becomes %s', (target, value, expected) => {
    const event = read({ [target]: { path: 'v' } }, { v: value });
    expect(event.contact).toMatchObject({ [target]: expected });
    expect(event.problems).toEqual([]);
  });

  test.each([
    ['phone', 'abc', 'invalid_phone'],
    ['phone', '90000-0001', 'invalid_phone'],
    ['email', 'ana@', 'invalid_email'],
    ['email', 'Ana <ana@example.com>, bia@example.com', 'invalid_email'],
    ['email', `${'a'.repeat(65)}@example.com`, 'invalid_email'],
    ['document', '123.456.789-00', 'invalid_document'],
    ['document', '111.111.111-11', 'placeholder_value'],
    ['document', '11.222.333/0001-00', 'invalid_document'],
    ['externalId', 'x'.repeat(1_025), 'too_long'],
  ])('%s: %j is dropped with a problem', (target, value, code) => {
    const event = read({ [target]: { path: 'v' } }, { v: value });
    expect(event.contact).toMatchObject({ [target]: null });
    expect(codes(event)).toEqual([`contact.${target} ${code}`]);
  });

  test('long texts are cut between characters, with a problem', () => {
    const event = apply(
      { message: { text: { path: 'm' } }, contact: { name: { path: 'n' } } },
      payloadOf({ m: 'x'.repeat(70_000), n: `${'x'.repeat(1_023)}😀` }),
    );
    expect([event.message.text?.length, event.contact.name?.length]).toEqual([65_536, 1_023]);
    expect(codes(event)).toEqual(['contact.name too_long', 'message.text too_long']);
  });

  test('fields keep scalars as text and structures as JSON', () => {
    const fields = { n: { path: 'n' }, b: { path: 'b' }, l: { path: 'l' }, x: { path: 'x' } };
    const event = read({ fields }, { n: 1.5, b: true, l: [1, { a: 'é' }] });
    expect(plain(event.contact.fields)).toEqual({
      n: '1.5',
      b: 'true',
      l: '[1,{"a":"é"}]',
      x: null,
    });
  });

  test('a field may have any name', () => {
    const fields = JSON.parse('{"__proto__":{"const":"a"},"constructor":{"const":"b"}}') as object;
    const { contact } = read({ fields }, {});
    expect(Object.entries(contact.fields)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('each text of a list is a label once', () => {
    const labels = [{ path: 'tags[].name' }, { const: 'Lead' }, { path: 'nothing' }];
    const event = apply(
      { context: { labels } },
      payloadOf({ tags: [{ name: 'site' }, { name: 'Lead' }] }),
    );
    expect(event.context.labels).toEqual(['site', 'Lead']);
  });

  test('the default replaces a value that is not a phone number', () => {
    const event = read({ phone: { path: 'v', default: '11900000002' } }, { v: 'abc' });
    expect(event.contact.phone).toBe('+5511900000002');
  });
});

describe('required', () => {
  test.each([
    ['absent', {}],
    ['blank', { p: ' ' }],
    ['not a phone', { p: 'abc' }],
  ])('a required phone that is %s fails the event', (_, body) => {
    const event = apply({ contact: { phone: { path: 'p', required: true } } }, payloadOf(body));
    expect(event.failure).toBe('required_missing:contact.phone');
    expect(codes(event)).toContain('contact.phone required_missing');
  });

  test('a missing required part fails its target, unless it has a default', () => {
    const join = [{ path: 'a', required: true }, { const: 'b' }];
    expect(apply({ contact: { name: { join } } }, payloadOf({})).failure).toBe(
      'required_missing:contact.name',
    );
    const saved = { path: 'a', default: 'x', required: true };
    expect(apply({ contact: { name: saved } }, payloadOf({})).failure).toBeNull();
    expect(apply({ eventId: { path: 'a', required: true } }, payloadOf({})).failure).toBe(
      'required_missing:eventId',
    );
  });
});

describe('filter', () => {
  const filtered = (filter: string, body: unknown) =>
    apply({ ...exampleDocument, filter }, payloadOf(body));

  test('false ignores the event and reads nothing else', () => {
    const event = filtered("event == 'other'", exampleBody);
    expect(event).toMatchObject({ ignored: 'filter', eventId: null, failure: null, problems: [] });
  });

  test('a filter that throws fails the event, so that no lead is ignored by mistake', () => {
    const event = filtered("starts_with(event, 'lead')", { event: 1 });
    expect(event).toMatchObject({ ignored: null, failure: 'filter_failed' });
    expect(codes(event)).toEqual(['filter filter_failed']);
  });
});

describe('split', () => {
  const document = {
    split: 'leads',
    eventId: { path: 'id' },
    contact: { name: { path: 'name' }, externalId: { path: 'account', root: true } },
  };
  const body = { account: 9, leads: [{ id: 1, name: 'Ana' }, { id: 2, name: 'Bruno' }, null] };

  test('paths read the item, and the body with root', () => {
    const mapping = compiled(document);
    const split = splitItems(mapping, payloadOf(body));
    const names = (split.ok ? split.items : []).map((item) => {
      const event = applyItem(mapping, payloadOf(body), { defaultRegion: 'BR', item });
      return [event.eventId, event.contact.name, event.contact.externalId];
    });
    expect(names).toEqual([
      ['1', 'Ana', '9'],
      ['2', 'Bruno', '9'],
      [null, null, '9'],
    ]);
    expect(mapping.splits).toBe(true);
  });

  test.each<[string, unknown, unknown[]]>([
    ['one item alone', { id: 1 }, [{ id: 1 }]],
    ['an object with number keys', { 0: { id: 1 }, 2: { id: 2 } }, [{ id: 1 }, { id: 2 }]],
    ['a list with null, whose place counts', [null, { id: 1 }], [null, { id: 1 }]],
    ['an empty list', [], []],
  ])('a split reads %s', (_, leads, items) => {
    const split = splitItems(compiled(document), payloadOf({ leads }));
    expect(split).toEqual({ ok: true, items });
  });

  test('only items have an event id', () => {
    expect(readEventId(compiled(document), payloadOf({ id: 7, ...body }))).toBeNull();
    expect(readEventId(compiled(document), payloadOf(body), { item: body.leads[1] })?.text).toBe(
      '2',
    );
  });

  test.each<[string, unknown, string]>([
    ['nothing', {}, 'split_not_array'],
    ['an empty object', { leads: {} }, 'split_not_array'],
    ['a text', { leads: 'Ana' }, 'split_not_array'],
    ['too many', { leads: Array(maxItems + 1).fill(1) }, 'too_many_items'],
  ])('%s is a problem', (_, value, code) => {
    expect(splitItems(compiled(document), payloadOf(value))).toMatchObject({ ok: false, code });
  });

  test('an expression that throws is a problem; without a split the body is the item', () => {
    const failing = compiled({ split: 'sort(leads)' });
    expect(splitItems(failing, payloadOf(body))).toMatchObject({ ok: false, code: 'split_failed' });
    expect(splitItems(compiled({}), payloadOf(body))).toEqual({ ok: true, items: [body] });
    expect(splitItems(compiled({ split: '@' }), payloadOf([1]))).toEqual({ ok: true, items: [1] });
  });
});

describe('the event id', () => {
  const idOf = (eventId: object, body: unknown, headers = {}) =>
    readEventId(compiled({ eventId }), { body, headers, query: {} });

  test.each<[unknown, string | null]>([
    ['a', 'a'],
    [' a ', 'a'],
    [7, '7'],
    [0, null],
    ['9007199254740993', '9007199254740993'],
    [null, null],
    ['', null],
    [' ', null],
    [true, null],
    [false, null],
    [[1], null],
    [{ a: 1 }, null],
    ['x'.repeat(1_024), 'x'.repeat(1_024)],
    ['x'.repeat(1_025), null],
  ])('%j gives %j', (value, text) => {
    expect(idOf({ path: 'v' }, { v: value })).toEqual(
      text === null ? null : { text, parts: [text] },
    );
    expect(apply({ eventId: { path: 'v' } }, payloadOf({ v: value })).eventId).toBe(text);
  });

  test('a join needs every part', () => {
    const eventId = { join: [{ path: 'a' }, { header: 'X-Id' }], with: ':' };
    expect(idOf(eventId, { a: 1 }, { 'x-id': 'h' })).toEqual({ text: '1:h', parts: ['1', 'h'] });
    expect(idOf(eventId, { a: 1 })).toBeNull();
    expect(idOf(eventId, { a: true }, { 'x-id': 'h' })).toBeNull();
    expect(idOf({ first: [eventId, { path: 'b' }] }, { a: 1, b: 2 })?.text).toBe('2');
    expect(idOf({ ...eventId, transforms: ['lower'] }, { a: 'A' }, { 'x-id': 'H' })?.parts).toEqual(
      ['a:h'],
    );
  });

  test('it does not depend on the region of the channel', () => {
    const document = { eventId: { path: 'p', transforms: ['phone'] } };
    const payload = payloadOf({ p: '11900000001' });
    expect(readEventId(compiled(document), payload)).toBeNull();
    expect(apply(document, payload).eventId).toBeNull();
  });

  test('its recipe does not depend on the order of keys', () => {
    const recipe = (eventId: object) => eventIdRecipe({ eventId: eventId as Source });
    const join = [{ path: 'a' }, { header: 'b' }];
    expect(recipe({ with: ' ', join, required: true, transforms: [] })).toBe(recipe({ join }));
    expect(recipe({ path: 'a' })).toBe('{"path":"a"}');
    expect(recipe({ path: 'a' })).not.toBe(recipe({ path: 'b' }));
    expect(eventIdRecipe({})).toBe('');
  });
});

describe('every value', () => {
  const wild = compiled({
    ...exampleDocument,
    filter: '`true`',
    eventId: { join: [{ path: '@.a' }, { path: 'b' }] },
    contact: {
      ...exampleDocument.contact,
      name: { path: 'a' },
      document: { path: 'b' },
      externalId: { path: "keys(@) | join(',', @)" },
      fields: { all: { path: '@' }, deep: { path: '*.*' }, proto: { path: '"__proto__"' } },
    },
    context: { labels: [{ path: '@' }, { path: 'constructor.name' }, { path: 'a.toString' }] },
  });

  test('gives the same event each time, without exceptions', () => {
    const letters = fc.constantFrom(
      'a',
      'b',
      'lead',
      'fields',
      '__proto__',
      'constructor',
      'toString',
    );
    const object = fc.dictionary(letters, fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), object), (body) => {
        const payload = payloadOf(body);
        const event = applyItem(wild, payload, { defaultRegion: 'BR' });
        expect(plain(applyItem(wild, payload, { defaultRegion: 'BR' }))).toEqual(plain(event));
        expect(readEventId(wild, payload)?.text ?? null).toBe(event.eventId);
        expect(splitItems(wild, payload).ok).toBe(true);
      }),
    );
  });

  test('is read without inherited properties', () => {
    for (const path of [
      'constructor',
      'toString',
      '"__proto__"',
      '{a: b}.constructor',
      'constructor.name',
    ]) {
      const event = apply({ contact: { fields: { f: { path } } } }, payloadOf({ b: 1 }));
      expect([path, event.contact.fields.f, event.problems]).toEqual([path, null, []]);
    }
    expect(
      apply(
        { contact: { name: { path: '"__proto__".x' } } },
        payloadOf(JSON.parse('{"__proto__":{"x":"own"}}')),
      ).contact.name,
    ).toBe('own');
  });
});

test('half a surrogate pair in a value or an id is replaced, so that it can be stored and found', () => {
  const mapping = compiled({
    eventId: { path: 'id' },
    contact: { externalId: { path: 'id' }, name: { path: 'name' } },
  });
  const event = applyItem(mapping, payloadOf(JSON.parse('{"id":"\\ud800","name":"Ana \\udc00"}')), {
    defaultRegion: 'BR',
  });
  expect(event.eventId).toBe('\ufffd');
  expect(event.contact).toMatchObject({ externalId: '\ufffd', name: 'Ana \ufffd' });
});
