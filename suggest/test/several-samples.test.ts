/** One mapping reads all samples of a webhook, also when their structures differ. */
import type { Payload } from '../../src/domain/mappings/mapping.ts';
import { suggestMapping } from '../suggest.ts';
import { readAsSuggested } from '../fitting/score.ts';

const payloadOf = (body: unknown): Payload => ({ body, headers: {}, query: {} });

function read(...bodies: unknown[]) {
  const samples = bodies.map(payloadOf);
  return samples.map((sample) => readAsSuggested(samples, sample, 'BR')[0]);
}

test('a sample that is wrapped in another object is read as the others', () => {
  const one = {
    event: 'lead.created',
    lead: {
      id: 'L-1',
      name: 'Ana Exemplo',
      email: 'ana@example.com',
      message: 'Quero um site novo.',
    },
  };
  const two = {
    payload: {
      event: 'lead.created',
      lead: { id: 'L-2', name: 'Bia Modelo', email: 'bia@example.com', message: 'Qual é o preço?' },
    },
  };
  const expected = [
    ['L-1', 'Ana Exemplo', 'ana@example.com', 'Quero um site novo.'],
    ['L-2', 'Bia Modelo', 'bia@example.com', 'Qual é o preço?'],
  ];
  const valuesOf = (events: ReturnType<typeof read>) =>
    events.map((event) => [
      event?.contact.externalId,
      event?.contact.name,
      event?.contact.email,
      event?.message.text,
    ]);
  expect(valuesOf(read(one, two))).toEqual(expected);
  expect(valuesOf(read(two, one))).toEqual(expected.toReversed());
});

test('a sample with only a phone number and one with only an address are both read', () => {
  const events = read(
    { customer: { id: 1, name: 'Ana Exemplo', email: 'ana@example.com' } },
    { customer: { id: 2, name: 'Bia Modelo', phone: '+5511900000002' } },
  );
  expect(events.map((event) => [event?.contact.email, event?.contact.phone])).toEqual([
    ['ana@example.com', null],
    [null, '+5511900000002'],
  ]);
});

test('a target that only another structure fills has a confidence', () => {
  const { mapping, confidence } = suggestMapping([
    payloadOf({ lead: { name: 'Ana Exemplo', email: 'ana@example.com' } }),
    payloadOf({ data: { contact: { name: 'Bia Modelo', phone: '+5511900000002' } } }),
  ]);
  expect(mapping.contact?.phone).toMatchObject({ path: 'data.contact.phone' });
  expect(confidence['contact.phone']).toBeGreaterThanOrEqual(0.75);
});

test('an id that three samples share is not that of the event', () => {
  const body = (n: number, id: string) => ({
    event_id: id,
    email: `person${n}@example.com`,
    name: 'Ana Exemplo',
  });
  const idOf = (ids: readonly string[]) =>
    suggestMapping(ids.map((id, n) => payloadOf(body(n, id)))).mapping.eventId;
  expect(idOf(['e-1', 'e-2', 'e-3'])).toEqual({ path: 'event_id' });
  expect(idOf(['e-1', 'e-1', 'e-1'])).toBeUndefined();
});

test('an id that three samples share is not that of the person, unless the person is the same too', () => {
  const idOf = (people: readonly number[]) =>
    suggestMapping(
      people.map((n) =>
        payloadOf({ contact: { id: 'C-1', name: `Ana ${'abc'[n]}`, email: `a${n}@example.com` } }),
      ),
    ).mapping.contact?.externalId;
  expect(idOf([0, 1, 2])).toBeUndefined();
  expect(idOf([1, 1, 1])).toEqual({ path: 'contact.id' });
});

test('a type that differs in each of five samples is not the event type', () => {
  const typeOf = (types: readonly string[]) =>
    suggestMapping(
      types.map((event, n) => payloadOf({ event, lead: { id: n, email: `a${n}@example.com` } })),
    ).mapping.eventType;
  expect(typeOf(['sale', 'lead', 'sale', 'lead', 'sale'])).toEqual({ path: 'event' });
  expect(typeOf(['Jazz', 'Rock', 'Fado', 'Samba', 'Forro'])).toBeUndefined();
});

test('lists in different places are split by one mapping', () => {
  const events = (list: string, id: number) => ({
    contacts: { [list]: [{ id, name: 'Ana Exemplo', email: `ana${id}@example.com` }] },
  });
  const bodies = [events('add', 1), events('update', 2), { payload: events('add', 3) }];
  expect(suggestMapping(bodies.map(payloadOf)).mapping.split).toBe(
    'contacts.add || contacts.update || payload.contacts.add',
  );
  expect(read(...bodies).map((event) => event?.contact.email)).toEqual([
    'ana1@example.com',
    'ana2@example.com',
    'ana3@example.com',
  ]);
});

test('the filter of a wrapped sample reads inside the wrapper', () => {
  const message = (direction: string) => ({
    direction,
    from: '+5511900000001',
    sender_name: 'Ana Exemplo',
    text: 'Bom dia!',
    created_at: '2026-01-06T12:00:00Z',
  });
  const bodies = [message('incoming'), { data: message('incoming') }];
  const samples = bodies.map(payloadOf);
  const ignored = [...bodies, message('outgoing'), { data: message('outgoing') }].map(
    (body) => readAsSuggested(samples, payloadOf(body), 'BR')[0]?.ignored,
  );
  expect(ignored).toEqual([null, null, 'filter', 'filter']);
});

test.each<[string, 'phone' | 'email' | 'text', readonly [unknown, string][]]>([
  [
    'an object and a text',
    'phone',
    [
      [{ phone: { number: '+5511900000001' } }, '+5511900000001'],
      [{ phone: '+5511900000002' }, '+5511900000002'],
    ],
  ],
  [
    'several choices and one',
    'text',
    [
      [{ mensagem: ['Curso A', 'Curso B'] }, 'Curso A, Curso B'],
      [{ mensagem: 'Curso A' }, 'Curso A'],
    ],
  ],
  [
    'several addresses and one',
    'email',
    [
      [{ email: 'a@example.com, b@example.com' }, 'a@example.com'],
      [{ email: 'c@example.com' }, 'c@example.com'],
    ],
  ],
])('a field that is %s is read in both, in any order', (_, target, cases) => {
  const body = ([fields]: readonly [unknown, string], n: number) => ({
    lead: { name: ['Ana Exemplo', 'Bia Modelo'][n], ...(fields as object) },
  });
  for (const order of [cases, cases.toReversed()]) {
    const events = read(...order.map(body));
    const values = events.map((event) =>
      target === 'text' ? event?.message.text : event?.contact[target],
    );
    expect(values).toEqual(order.map(([, value]) => value));
    expect(events.flatMap((event) => event?.problems)).toEqual([]);
  }
});
