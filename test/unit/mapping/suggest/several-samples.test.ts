/** One mapping reads all samples of a webhook, also when their structures differ. */
import type { Payload } from '../../../../src/domain/mappings/mapping.ts';
import { suggestMapping } from '../../../../src/mapping/suggest/suggest.ts';
import { readAsSuggested } from '../../../suggest/score.ts';

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
