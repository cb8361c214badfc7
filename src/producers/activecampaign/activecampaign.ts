/** ActiveCampaign. It sends forms with the contact in brackets (`contact[email]`); deals and accounts have ids of their own. */
import { anyFormatBody } from '../decode/body.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll } from '../detection.ts';
import { joined, starter } from '../starter.ts';

export const activecampaign: Producer = {
  name: 'activecampaign',
  title: 'ActiveCampaign',
  ...anyFormatBody,
  delivers: {
    en: 'Contacts that subscribe, change, are tagged or leave, and deals with their contact.',
    'pt-BR':
      'Contatos que se inscrevem, mudam, recebem tags ou saem, e negócios com o seu contato.',
    es: 'Contactos que se suscriben, cambian, reciben etiquetas o salen, y tratos con su contacto.',
  },
  instructions: {
    en: 'Settings → Developer → Manage webhooks → Add webhook: the URL, and the action “Subscribes”; or a “Webhook” step in an automation.',
    'pt-BR':
      'Configurações → Desenvolvedor → Gerenciar webhooks → Adicionar webhook: a URL e a ação “Inscreve-se”; ou uma etapa “Webhook” em uma automação.',
    es: 'Configuración → Desarrollador → Administrar webhooks → Agregar webhook: la URL y la acción “Se suscribe”; o un paso “Webhook” en una automatización.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'type', 'date_time', 'initiated_from', 'contact.id'), 0.95],
      [hasAll(body, 'type', 'date_time', 'initiated_from', 'initiated_by'), 0.9],
      [hasAll(body, 'contact.email', 'contact.orgname', 'contact.ip'), 0.7],
    ),
  starterMapping: starter({
    filter: 'contact.id || contact.email || deal.contactid || deal.contact_email',
    eventId: [
      joined(['type', 'deal.id', 'date_time'], ':'),
      joined(['type', 'contact.id', 'date_time', "list || tag || 'contact'"], ':'),
    ],
    eventType: 'type',
    eventDate: 'date_time',
    contact: {
      externalId: ['contact.id', 'deal.contactid'],
      name: [
        joined(['contact.first_name', 'contact.last_name']),
        joined(['deal.contact_firstname', 'deal.contact_lastname']),
      ],
      phone: 'contact.phone',
      email: ['contact.email', 'deal.contact_email'],
    },
  }),
};
