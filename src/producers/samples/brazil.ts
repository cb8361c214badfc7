/** Samples of producers that are common in Brazil. */
import { form, json } from './sample.ts';

export const brazilSamples = {
  activecampaign: form({
    type: 'subscribe',
    date_time: '2026-01-06T09:00:00-03:00',
    initiated_from: 'public',
    initiated_by: 'public',
    list: '1',
    'contact[id]': '4102',
    'contact[email]': 'marta.amostra@example.com',
    'contact[first_name]': 'Marta',
    'contact[last_name]': 'Amostra',
    'contact[phone]': '(11) 90000-0031',
    'contact[fields][1]': 'Recife',
  }),
  bitrix24: form({
    event: 'ONCRMLEADADD',
    event_handler_id: '12',
    'data[FIELDS][ID]': '5201',
    'data[FIELDS][NAME]': 'Otto',
    'data[FIELDS][LAST_NAME]': 'Ensaio',
    'data[FIELDS][PHONE][0][VALUE]': '+55 11 90000-0032',
    ts: '1767700800',
    'auth[domain]': 'example.bitrix24.com',
    'auth[member_id]': 'member-1',
    'auth[application_token]': 'token-1',
  }),
  nuvemshop: json({ store_id: 123456, event: 'customer/created', id: 5301 }),
  'rd-station': json({
    leads: [
      {
        id: '5401',
        uuid: '00000000-0000-4000-8000-000000005401',
        email: 'nara.ficticia@example.com',
        name: 'Nara Fictícia',
        personal_phone: '(11) 90000-0033',
        mobile_phone: null,
        lead_stage: 'Lead',
        created_at: '2026-01-06T09:00:00.000-03:00',
        first_conversion: { content: {}, created_at: '2026-01-06T09:00:00.000-03:00' },
        last_conversion: {
          content: { identificador: 'contact-form', mensagem: 'How much is the blue one?' },
          created_at: '2026-01-06T09:00:00.000-03:00',
          conversion_origin: { source: 'Google', medium: 'cpc', campaign: 'spring' },
        },
      },
    ],
  }),
  'wordpress-forms': json(
    {
      first_name: 'Iris',
      last_name: 'Modelo',
      email_address: 'iris.modelo@example.com',
      phone_number: '(11) 90000-0034',
      comment: 'Please call me.',
      entry_id: '2301',
      form_id: '15',
    },
    { 'user-agent': 'wpforms-webhooks/1.3.0' },
  ),
};
