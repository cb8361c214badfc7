/**
 * HubSpot. Subscriptions send a list of changes with at most one property each; workflows send a whole contact. One mapping
 * reads both, because `to_array` turns a single object into a list. `eventId` alone is documented as not unique.
 */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { isAny, joined, nameInParts, starter } from '../starter.ts';

/** The value in a whole contact, or the one in a change of this property. */
const property = (name: string) => [
  `properties.${name}.value`,
  `propertyName == '${name}' && propertyValue || null`,
];

const isContact =
  "(starts_with(subscriptionType, 'contact.') || starts_with(subscriptionType, 'object.') && objectTypeId == '0-1')";

/** A workflow of contacts names no type, or that of contacts. */
const isWorkflowContact =
  "!subscriptionType && (vid || !(companyId || dealId || dealname) && contains(['0-1', 'CONTACT', null], objectTypeId || objectType))";

const removals = ['privacyDeletion', 'deletion'].flatMap((type) => [
  `contact.${type}`,
  `object.${type}`,
]);

export const hubspot: Producer = {
  name: 'hubspot',
  title: 'HubSpot',
  ...jsonBody,
  delivers: {
    en: 'Changes of contacts, companies and deals in lists, or whole contacts from workflows.',
    'pt-BR':
      'Mudanças de contatos, empresas e negócios em listas, ou contatos inteiros de workflows.',
    es: 'Cambios de contactos, empresas y negocios en listas, o contactos enteros de workflows.',
  },
  instructions: {
    en: 'In the app’s settings add the URL under Webhooks and subscribe to contact events; or add “Send a webhook” to a workflow. The secret is the app’s client secret.',
    'pt-BR':
      'Nas configurações do app, adicione a URL em Webhooks e assine eventos de contato; ou use “Enviar um webhook” em um workflow. O segredo é o client secret do app.',
    es: 'En la configuración de la app agregue la URL en Webhooks y suscríbase a eventos de contacto; o use “Enviar un webhook” en un workflow. El secreto es el client secret de la app.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-hubspot-signature-v3'), 0.98],
      [hasHeader(payload, 'x-hubspot-signature'), 0.98],
      [hasAll(payload.body, 'subscriptionType', 'portalId', 'objectId'), 0.95],
      [hasAll(payload.body, 'vid', 'portal-id', 'properties'), 0.9],
    ),
  signature: 'hubspot-v3',
  sendsFieldsApart: true,
  starterMapping: starter({
    split: 'to_array(@)',
    // An association names two records, and nothing of the person.
    filter: `subscriptionType && !ends_with(subscriptionType, 'associationChange') && ${isContact} || ${isWorkflowContact}`,
    removal: `(${isAny('subscriptionType', removals)}) && ${isContact}`,
    eventId: joined(['portalId', 'subscriptionId', 'eventId', 'occurredAt'], ':'),
    eventType: 'subscriptionType',
    eventDate: ['occurredAt', 'properties.createdate.value'],
    contact: {
      // A merge gives the person a new id, or that of the first.
      externalId: ['newObjectId', 'primaryObjectId', 'objectId', 'vid'],
      name: nameInParts([property('firstname'), property('lastname')]),
      phone: [property('phone'), property('mobilephone')],
      email: property('email'),
      former: {
        externalId: [
          'subscriptionType && mergedObjectIds && [primaryObjectId, objectId, mergedObjectIds][]',
          '"merged-vids"',
        ],
      },
    },
    text: property('message'),
    context: {
      origin: property('hs_analytics_source'),
      campaign: property('hs_analytics_source_data_1'),
    },
  }),
};
