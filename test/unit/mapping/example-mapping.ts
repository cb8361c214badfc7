/** A mapping document that uses every part, a payload for it, and the expected event. */
import type { Payload } from '../../../src/domain/mappings/mapping.ts';

export const exampleDocument = {
  filter: "event == 'lead.created'",
  eventId: { path: 'event_id' },
  eventType: { path: 'event' },
  eventDate: {
    path: 'created_at',
    transforms: [{ date: { zone: 'America/Sao_Paulo' } }],
  },
  contact: {
    externalId: { path: 'lead.id' },
    name: { join: [{ path: 'lead.first_name' }, { path: 'lead.last_name' }], with: ' ' },
    phone: {
      path: "lead.fields[?code=='PHONE'].value | [0]",
      transforms: [{ phone: { region: 'BR' } }],
      required: true,
    },
    email: {
      first: [{ path: 'lead.email' }, { path: 'lead.contact.email' }],
      transforms: ['email'],
    },
    document: { path: 'lead.cpf', transforms: ['document'] },
    fields: { city: { path: 'lead.address.city' } },
  },
  message: { text: { path: 'message', default: 'Novo contato' } },
  context: {
    origin: { path: 'campaign.source' },
    campaign: { path: 'campaign.name' },
    labels: [{ const: 'Lead' }],
    sector: { const: 'Vendas' },
    fields: {},
  },
};

export const exampleBody = {
  event: 'lead.created',
  event_id: 'evt_0001',
  created_at: '2026-01-06 09:00:00',
  lead: {
    id: 35100001,
    first_name: ' Ana ',
    last_name: 'Exemplo',
    cpf: '123.456.789-09',
    contact: { email: 'Ana.Exemplo@Example.com' },
    address: { city: 'São Paulo' },
    fields: [
      { code: 'EMAIL', value: 'x@example.com' },
      { code: 'PHONE', value: '(11) 90000-0001' },
    ],
  },
  campaign: { source: 'google', name: 'promo-janeiro' },
};

export const payloadOf = (body: unknown): Payload => ({ body, headers: {}, query: {} });

export const exampleEvent = {
  ignored: null,
  eventId: 'evt_0001',
  eventType: 'lead.created',
  eventDate: '2026-01-06T12:00:00.000Z',
  contact: {
    externalId: '35100001',
    name: 'Ana Exemplo',
    phone: '+5511900000001',
    email: 'ana.exemplo@example.com',
    document: '12345678909',
    fields: { city: 'São Paulo' },
  },
  message: { text: 'Novo contato' },
  context: {
    origin: 'google',
    campaign: 'promo-janeiro',
    labels: ['Lead'],
    sector: 'Vendas',
    fields: {},
  },
  problems: [],
  failure: null,
};
