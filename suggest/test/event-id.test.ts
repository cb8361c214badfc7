// An id that several events share is no event id: all but the first would be resends of it.
import type { Source } from '../../src/domain/mappings/mapping.ts';
import { suggestMapping } from '../suggest.ts';

const person = { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511900000711' };
const uuid = '8f14e45f-ceea-467f-a8b1-6f1d1c0a1c11';

const eventIdOf = (body: unknown): Source | undefined =>
  suggestMapping([{ body, headers: {}, query: {} }]).mapping.eventId;

test.each<[string, unknown]>([
  [
    'a show, with its name',
    {
      event: 'order_approved',
      data: { event_id: 55, event_name: 'Oficina de Cerâmica', buyer: person },
    },
  ],
  ['a show, with its attendee', { ticket_no: 't-1', event_id: 'ev_55', attendee: person }],
  [
    'a webinar',
    { event: 'webinar.registered', event_id: 'wb_9', webinar_title: 'Aula', registrant: person },
  ],
  [
    'a meeting, with its title',
    { trigger: 'BOOKING_RESCHEDULED', eventId: uuid, eventTitle: 'Reunião', client: person },
  ],
  ['a party, inside of the data', { type: 'rsvp', data: { event_id: uuid, guest: person } }],
  [
    'an object that starts at a time',
    {
      type: 'order.placed',
      data: { event: { id: 'ev_55', starts_at: '2026-05-01T10:00:00Z' }, buyer: person },
    },
  ],
  ['a deal', { id: 'deal_1', type: 'deal.updated', stage: 'won', contact: person }],
  ['a contact', { id: 'c_1', type: 'contact.updated', ...person }],
  [
    'a contact, in a stage',
    { id: 7, status: 'active', created_at: '2026-05-01T10:00:00Z', ...person },
  ],
  ['the person who writes', { type: 'new_message', author: { id: 'p_1', ...person }, body: 'Oi' }],
  ['an order that is only numbered', { order_number: '1029', customer: person }],
])('the id of %s is not that of the event', (_, body) => {
  expect(eventIdOf(body)).toBeUndefined();
});

test.each<[string, unknown, Source]>([
  [
    'a notification about a guest',
    { event_id: uuid, type: 'reservation.created', guest: person },
    { path: 'event_id' },
  ],
  [
    'an envelope around an order',
    { id: 'evt_1', type: 'order.paid', data: { id: 7, status: 'paid', customer: person } },
    { path: 'id' },
  ],
  [
    'a notification',
    { event_id: 'e-77', event: 'lead.created', lead: person },
    { path: 'event_id' },
  ],
])('%s has its own', (_, body, source) => {
  expect(eventIdOf(body)).toEqual(source);
});

test.each(['webhook-id', 'svix-id', 'ce-id'])('the header %s has the id of the event', (name) => {
  const headers = { [name]: 'msg_1', 'ce-type': 'com.example.lead.created' };
  const { mapping } = suggestMapping([{ body: person, headers, query: {} }]);
  expect(mapping.eventId).toEqual({ header: name });
  expect(mapping.eventType).toEqual({ header: 'ce-type' });
});

describe('an id is composed of what tells the events of a record apart', () => {
  const order = { id: uuid, event: 'order.paid', status: 'paid', total: 10, customer: person };
  test.each<[string, unknown, readonly string[]]>([
    ['an order and its type', order, ['id', 'event']],
    [
      'a contact, its type and when it changed',
      {
        type: 'contact.updated',
        updated_at: '2026-05-01T10:00:00Z',
        contact: { id: 7, ...person },
      },
      ['contact.id', 'type', 'updated_at'],
    ],
    [
      'a contact that came to be',
      { type: 'contact.created', contact: { id: 7, ...person } },
      ['contact.id', 'type'],
    ],
    [
      'a booking and its state',
      { booking: { id: 55, status: 'confirmed', guest: person } },
      ['booking.id', 'booking.status'],
    ],
  ])('%s', (_, body, paths) => {
    expect(eventIdOf(body)).toEqual({ join: paths.map((path) => ({ path })), with: ':' });
  });

  test('a date of the record that its next event has too is no part', () => {
    const body = {
      type: 'contact.updated',
      created_at: '2026-05-01T10:00:00Z',
      contact: { id: 7, ...person },
    };
    expect(eventIdOf(body)).toBeUndefined();
  });
});
