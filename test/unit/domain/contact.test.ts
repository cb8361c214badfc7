import {
  fieldRegisterKey,
  fieldsOf,
  openingStampOf,
  stampOf,
} from '../../../src/domain/people/contact.ts';

const event = {
  webhookId: 'w1',
  externalId: 'e1' as string | null,
  bodySha256: 'a'.repeat(64),
  eventDate: new Date('2026-01-01T00:00:00Z') as Date | null,
  receivedAt: new Date('2026-02-01T00:00:00Z'),
  generation: 0,
};
type Event = typeof event;

test.each<[string, Partial<Event>, Partial<Event>]>([
  ['dated', {}, { eventDate: null, receivedAt: new Date('2027-01-01T00:00:00Z') }],
  ['a later date', { eventDate: new Date('2026-01-02T00:00:00Z') }, { generation: 9 }],
  [
    'later receipt, of two undated,',
    { eventDate: null, receivedAt: new Date('2026-02-02T00:00:00Z') },
    { eventDate: null },
  ],
  ['a later generation', { generation: 10 }, { generation: 9, bodySha256: 'f'.repeat(64) }],
])('%s has the greater stamp', (_what, winner, loser) => {
  expect(stampOf({ ...event, ...winner }) > stampOf({ ...event, ...loser })).toBe(true);
});

test.each<[string, Partial<Event>]>([
  ['another event id', { externalId: 'e2' }],
  ['the same id of another webhook', { webhookId: 'w2' }],
  ['no event id', { externalId: null }],
  ['another body, known by the same id through another recipe', { bodySha256: 'b'.repeat(64) }],
])('%s never has the same stamp', (_what, over) => {
  expect(stampOf({ ...event, ...over })).not.toBe(stampOf(event));
  expect(openingStampOf({ ...event, ...over })).not.toBe(openingStampOf(event));
});

test('a stamp is ASCII, so that MongoDB and JavaScript order it alike', () => {
  expect(stampOf({ ...event, externalId: 'é😀$' })).toMatch(/^[\w:.|-]+$/);
});

test.each(['plain', 'a.b', '$x', '__proto__', '%2E', 'ção', '\ud800'])(
  'a field called %j keeps its name through its register',
  (name) => {
    const registers = { [fieldRegisterKey(name)]: { value: 'v', stamp: '' } };
    expect(Object.keys(registers)[0]).toMatch(/^f:[^.$]*$/);
    expect(Object.keys(fieldsOf(registers))).toEqual([name.toWellFormed()]);
  },
);
