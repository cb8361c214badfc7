import fc from 'fast-check';
import type { Payload } from '../../src/domain/mappings/mapping.ts';
import { applyItem, splitItems } from '../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../src/mapping/language/compile.ts';
import { createWorkBudget } from '../../src/mapping/expressions/work-budget.ts';
import { analyze, suggestMapping } from '../suggest.ts';
import { judgeFixture } from '../fitting/fixture.ts';
import { fixtures } from '../fitting/payloads/all-payloads.ts';
import { addVerdicts, noVerdicts, readAsSuggested, sharesOf } from '../fitting/score.ts';
import { withoutPrototypes } from '../fitting/corpus.ts';

const payloadOf = (body: unknown, headers: Payload['headers'] = {}): Payload => ({
  body: withoutPrototypes(body),
  headers,
  query: {},
});
const suggest = (...bodies: unknown[]) => suggestMapping(bodies.map((body) => payloadOf(body)));

test.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
  'reads: %s',
  (_, fixture) => {
    const payload = payloadOf(fixture.body, fixture.headers);
    const items = readAsSuggested([payload], payload, fixture.region ?? 'BR');
    const [event] = items;
    const tally = event === undefined ? noVerdicts() : judgeFixture(fixture, event);
    expect(tally.missing + tally.wrong).toBe(fixture.misses ?? 0);
    if (fixture.items !== undefined) expect(items).toHaveLength(fixture.items);
  },
);

test('at most a few proposed values are wrong', () => {
  const total = noVerdicts();
  for (const fixture of fixtures) {
    const payload = payloadOf(fixture.body, fixture.headers);
    const [event] = readAsSuggested([payload], payload, fixture.region ?? 'BR');
    if (event !== undefined) addVerdicts(total, judgeFixture(fixture, event));
  }
  expect(sharesOf(total).wrong).toBeLessThanOrEqual(0.015);
});

describe('a target stays empty', () => {
  test('for the title of a deal and the name of a page or a form', () => {
    const { mapping } = suggest({
      deal: { id: 7, title: 'Plano anual', name: 'Plano Anual', stage: 'Nova', pipeline_id: 1 },
      form: { name: 'Fale Conosco' },
      page: { name: 'Promo Verão', id: '9' },
    });
    expect(mapping.contact?.name).toBeUndefined();
  });

  test('for the ids of the account, the webhook and the subscription', () => {
    const { mapping } = suggest({
      account_id: 'acc-1',
      webhook_id: 'wh-1',
      subscription_id: 'sub-1',
      email: 'ana@example.com',
    });
    expect(mapping.eventId).toBeUndefined();
    expect(mapping.contact?.externalId).toBeUndefined();
  });

  test('for the phone and the e-mail of an owner', () => {
    const { mapping } = suggest({
      owner: { name: 'Agente Demo', phone: '+5511900000001', email: 'agente@example.com' },
      lead: { name: 'Ana Exemplo' },
    });
    expect(mapping.contact).toEqual({ name: { path: 'lead.name' } });
  });

  test('for the id of a named event such as a fair, but not for a notification', () => {
    const email = 'ana@example.com';
    const id = 'ev-77';
    expect(
      suggest({ event: { id, name: 'Feira Exemplo' }, email }).mapping.eventId,
    ).toBeUndefined();
    expect(suggest({ event: { id, kind: 'created' }, email }).mapping.eventId).toEqual({
      path: 'event.id',
    });
  });

  test('for the user who sends a test event', () => {
    const user = { id: 'u-1', name: 'Administrador Demo', email: 'admin@example.com' };
    expect(suggest({ event: 'webhook.test', user }).mapping.contact).toBeUndefined();
    expect(suggest({ event: 'user.created', user }).mapping.contact).toMatchObject({
      email: { path: 'user.email' },
    });
  });

  test('for every target of a body without a person', () => {
    for (const body of [{}, [], { ok: true }, { a: { b: [1, 2, { c: null }] } }]) {
      expect(suggest(body).mapping).toEqual(Array.isArray(body) ? {} : {});
    }
  });
});

test.each([
  ['mensagem', 'observacao'],
  ['message', 'notes'],
  ['body', 'remarks'],
  ['text', 'observations'],
  ['comments', 'notes'],
  ['mensaje', 'observaciones'],
])('the field %s is the message, and %s beside it is not', (message, note) => {
  const contact = { name: 'Ana Exemplo', email: 'ana@example.com' };
  const texts = { [note]: 'Ligar depois das 18h', [message]: 'Bom dia!' };
  const { mapping, confidence } = suggest({ ...contact, ...texts });
  expect(mapping.message).toEqual({ text: { path: message } });
  expect(confidence['message.text']).toBeGreaterThan(0.8);
  expect(suggest({ ...contact, [note]: 'Ligar depois das 18h' }).mapping.message).toEqual({
    text: { path: note },
  });
});

test('each target has its evidence, confidence and alternatives', () => {
  const { confidence, evidence, alternatives } = suggest({
    lead: { nome: 'Ana Exemplo', celular: '11 90000-0001', telefone: '11 3000-0001' },
  });
  expect(confidence['contact.phone']).toBeGreaterThan(0.7);
  expect(evidence['contact.phone']).toEqual(
    expect.arrayContaining(['named "celular"', 'reads as a phone number', 'inside "lead"']),
  );
  expect(alternatives['contact.phone']).toEqual([
    { path: 'lead.telefone', example: '11 3000-0001', confidence: expect.any(Number) },
  ]);
});

describe('a deal', () => {
  const person = { id: 'p-1', name: 'Ana Exemplo', phones: [{ number: '+5511900000001' }] };
  const deal = { id: 'd-1', title: 'Plano anual', stage_id: 3, pipeline_id: 1 };
  const externalIdOf = (body: unknown) => suggest(body).mapping.contact?.externalId;

  test('gives the id of its person, at every position in an envelope', () => {
    const path = 'data.person.id';
    expect(externalIdOf({ event: 'deal.won', data: { ...deal, person } })).toEqual({ path });
    expect(externalIdOf({ event: 'deal.won', ...deal, person })).toEqual({ path: 'person.id' });
    expect(externalIdOf({ event: 'deal.won', deal, person })).toEqual({ path: 'person.id' });
  });

  test('gives its own id when its person has none, or when it is the whole body', () => {
    const { id: _, ...unidentified } = person;
    const path = 'data.id';
    expect(externalIdOf({ event: 'deal.won', data: { ...deal, person: unidentified } })).toEqual({
      path,
    });
    expect(externalIdOf({ ...deal, person })).toEqual({ path: 'id' });
  });
});

test('the attendee who is not the organiser is read, in any order', () => {
  const attendees = [
    { name: 'Host Demo', email: 'host@example.com', is_organizer: true },
    { name: 'Ana Exemplo', email: 'ana@example.com', is_organizer: false },
  ];
  const sample = payloadOf({ title: 'Demo', attendees });
  for (const each of [attendees, attendees.toReversed()]) {
    const [event] = readAsSuggested([sample], payloadOf({ title: 'Demo', attendees: each }), 'BR');
    expect(event?.contact).toMatchObject({ name: 'Ana Exemplo', email: 'ana@example.com' });
  }
});

test('a keyed list is read by its keys, in any order', () => {
  const list = [
    { name: "what's your name?", value: 'Ana Exemplo' },
    { name: 'phone', value: '+5511900000001' },
  ];
  const { mapping } = suggest({ fields: list });
  expect(mapping.contact?.phone).toEqual({ path: "fields[?name=='phone'].value | [0]" });
  const [event] = readAsSuggested(
    [payloadOf({ fields: list })],
    payloadOf({ fields: list.toReversed() }),
    'BR',
  );
  expect(event?.contact).toMatchObject({ name: 'Ana Exemplo', phone: '+5511900000001' });
});

test('an id that all items share is not proposed as the id of each', () => {
  const { mapping } = suggest({
    event_id: 'e-1',
    leads: [{ email: 'ana@example.com' }, { email: 'bia@example.com' }],
  });
  expect(mapping).toMatchObject({ split: 'leads', contact: { email: { path: 'email' } } });
  expect(mapping.eventId).toBeUndefined();
});

test('messages with a direction get a filter, others none', () => {
  const key = { remoteJid: '5511900000001@s.whatsapp.net', fromMe: false };
  expect(suggest({ key, message: { text: 'Oi' } }).mapping.filter).toMatch(
    /^key\.fromMe != `true`/,
  );
  expect(suggest({ direction: 'inbound', text: 'Oi' }).mapping.filter).toBe("direction=='inbound'");
  expect(suggest({ text: 'Oi', direction: 'outbound' }).mapping.filter).toBeUndefined();
});

test('the kind of a phone number or an address is not an extra field', () => {
  const { mapping } = suggest({
    person: {
      name: 'Ana Souza',
      contact_emails: [{ id: 1, type: 'work', address: 'ana@example.com' }],
      contact_phones: [
        { id: 7, kind: 'mobile', number: '5511900000001' },
        { id: 8, kind: 'home', number: '551130000002' },
      ],
      fields: [{ id: 12, name: 'Cidade', value: 'Recife' }],
    },
  });
  const city = { path: "person.fields[?name=='Cidade'].value | [0]" };
  expect(mapping.contact?.fields).toEqual({ Cidade: city });
});

test('answers without a target become fields', () => {
  const { mapping, confidence } = suggest({
    fields: [
      { label: 'E-mail', value: 'ana@example.com' },
      { label: 'Mensagem', value: 'Quero uma proposta.' },
      { label: 'Cidade', value: 'Recife' },
    ],
  });
  expect(mapping.contact?.fields).toEqual({
    Cidade: { path: "fields[?label=='Cidade'].value | [0]" },
  });
  expect(confidence['contact.fields.Cidade']).toBeGreaterThan(0);
});

describe('any payload', () => {
  const names = fc.constantFrom(
    'name',
    'phone',
    'e-mail',
    'id',
    'value',
    'fields',
    'a"b\\',
    "it's",
    '`',
    '@',
    '',
    'ids',
    'entry',
    'toString',
    '__proto__',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(
        'Ana Exemplo',
        'ana@example.com',
        '+5511900000001',
        '2026-01-06T12:00:00Z',
        '{"a":[1]}',
        '[',
        '',
      ),
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(fc.oneof(names, fc.string()), tie('tree'), { maxKeys: 6 }),
    ),
  }));

  test('gives a mapping that compiles and reads, and never throws', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 3 }), (bodies) => {
        const payloads = bodies.map((body) => payloadOf(body));
        const compiled = compileMapping(suggestMapping(payloads).mapping);
        if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
        for (const payload of payloads) {
          const split = splitItems(compiled.mapping, payload);
          for (const item of split.ok ? split.items : []) {
            applyItem(compiled.mapping, payload, { defaultRegion: 'BR', item });
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('looks at 20 of the records that have the same keys, and ranks at most 12 values of a target', () => {
    const record = (n: number) => ({ id: n, name: 'Ana Exemplo', email: `ana${n}@example.com` });
    const people = Object.fromEntries(Array.from({ length: 330 }, (_, n) => [`p${n}`, record(n)]));
    const { index, found } = analyze([payloadOf({ event: 'sync', people })], 'BR', {
      keys: [],
      budget: createWorkBudget(Infinity),
    });
    expect(index.leaves).toHaveLength(1 + 20 * 3);
    for (const candidates of found.values()) expect(candidates.length).toBeLessThanOrEqual(12);
  });

  test('takes bounded time when it is wide, deep or repetitive', () => {
    const deep = (depth: number): unknown => (depth === 0 ? 'x' : { a: deep(depth - 1) });
    const hostile: unknown[] = [
      deep(60),
      Object.fromEntries(
        Array.from({ length: 30_000 }, (_, i) => [
          `phone_${i}`,
          `+55119000${String(i).padStart(5, '0')}`,
        ]),
      ),
      Array.from({ length: 30_000 }, (_, i) => ({ name: `k${i}`, value: `v${i}` })),
      {
        fields: Array.from({ length: 30_000 }, (_, i) => ({
          id: 1,
          name: 'phone',
          value: `+55119000${i}`,
        })),
      },
      { text: 'a '.repeat(500_000), name: '('.repeat(100_000), email: `${'a@'.repeat(50_000)}b` },
    ];
    for (const body of hostile) {
      const before = process.cpuUsage();
      suggestMapping([payloadOf(body)]);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(5_000);
    }
  });
});
