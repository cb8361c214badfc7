/**
 * Pipedrive, version 1 (`current`) and version 2 (`data`) of its webhooks. In version 1 `meta.id` is the person, not the
 * event. It does not sign; HTTP Basic can be verified as a token in `authorization`.
 */
import type { Source } from '../../domain/mappings/mapping.ts';
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll } from '../detection.ts';

/** The primary value of a labelled list, or the first one. */
const labelled = (path: string): Source[] => [
  { path: `${path}[?primary].value | [0]` },
  { path: `${path}[0].value` },
];

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
      [
        hasAll(body, 'meta', 'data') &&
          hasAll(valueAt(body, 'meta'), 'entity', 'entity_id', 'company_id'),
        0.95,
      ],
      [
        hasAll(body, 'meta', 'current', 'event') &&
          valueAt(body, 'meta', 'company_id') !== undefined,
        0.95,
      ],
    ),
  starterMapping: {
    eventId: {
      first: [
        { path: 'meta.version && meta.id || null' },
        {
          join: [{ path: 'event' }, { path: 'meta.id' }, { path: 'meta.timestamp_micro' }],
          with: ':',
        },
      ],
    },
    eventType: {
      first: [
        { path: 'event' },
        { join: [{ path: 'meta.action' }, { path: 'meta.entity' }], with: '.' },
      ],
    },
    eventDate: { path: 'meta.timestamp', transforms: ['date'] },
    contact: {
      externalId: { first: [{ path: 'data.id' }, { path: 'current.id' }] },
      name: { first: [{ path: 'data.name' }, { path: 'current.name' }] },
      phone: {
        first: [...labelled('data.phones'), ...labelled('current.phone')],
        transforms: ['phone'],
      },
      email: {
        first: [...labelled('data.emails'), ...labelled('current.email')],
        transforms: ['email'],
      },
    },
  },
};
