import fc from 'fast-check';
import {
  editStampOf,
  latestStampOf,
  opensBefore,
  pinStampOf,
  replaces,
  sourceOf,
  stampOf,
} from '../../../src/domain/people/stamps.ts';

const [first, second] = [
  '01900000-0000-7000-8000-000000000001',
  '01900000-0000-7001-8000-000000000000',
];
const event = {
  _id: first,
  eventDate: new Date('2026-01-01T00:00:00Z') as Date | null,
  receivedAt: new Date('2026-02-01T00:00:00Z'),
  generation: 0,
};
type Event = typeof event;
const dated = (day: string): Partial<Event> => ({ eventDate: new Date(`2026-${day}T00:00:00Z`) });
const undated = (day: string): Partial<Event> => ({
  eventDate: null,
  receivedAt: new Date(`2026-${day}T00:00:00Z`),
});

test.each<[string, Partial<Event>, Partial<Event>]>([
  ['a later date', { ...dated('01-02') }, { _id: second }],
  ['the later receipt, of two equal dates,', { _id: second }, {}],
  ['an undated event that came after a date', undated('02-01'), dated('01-31')],
  ['a date after the receipt of an undated event', dated('02-02'), undated('02-01')],
  ['the later receipt, of two undated events,', undated('02-02'), undated('02-01')],
  ['a later generation', { generation: 10 }, { generation: 9 }],
  ['a later generation with an earlier date', { generation: 1 }, dated('03-01')],
])('%s replaces a value, and is not replaced', (_what, winner, loser) => {
  const [one, other] = [stampOf({ ...event, ...winner }), stampOf({ ...event, ...loser })];
  expect(replaces(one, other)).toBe(true);
  expect(replaces(other, one)).toBe(false);
});

test.each<[string, Partial<Event>, Partial<Event>]>([
  ['an earlier date', {}, { _id: second, ...dated('01-02') }],
  ['the earlier receipt, of two equal dates,', {}, { _id: second }],
  ['a date before the receipt of an undated event', dated('01-31'), { ...undated('02-01') }],
  ['a later generation of the opener', { generation: 1, ...dated('03-01') }, {}],
])('%s opens a chat', (_what, winner, loser) => {
  const [one, other] = [stampOf({ ...event, ...winner }), stampOf({ ...event, ...loser })];
  expect(opensBefore(one, other)).toBe(true);
  expect(opensBefore(other, one)).toBe(false);
});

const now = new Date('2026-05-01T00:00:00Z');

test('a stamp is short, and has the time and the id of its event', () => {
  expect(stampOf(event)).toHaveLength(45);
  expect(sourceOf(stampOf(event))).toEqual({
    by: 'event',
    rank: 'written',
    at: '2026-01-01T00:00:00.000Z',
    eventId: first,
  });
});

const times = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

test('stamps are in the order of the dates, and of the ids within one', () => {
  fc.assert(
    fc.property(fc.tuple(times, times), fc.tuple(fc.uuid(), fc.uuid()), (dates, ids) => {
      const [eventDate, later] = dates;
      const one = { ...event, eventDate, _id: ids[0] };
      const isBefore = (next: Partial<Event>) => stampOf(one) < stampOf({ ...one, ...next });
      expect(isBefore({ eventDate: later })).toBe(eventDate < later);
      expect(isBefore({ _id: ids[1] })).toBe(ids[0] < ids[1]);
      const source = { at: eventDate.toISOString(), eventId: ids[0] };
      expect(sourceOf(stampOf(one))).toMatchObject(source);
    }),
  );
});

test('a pin replaces the value of any event', () => {
  expect(replaces(pinStampOf(now, 'x'), stampOf({ ...event, ...dated('12-31') }))).toBe(true);
});

test.each<[string, string | undefined]>([
  ['nothing', undefined],
  ['an event of its moment', stampOf({ ...event, eventDate: now, generation: 3 })],
  ['an event with a later date', stampOf({ ...event, ...dated('12-31') })],
  ['an edit of its moment', editStampOf(now, 'y', undefined)],
])('an edit replaces %s', (_what, shown = '') => {
  expect(replaces(editStampOf(now, 'x', shown || undefined), shown)).toBe(true);
});

test('an edit has its own time, so that an event with a later date replaces it', () => {
  const edit = editStampOf(now, 'x', stampOf(event));
  expect(replaces(stampOf({ ...event, ...dated('05-02') }), edit)).toBe(true);
});

test('the empty opening of a chat is replaced by any event of its moment', () => {
  expect(opensBefore(stampOf({ ...event, eventDate: now }), latestStampOf(now))).toBe(true);
});

test.each([
  [stampOf(event), { by: 'event', rank: 'written', eventId: first }],
  [`${stampOf(event)}~`, { by: 'person', eventId: null }],
  [pinStampOf(now, 'x'), { by: 'person', rank: 'pinned', eventId: null }],
  [editStampOf(now, 'x', undefined), { by: 'person', rank: 'written', eventId: null }],
  ['0|', { by: 'person', rank: 'fallback', at: null, eventId: null }],
])('the stamp %s gives the source of the value', (stamp, expected) => {
  expect(sourceOf(stamp)).toMatchObject(expected);
});
