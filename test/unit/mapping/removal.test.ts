import type { MappedEvent, Payload } from '../../../src/domain/mappings/mapping.ts';
import { applyItem } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { payloadOf } from './example-mapping.ts';

const apply = (document: unknown, payload: Payload): MappedEvent => {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return applyItem(result.mapping, payload, { defaultRegion: 'BR' });
};

const codes = ({ problems }: MappedEvent) =>
  problems.map(({ target, code }) => `${target} ${code}`);

const contact = { email: { path: 'email' } };
const eventType = { path: 'type' };
const of = (document: object, body: object) =>
  apply({ contact, ...document }, payloadOf({ email: 'ana@example.com', ...body }));

test('the event type says that a person is to be removed, and the event still says who', () => {
  const event = of({ eventType }, { type: 'contact.deleted' });
  expect(event).toMatchObject({ ignored: 'removal_requested', failure: null });
  expect(event.contact.email).toBe('ana@example.com');
  expect(of({ eventType }, { type: 'contact.created' }).ignored).toBeNull();
});

test('an expression of the mapping decides alone', () => {
  const removal = "action == 'forget'";
  expect(of({ removal }, { action: 'forget' }).ignored).toBe('removal_requested');
  expect(of({ removal, eventType }, { type: 'contact.deleted' }).ignored).toBeNull();
});

test('a filter does not hide it', () => {
  const document = { filter: "status == 'new'", eventType };
  expect(of(document, { type: 'customers/redact' }).ignored).toBe('removal_requested');
  expect(of(document, { type: 'contact.created' }).ignored).toBe('filter');
});

test('an event without a required type is ignored by the filter as before', () => {
  const document = { filter: "status == 'new'", eventType: { path: 'type', required: true } };
  expect(of(document, {})).toMatchObject({ ignored: 'filter', failure: null, problems: [] });
});

test('an expression that throws fails the event', () => {
  const event = of({ removal: "starts_with(action, 'del')" }, { action: 1 });
  expect(event).toMatchObject({ ignored: null, failure: 'removal_failed' });
  expect(codes(event)).toEqual(['removal removal_failed']);
});
