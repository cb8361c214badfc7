/**
 * Kommo (amoCRM). It sends forms with up to eight brackets. The event type is in the names of the keys (`leads[add]`), and a
 * body may contain several items. Contacts, leads and companies have numbers of their own; a lead is read when it has a phone or
 * an e-mail, and its name is the title of the deal, not a person's name.
 */
import { anyFormatBody } from '../decode/body.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, headerOf } from '../detection.ts';
import { isAny, joined, starter } from '../starter.ts';

const changes = [
  'leads.add',
  'leads.update',
  'leads.status',
  'leads.responsible',
  'contacts.add',
  'contacts.update',
  'companies.add',
  'companies.update',
];

/** A deleted contact has an id and a type only. */
const deleted = 'contacts.delete[].merge(@, {deleted: `true`})';

const date = 'updated_at || last_modified || created_at || date_create';

const custom = (test: string) => `custom_fields[?${test}] | [0].values[0].value`;

export const kommo: Producer = {
  name: 'kommo',
  title: 'Kommo (amoCRM)',
  ...anyFormatBody,
  delivers: {
    en: 'Leads and contacts when they are added, changed or moved, several in one body.',
    'pt-BR': 'Leads e contatos ao serem criados, alterados ou movidos, vários em um corpo.',
    es: 'Leads y contactos al crearse, modificarse o moverse, varios en un cuerpo.',
  },
  instructions: {
    en: 'Settings → Integrations → Webhooks: add the URL and choose “Contact added” (leads alone carry no phone).',
    'pt-BR':
      'Configurações → Integrações → Webhooks: adicione a URL e escolha “Contato adicionado” (leads sozinhos não trazem telefone).',
    es: 'Ajustes → Integraciones → Webhooks: agregue la URL y elija “Contacto agregado” (los leads solos no traen teléfono).',
  },
  detect: (payload) => {
    const { body } = payload;
    const isItem = ['leads', 'contacts', 'companies', 'unsorted', 'talk', 'message'].some(
      (entity) => hasAll(body, entity),
    );
    return firstOf(
      [/^amocrm/i.test(headerOf(payload, 'user-agent')), 0.95],
      [isItem && hasAll(body, 'account.id', 'account.subdomain'), 0.9],
    );
  },
  starterMapping: starter({
    split: `[${[...changes, deleted].join(', ')}][]`,
    filter: `type == 'contact' || type != 'company' && custom_fields[?code == 'PHONE' || code == 'EMAIL'].values[]`,
    removal: "deleted && type != 'company'",
    eventId: joined(
      [
        { path: changes.map((change) => `${change} && '${change}'`).join(' || '), root: true },
        // A body may have several changes of one lead, and a lead and a contact with the same id.
        "old_status_id && 'status' || old_responsible_user_id && 'responsible' || type || 'lead'",
        'id',
        date,
      ],
      ':',
    ),
    eventDate: date,
    contact: {
      externalId: "(type == 'contact' || deleted) && id || null",
      name: "type == 'contact' && name || null",
      phone: custom("code == 'PHONE'"),
      email: custom("code == 'EMAIL'"),
      document: custom(isAny('name', ['CPF', 'CNPJ', 'CPF/CNPJ', 'cpf', 'cnpj'])),
    },
    context: {
      origin: custom(isAny('name', ['utm_source', 'UTM_SOURCE'])),
      campaign: custom(isAny('name', ['utm_campaign', 'UTM_CAMPAIGN'])),
    },
  }),
};
