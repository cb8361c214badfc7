/**
 * Pipedrive, version 1 (`current`) and version 2 (`data`) of its webhooks. In version 1 `meta.id` is the person, not the
 * event. One envelope has persons, deals and organizations, each with numbers of its own: only persons, and deals and leads
 * with their person, are read. It does not sign; HTTP Basic can be verified as a token in `authorization`.
 */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll } from '../detection.ts';
import { joined, starter } from '../starter.ts';

/** The primary value of a labelled list, or the first one. */
const labelled = (path: string) => [`${path}[?primary].value | [0]`, `${path}[0].value`];

const isPerson =
  "(meta.entity == 'person' || meta.object == 'person' || ends_with(not_null(event, ''), '.person'))";
const isSale = "contains(['deal', 'lead'], not_null(meta.entity, meta.object))";
const ofPerson = (member: string) =>
  ['data', 'current', 'previous'].map((record) => `${isPerson} && ${record}.${member} || null`);
/** Of the person of a deal: the number alone, or an object. */
const ofSale = (member: string) => [`data.person_id.${member}`, `current.person_id.${member}`];

export const pipedrive: Producer = {
  name: 'pipedrive',
  title: 'Pipedrive',
  ...jsonBody,
  delivers: {
    en: 'People, deals, organisations and activities when they are created or changed.',
    'pt-BR': 'Pessoas, negócios, organizações e atividades ao serem criados ou alterados.',
    es: 'Personas, negocios, organizaciones y actividades al crearse o modificarse.',
  },
  instructions: {
    en: 'Tools and apps → Webhooks → Create: event “create”, object “person”, and the URL.',
    'pt-BR': 'Ferramentas e apps → Webhooks → Criar: evento “create”, objeto “person” e a URL.',
    es: 'Herramientas y apps → Webhooks → Crear: evento “create”, objeto “person” y la URL.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'data', 'meta.entity', 'meta.entity_id', 'meta.company_id'), 0.95],
      [hasAll(body, 'current', 'event', 'meta.company_id'), 0.95],
    ),
  starterMapping: starter({
    filter: `${isPerson} || ${isSale} && (data.person_id || current.person_id)`,
    eventId: [
      'meta.version && meta.id || null',
      joined(['event', 'meta.id', 'meta.timestamp_micro'], ':'),
    ],
    eventType: ['event', joined(['meta.action', 'meta.entity'], '.')],
    eventDate: 'meta.timestamp',
    contact: {
      externalId: [...ofPerson('id'), ...ofSale('value'), 'data.person_id', 'current.person_id'],
      name: [...ofPerson('name'), ...ofSale('name'), 'current.person_name'],
      phone: [
        ...labelled('data.phones'),
        ...labelled('current.phone'),
        ...ofSale('phone').flatMap(labelled),
      ],
      email: [
        ...labelled('data.emails'),
        ...labelled('current.email'),
        ...ofSale('email').flatMap(labelled),
      ],
      // A change has the former values beside the new ones, and a merge the person that is gone.
      former: {
        externalId: `${isPerson} && [previous.id, data.merge_what_id, current.merge_what_id] || null`,
        phone: `${isPerson} && (previous.phones || previous.phone)[].value || null`,
        email: `${isPerson} && (previous.emails || previous.email)[].value || null`,
      },
    },
  }),
};
