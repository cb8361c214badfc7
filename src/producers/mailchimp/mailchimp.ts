/**
 * Mailchimp. It sends forms about an audience, and does not sign. The event of a campaign has the id of the campaign and no person.
 * When the URL is saved, a GET must be answered with 200.
 */
import { anyFormatBody } from '../decode/body.ts';
import { emptyAnswer } from '../handshake/handshake.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, headerOf } from '../detection.ts';
import { isAny, joined, starter } from '../starter.ts';

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
      [hasAll(payload.body, 'type', 'fired_at', 'data.list_id'), 0.9],
    ),
  handshake: ({ method }) => (method === 'GET' || method === 'HEAD' ? emptyAnswer(200) : null),
  starterMapping: starter({
    filter: isAny('type', ['subscribe', 'unsubscribe', 'profile', 'upemail', 'cleaned']),
    // A cleaned address does not exist any more.
    removal: isAny('type', ['unsubscribe', 'cleaned']),
    eventId: joined(['type', 'fired_at', ['data.id', 'data.new_id', 'data.email']], ':'),
    eventType: 'type',
    // The date has no time zone, and none is assumed. Add one here if it is known.
    eventDate: 'fired_at',
    contact: {
      externalId: ['data.id', 'data.new_id'],
      name: joined(['data.merges.FNAME', 'data.merges.LNAME']),
      phone: 'data.merges.PHONE',
      email: ['data.email', 'data.new_email'],
      former: { email: 'data.old_email' },
    },
  }),
};
