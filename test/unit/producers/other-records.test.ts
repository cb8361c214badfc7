// Records of another type than people, which the starter mappings ignore.
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
  type Ignored,
} from './records.ts';

const ignored: readonly Ignored[] = [
  ['pipedrive', 'organization, version 2', pipedrive2('organization', { id: 91, name: 'Acme' })],
  ['pipedrive', 'product, version 2', pipedrive2('product', { id: 91, name: 'Chair' })],
  ['pipedrive', 'activity of a person', pipedrive2('activity', { id: 91, person_id: 5 })],
  ['pipedrive', 'deal without a person', pipedrive2('deal', { id: 91, title: 'Deal', org_id: 3 })],
  ['pipedrive', 'pipeline', pipedrive2('pipeline', { id: 91, name: 'Sales' })],
  ['pipedrive', 'user', pipedrive2('user', { id: 91, name: 'Seller', email })],
  ['pipedrive', 'deleted deal', pipedrive2('deal', null, { previous: { id: 91, person_id: 5 } })],
  ['pipedrive', 'organization, version 1', pipedrive1('organization', { id: 91, name: 'Acme' })],
  ['pipedrive', 'note, version 1', pipedrive1('note', { id: 91, content: 'Text', person_id: 5 })],
  [
    'pipedrive',
    'deal without a person, version 1',
    pipedrive1('deal', { id: 91, person_id: null }),
  ],
  [
    'hubspot',
    'company',
    hubspot('company.propertyChange', { propertyName: 'phone', propertyValue: '1' }),
  ],
  ['hubspot', 'deal', hubspot('deal.creation')],
  ['hubspot', 'deleted company', hubspot('company.deletion')],
  ['hubspot', 'ticket', hubspot('ticket.creation')],
  ['hubspot', 'conversation', hubspot('conversation.newMessage')],
  ['hubspot', 'company as an object', hubspot('object.creation', { objectTypeId: '0-2' })],
  ['hubspot', 'deleted deal as an object', hubspot('object.deletion', { objectTypeId: '0-3' })],
  [
    'hubspot',
    'association',
    hubspot('contact.associationChange', { fromObjectId: 1, toObjectId: 2 }),
  ],
  ['hubspot', 'company of a workflow', { companyId: 91, properties: { phone: { value: '1' } } }],
  ['hubspot', 'object of a workflow', { objectId: 91, objectTypeId: '0-3', properties: {} }],
  [
    'mailchimp',
    'campaign',
    { type: 'campaign', data: { id: '91', subject: 'Offer', status: 'sent' } },
  ],
  ['mailchimp', 'unknown type', { type: 'report', data: { id: '91' } }],
  ['intercom', 'company', intercom('company.created', { type: 'company', id: '91', name: 'Acme' })],
  ['intercom', 'ticket', intercom('ticket.created', { type: 'ticket', id: '91' })],
  ['intercom', 'colleague', intercom('admin.logged_in', { type: 'admin', id: '91', email })],
  [
    'intercom',
    'conversation of a colleague',
    intercom('conversation.admin.single.created', {
      type: 'conversation',
      id: '91',
      source: { body: 'Hello', author: { type: 'admin', id: '7', name: 'Agent', email } },
    }),
  ],
  ['zendesk', 'organization', zendesk('organization.created', { id: '91', name: 'Acme' })],
  ['zendesk', 'article', zendesk('article.published', { id: '91', author_id: '5' })],
  ['zendesk', 'agent', zendesk('agent.state_changed', { agent_id: '91' })],
  [
    'shopify',
    'product',
    { id: 91, admin_graphql_api_id: 'gid://shopify/Product/91', title: 'Chair' },
    shopify('products/update'),
  ],
  [
    'shopify',
    'shop',
    { id: 91, name: 'Shop', email, phone: '+5511900000001', myshopify_domain: 'a.myshopify.com' },
    shopify('shop/update'),
  ],
  [
    'shopify',
    'location',
    {
      id: 91,
      admin_graphql_api_id: 'gid://shopify/Location/91',
      name: 'Store',
      phone: '+5511900000001',
    },
    shopify('locations/create'),
  ],
  [
    'shopify',
    'company',
    { name: 'Acme', admin_graphql_api_id: 'gid://shopify/Company/91' },
    shopify('companies/create'),
  ],
  ['shopify', 'stock', { inventory_item_id: 91, available: 4 }, shopify('inventory_levels/update')],
  ['stripe', 'product', stripe('product', { name: 'Chair' })],
  ['stripe', 'account', stripe('account', { email, business_profile: { name: 'Acme' } })],
  ['stripe', 'payout', stripe('payout', { amount: 5 })],
  ['stripe', 'price', stripe('price')],
  ['stripe', 'person of an account', stripe('person', { email, first_name: 'Ana' })],
  [
    'calendly',
    'type of event',
    { event: 'event_type.updated', payload: { uri: 'https://a/91', name: 'Demo' } },
  ],
  [
    'calendly',
    'user',
    { event: 'user.updated', payload: { uri: 'https://a/91', name: 'Host', email } },
  ],
  ['kommo', 'lead', { leads: { add: [{ id: '91', name: 'Deal #91', status_id: '1' }] } }],
  [
    'kommo',
    'company',
    {
      contacts: {
        add: [
          {
            id: '91',
            name: 'Acme',
            type: 'company',
            custom_fields: [{ code: 'PHONE', values: [{ value: '+5511900000001' }] }],
          },
        ],
      },
    },
  ],
  [
    'kommo',
    'company of its own key',
    { companies: { update: [{ id: '91', name: 'Acme', type: 'company' }] } },
  ],
  [
    'slack',
    'channel',
    { event_id: 'E', event: { type: 'channel_created', channel: { id: 'C1' } } },
  ],
  [
    'standard-webhooks',
    'organization',
    { type: 'organization.updated', data: { id: '91', name: 'Acme', email } },
  ],
  ['standard-webhooks', 'product', { type: 'product.updated', data: { id: '91', name: 'Chair' } }],
];

test.each(ignored.map(titled))('%s is ignored', (_title, [name, , body, headers]) => {
  expect(read(name, body, headers).map(({ ignored }) => ignored)).toEqual(['filter']);
});

const more: readonly Ignored[] = [
  [
    'rd-station',
    'organization',
    { event_name: 'crm_organization_created', document: { id: '91', name: 'Acme' } },
  ],
  [
    'rd-station',
    'deal without a contact',
    {
      event_name: 'crm_deal_created',
      document: { id: '91', name: 'Deal', contacts: [], user: { id: 'u', name: 'Seller', email } },
    },
  ],
  ['nuvemshop', 'product', { store_id: 1, event: 'product/updated', id: 91 }],
  ['nuvemshop', 'order with its id only', { store_id: 1, event: 'order/paid', id: 91 }],
  [
    'activecampaign',
    'account',
    { type: 'account_add', date_time: '2026-01-06T12:00:00Z', account: { id: '91', name: 'Acme' } },
  ],
  ['bitrix24', 'deal', { event: 'ONCRMDEALADD', data: { FIELDS: { ID: '91' } } }],
  ['bitrix24', 'company', { event: 'ONCRMCOMPANYADD', data: { FIELDS: { ID: '91' } } }],
  ['bitrix24', 'task', { event: 'ONTASKADD', data: { FIELDS_AFTER: { ID: '91' } } }],
  ['bitrix24', 'deal of an automation', { document_id: ['crm', 'CCrmDocumentDeal', 'DEAL_91'] }],
];

test.each(more.map(titled))('%s is ignored', (_title, [name, , body]) => {
  expect(read(name, body).map(({ ignored: reason }) => reason)).toEqual(['filter']);
});
