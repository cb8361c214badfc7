// Requests to remove a person, as the starter mappings read them.
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

const redact = { shop_id: 1, customer: { id: 5, email, phone: '+5511900000077' } };

const removals: readonly Named[] = [
  [
    'nuvemshop',
    'customers/redact',
    { store_id: 1, customer: { id: 5, email }, orders_to_redact: [1] },
    { email },
  ],
  [
    'nuvemshop',
    'customers/redact without orders',
    { store_id: 1, customer: { id: 5, email }, orders_to_redact: [] },
    { email },
  ],
  [
    'nuvemshop',
    'customers/data_request',
    { store_id: 1, customer: { id: 5, email }, orders_requested: [1], data_request: { id: 7 } },
    { email },
  ],
  [
    'nuvemshop',
    'deleted customer',
    { store_id: 1, event: 'customer/deleted', id: 5 },
    { externalId: '5' },
  ],
  [
    'rd-station',
    'deleted contact',
    { event_name: 'crm_contact_deleted', document: { id: '5' } },
    { externalId: '5' },
  ],
  [
    'activecampaign',
    'unsubscribe',
    { type: 'unsubscribe', contact: { id: '5', email } },
    { email },
  ],
  [
    'bitrix24',
    'deleted lead',
    { event: 'ONCRMLEADDELETE', data: { FIELDS: { ID: '91' } } },
    { externalId: 'lead_91' },
  ],
  [
    'pipedrive',
    'deleted person, version 2',
    pipedrive2('person', null, {
      meta: { action: 'delete', entity: 'person', version: '2.0', id: 'u' },
      previous: { id: 91, name: 'Ana' },
    }),
    { externalId: '91', name: 'Ana' },
  ],
  [
    'pipedrive',
    'deleted person, version 1',
    { ...pipedrive1('person', null, 'deleted'), previous: { id: 91, name: 'Ana' } },
    { externalId: '91' },
  ],
  ['hubspot', 'privacy deletion', hubspot('contact.privacyDeletion'), { externalId: '91' }],
  ['hubspot', 'deletion', hubspot('contact.deletion'), { externalId: '91' }],
  [
    'hubspot',
    'deletion as an object',
    hubspot('object.deletion', { objectTypeId: '0-1' }),
    { externalId: '91' },
  ],
  ['mailchimp', 'unsubscribe', { type: 'unsubscribe', data: { id: '91', email } }, { email }],
  ['mailchimp', 'cleaned address', { type: 'cleaned', data: { email, reason: 'hard' } }, { email }],
  [
    'intercom',
    'deleted contact',
    intercom('contact.deleted', { type: 'contact', id: '91' }),
    { externalId: '91' },
  ],
  [
    'intercom',
    'unsubscribed contact',
    intercom('contact.unsubscribed', { type: 'contact', id: '91', email }),
    { email },
  ],
  ['zendesk', 'deleted user', zendesk('user.deleted', { id: '91', email }), { email }],
  [
    'shopify',
    'customers/redact',
    { ...redact, orders_to_redact: [1] },
    { email, phone: '+5511900000077' },
    shopify('customers/redact'),
  ],
  [
    'shopify',
    'customers/data_request',
    { ...redact, orders_requested: [1] },
    { email },
    shopify('customers/data_request'),
  ],
  ['shopify', 'customers/delete', { id: 5 }, {}, shopify('customers/delete')],
  ['shopify', 'shop/redact', { shop_id: 1 }, {}, shopify('shop/redact')],
  [
    'stripe',
    'deleted customer',
    { ...stripe('customer', { email }), type: 'customer.deleted' },
    { externalId: 'x_91', email },
  ],
  [
    'kommo',
    'deleted contact',
    { contacts: { delete: [{ id: '91', type: 'contact' }] } },
    { externalId: '91' },
  ],
  [
    'standard-webhooks',
    'deleted user',
    { type: 'user.deleted', data: { id: '91' } },
    { externalId: '91' },
  ],
];

test.each(removals.map(titled))(
  '%s asks for a removal',
  (_title, [name, , body, contact, headers]) => {
    const events = read(name, body, headers);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ ignored: 'removal_requested', failure: null, contact });
  },
);
