/** Mailchimp. It sends forms about an audience, and does not sign. When the URL is saved, a GET must be answered with 200. */
import { anyFormatBody } from '../decode/body.ts';
import { emptyAnswer } from '../handshake/handshake.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll, headerOf } from '../detection.ts';

export const mailchimp: Producer = {
  name: 'mailchimp',
  title: 'Mailchimp',
  ...anyFormatBody,
  delivers: {
    en: 'People who join, leave or change in an audience.',
    'pt-BR': 'Pessoas que entram, saem ou mudam em um público.',
    es: 'Personas que entran, salen o cambian en un público.',
  },
  instructions: {
    en: 'Audience → Manage → Settings → Webhooks → Create: paste the URL and choose “Subscribes”.',
    'pt-BR': 'Audience → Manage → Settings → Webhooks → Create: cole a URL e escolha “Subscribes”.',
    es: 'Audience → Manage → Settings → Webhooks → Create: pegue la URL y elija “Subscribes”.',
  },
  detect: (payload) =>
    firstOf(
      [/^mailchimp/i.test(headerOf(payload, 'user-agent')), 0.95],
      [
        hasAll(payload.body, 'type', 'fired_at') &&
          hasAll(valueAt(payload.body, 'data'), 'list_id'),
        0.9,
      ],
    ),
  handshake: ({ method }) => (method === 'GET' || method === 'HEAD' ? emptyAnswer(200) : null),
  starterMapping: {
    eventId: {
      join: [
        { path: 'type' },
        { path: 'fired_at' },
        { first: [{ path: 'data.id' }, { path: 'data.new_id' }, { path: 'data.email' }] },
      ],
      with: ':',
    },
    eventType: { path: 'type' },
    // The date has no time zone, and none is assumed. Add one here if it is known.
    eventDate: { path: 'fired_at', transforms: ['date'] },
    contact: {
      externalId: { first: [{ path: 'data.id' }, { path: 'data.new_id' }] },
      name: { join: [{ path: 'data.merges.FNAME' }, { path: 'data.merges.LNAME' }] },
      phone: { path: 'data.merges.PHONE', transforms: ['phone'] },
      email: { first: [{ path: 'data.email' }, { path: 'data.new_email' }], transforms: ['email'] },
    },
  },
};
