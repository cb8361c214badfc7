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
  ['an order', { id: uuid, event: 'order.paid', status: 'paid', total: 10, customer: person }],
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
