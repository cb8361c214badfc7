/** Invented payloads: lists of records and notifications, messengers, states of sales, and forms in further languages. */
import type { Fixture } from '../fixture.ts';

export const notificationsAndLanguages: readonly Fixture[] = [
  {
    name: 'rows of a table, in a list named as one of things',
    body: {
      table_id: 5,
      event_type: 'rows.created',
      items: [
        {
          id: 31,
          Nome: 'Zilda Rascunho',
          'E-mail': 'zilda@example.com',
          Observações: 'Só à tarde',
        },
        { id: 32, Nome: 'Iara Modelo', 'E-mail': 'iara@example.com', Observações: 'Sem pressa' },
      ],
    },
    truth: {
      externalId: '31',
      name: 'Zilda Rascunho',
      email: 'zilda@example.com',
      text: 'Só à tarde',
    },
    also: { eventType: 'rows.created' },
    items: 2,
  },
  {
    name: 'messages with a sender and a receiver',
    body: {
      id: '7c1e0f3a-0000-4000-8000-000000000001',
      type: 'MESSAGE',
      message: {
        from: '5511900000701',
        to: '5511900000999',
        visitor: { name: 'Neusa Fictícia' },
        contents: [{ type: 'text', text: 'Vocês abrem no sábado?' }],
      },
    },
    truth: {
      externalId: '5511900000701',
      name: 'Neusa Fictícia',
      phone: '+5511900000701',
      text: 'Vocês abrem no sábado?',
    },
    also: { eventId: '7c1e0f3a-0000-4000-8000-000000000001', eventType: 'MESSAGE' },
  },
  {
    name: 'a sale whose state says what happened',
    body: {
      transaction: 'TX-702',
      status: 'Refunded',
      price: 99.9,
      name: 'Ivone Amostra',
      email: 'ivone@example.com',
    },
    truth: { eventType: 'Refunded', name: 'Ivone Amostra', email: 'ivone@example.com' },
    also: { externalId: 'TX-702', eventId: 'TX-702' },
  },
  {
    name: 'form in Norwegian',
    body: {
      navn: 'Ståle Eksempel',
      epost: 'stale@example.com',
      telefonnummer: '+47 400 00 703',
      melding: 'Kan dere ringe i morgen?',
    },
    region: 'NO',
    truth: {
      name: 'Ståle Eksempel',
      email: 'stale@example.com',
      phone: '+4740000703',
      text: 'Kan dere ringe i morgen?',
    },
  },
  {
    name: 'form in Dutch',
    body: {
      voornaam: 'Sanne',
      achternaam: 'Voorbeeld',
      epostadres: 'sanne@example.com',
      bericht: 'Graag een offerte voor tien stoelen.',
    },
    region: 'NL',
    truth: {
      name: 'Sanne Voorbeeld',
      email: 'sanne@example.com',
      text: 'Graag een offerte voor tien stoelen.',
    },
  },
  {
    name: 'form with numbered fields',
    body: {
      EntryId: '704',
      DateCreated: '2026-01-06T12:00:00Z',
      Field3: 'deborah@example.com',
      Field8: 'We would like a quote for forty seats. Please call after five.',
    },
    region: 'US',
    truth: {
      externalId: '704',
      eventDate: '2026-01-06T12:00:00.000Z',
      email: 'deborah@example.com',
      text: 'We would like a quote for forty seats. Please call after five.',
    },
  },
  {
    name: 'a record that a program changed',
    body: {
      topic: 'Produto.Alterado',
      event: { codigo_produto: 705, inativo: 'N' },
      author: { email: 'no-reply@example.com', name: 'Integração' },
      origin: 'connect-2.0',
    },
    truth: { eventType: 'Produto.Alterado' },
  },
  {
    name: 'a guest of an event that takes place',
    body: {
      type: 'guest.registered',
      data: {
        guest: {
          email: 'yves@example.com',
          first_name: 'Yves',
          last_name: 'Modèle',
          registered_at: '2026-01-06T12:00:00.000Z',
        },
        event: { id: 'evt-706', name: 'Soirée Exemple', start_at: '2026-04-02T17:00:00.000Z' },
      },
    },
    region: 'FR',
    truth: {
      eventType: 'guest.registered',
      eventDate: '2026-01-06T12:00:00.000Z',
      name: 'Yves Modèle',
      email: 'yves@example.com',
    },
  },
  {
    name: 'a phone line of the receiver',
    body: {
      event: 'number.created',
      timestamp: 1767700800,
      data: { id: 707, name: 'Support Paris', country: 'FR' },
    },
    truth: { eventType: 'number.created', eventDate: '2026-01-06T12:00:00.000Z' },
    also: { externalId: '707' },
  },
];
