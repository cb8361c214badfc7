// The person whom a deal, an order or another record names, as the starter mappings read it.
import {
  email,
  hubspot,
  intercom,
  pipedrive1,
  pipedrive2,
  read,
  shopify,
  stripe,
  titled,
  zendesk,
  type Named,
} from './records.ts';

const moreNamed: readonly Named[] = [
  [
    'rd-station',
    'deal',
    {
      event_name: 'crm_deal_created',
      document: { id: '91', name: 'Deal', contacts: [{ id: '5', name: 'Ana' }] },
    },
    { externalId: '5', name: 'Ana' },
  ],
  [
    'rd-station',
    'contact of CRM',
    { event_name: 'crm_contact_updated', document: { id: '5', name: 'Ana', emails: [{ email }] } },
    { externalId: '5', name: 'Ana', email },
  ],
  [
    'rd-station',
    'conversion',
    {
      event_type: 'WEBHOOK.CONVERTED',
      entity_type: 'CONTACT',
      contact: { uuid: 'u-5', name: 'Ana', email, mobile_phone: '+5511900000001' },
    },
    { externalId: 'u-5', name: 'Ana', email, phone: '+5511900000001' },
  ],
  [
    'rd-station',
    'lead',
    { leads: [{ id: '5', uuid: 'u-5', name: 'Ana', email }] },
    { externalId: 'u-5', name: 'Ana', email },
  ],
  [
    'nuvemshop',
    'forwarded order',
    {
      id: 91,
      store_id: 1,
      number: 7,
      contact_name: 'Ana',
      contact_email: email,
      customer: { id: 5, name: 'Ana' },
    },
    { externalId: '5', name: 'Ana', email },
  ],
  ['nuvemshop', 'customer', { store_id: 1, event: 'customer/updated', id: 5 }, { externalId: '5' }],
  [
    'activecampaign',
    'deal',
    {
      type: 'deal_add',
      date_time: '2026-01-06T12:00:00Z',
      deal: {
        id: '91',
        title: 'Deal',
        contactid: '5',
        contact_email: email,
        contact_firstname: 'Ana',
      },
    },
    { externalId: '5', email, name: 'Ana' },
  ],
  [
    'bitrix24',
    'contact',
    { event: 'ONCRMCONTACTUPDATE', data: { FIELDS: { ID: '91' } } },
    { externalId: 'contact_91' },
  ],
  [
    'bitrix24',
    'lead',
    {
      event: 'ONCRMLEADUPDATE',
      data: { FIELDS: { ID: '91', NAME: 'Ana', EMAIL: [{ VALUE: email }] } },
    },
    { externalId: 'lead_91', name: 'Ana', email },
  ],
  [
    'bitrix24',
    'lead of an automation',
    { document_id: ['crm', 'CCrmDocumentLead', 'LEAD_91'] },
    { externalId: 'lead_91' },
  ],
  [
    'wordpress-forms',
    'entry of Gravity Forms',
    {
      2: email,
      3: '(11) 90000-0001',
      id: '9',
      form_id: '3',
      is_starred: '0',
      '1.3': 'Ana',
      '1.6': 'Exemplo',
    },
    { externalId: null, name: 'Ana Exemplo', email },
  ],
];

test.each(moreNamed.map(titled))('%s names its person', (_title, [name, , body, contact]) => {
  expect(read(name, body)[0]).toMatchObject({ ignored: null, contact });
});

const named: readonly Named[] = [
  [
    'pipedrive',
    'deal with the number of its person',
    pipedrive2('deal', { id: 91, title: 'Deal', person_id: 5 }),
    { externalId: '5', name: null },
  ],
  [
    'pipedrive',
    'lead with the number of its person',
    pipedrive2('lead', { id: 'uuid', title: 'Lead', person_id: 5 }),
    { externalId: '5', name: null },
  ],
  [
    'pipedrive',
    'deal with its person',
    pipedrive1('deal', {
      id: 91,
      title: 'Deal',
      person_id: {
        value: 5,
        name: 'Ana',
        email: [{ value: email, primary: true }],
        phone: [{ value: '+5511900000001' }],
      },
    }),
    { externalId: '5', name: 'Ana', email, phone: '+5511900000001' },
  ],
  [
    'pipedrive',
    'deal with the name of its person',
    pipedrive1('deal', { id: 91, person_id: 5, person_name: 'Ana' }),
    { externalId: '5', name: 'Ana' },
  ],
  [
    'pipedrive',
    'person',
    pipedrive2('person', { id: 91, name: 'Ana' }),
    { externalId: '91', name: 'Ana' },
  ],
  [
    'hubspot',
    'contact as an object',
    hubspot('object.propertyChange', {
      objectTypeId: '0-1',
      propertyName: 'email',
      propertyValue: email,
    }),
    { externalId: '91', email },
  ],
  [
    'intercom',
    'tag of a contact',
    intercom('contact.tag.created', {
      type: 'contact_tag',
      contact: { type: 'contact', id: '5', name: 'Ana' },
      tag: { id: '91', name: 'vip' },
    }),
    { externalId: '5', name: 'Ana' },
  ],
  [
    'shopify',
    'order of a guest',
    {
      id: 91,
      name: '#1001',
      admin_graphql_api_id: 'gid://shopify/Order/91',
      line_items: [],
      email,
      billing_address: { name: 'Ana' },
    },
    { externalId: null, name: 'Ana', email },
    shopify('orders/create'),
  ],
  [
    'shopify',
    'order',
    { id: 91, name: '#1001', line_items: [], customer: { id: 5, first_name: 'Ana' } },
    { externalId: '5', name: 'Ana' },
    shopify('orders/create'),
  ],
  [
    'stripe',
    'subscription',
    { ...stripe('subscription', { customer: 'cus_5' }), type: 'customer.subscription.deleted' },
    { externalId: 'cus_5', name: null },
  ],
  [
    'stripe',
    'charge of a guest',
    stripe('charge', { customer: null, billing_details: { name: 'Ana', email } }),
    { externalId: null, name: 'Ana', email },
  ],
  [
    'zendesk',
    'ticket',
    zendesk('ticket.created', { id: '91', requester_id: '5', subject: 'Help' }),
    { externalId: '5', name: null },
  ],
  [
    'calendly',
    'no-show',
    {
      event: 'invitee_no_show.created',
      payload: { uri: 'https://a/no_shows/91', invitee: 'https://a/invitees/5' },
    },
    { externalId: 'https://a/invitees/5' },
  ],
  [
    'kommo',
    'lead with a phone',
    {
      leads: {
        add: [
          {
            id: '91',
            name: 'Deal',
            custom_fields: [{ code: 'PHONE', values: [{ value: '+5511900000001' }] }],
          },
        ],
      },
    },
    { externalId: null, name: null, phone: '+5511900000001' },
  ],
  [
    'standard-webhooks',
    'invoice',
    { type: 'invoice.paid', data: { id: '91', name: 'Invoice 91', customer_id: '5' } },
    { externalId: '5', name: null },
  ],
  [
    'standard-webhooks',
    'user',
    { type: 'user.created', data: { id: '91', name: 'Ana' } },
    { externalId: '91', name: 'Ana' },
  ],
];

test.each(named.map(titled))('%s names its person', (_title, [name, , body, contact, headers]) => {
  const [event] = read(name, body, headers);
  expect(event).toMatchObject({ ignored: null, contact });
});
