// Events that say what a person was known by before, as the starter mappings read them.
import { email, hubspot, pipedrive1, pipedrive2, read, shopify, zendesk } from './records.ts';

const old = 'old@example.com';

type Row = readonly [
  producer: string,
  what: string,
  body: unknown,
  externalId: string,
  former: readonly object[],
  headers: Record<string, string>,
];

const rows: readonly Row[] = [
  [
    'hubspot',
    'merge with a new id',
    hubspot('contact.merge', {
      objectId: 77,
      primaryObjectId: 51,
      mergedObjectIds: [51, 52],
      newObjectId: 77,
    }),
    '77',
    ['51', '77', '52'].map((value) => ({ kind: 'externalId', value })),
    {},
  ],
  [
    'hubspot',
    'merge into the first',
    hubspot('contact.merge', { objectId: 52, primaryObjectId: 51, mergedObjectIds: [52] }),
    '51',
    ['51', '52'].map((value) => ({ kind: 'externalId', value })),
    {},
  ],
  [
    'hubspot',
    'workflow',
    { vid: 77, 'merged-vids': [51, 52], properties: {} },
    '77',
    ['51', '52'].map((value) => ({ kind: 'externalId', value })),
    {},
  ],
  ['hubspot', 'change', hubspot('contact.creation'), '91', [], {}],
  [
    'mailchimp',
    'another address',
    { type: 'upemail', data: { new_id: '91', new_email: email, old_email: old } },
    '91',
    [{ kind: 'email', value: old }],
    {},
  ],
  [
    'pipedrive',
    'change of version 2',
    pipedrive2('person', { id: 91 }, { previous: { emails: [{ value: old, primary: true }] } }),
    '91',
    [{ kind: 'email', value: old }],
    {},
  ],
  [
    'pipedrive',
    'merge of version 1',
    {
      ...pipedrive1('person', { id: 91, merge_what_id: 52 }, 'merged'),
      previous: { id: 52, phone: [{ value: '+55 11 90000-0001' }] },
    },
    '91',
    [
      { kind: 'externalId', value: '52' },
      { kind: 'phone', value: '+5511900000001' },
    ],
    {},
  ],
  [
    'pipedrive',
    'change of a deal',
    pipedrive2('deal', { id: 91, person_id: 5 }, { previous: { id: 91, value: 7 } }),
    '5',
    [],
    {},
  ],
  [
    'calendly',
    'moved meeting',
    {
      event: 'invitee.created',
      payload: { uri: 'https://a/invitees/6', old_invitee: 'https://a/invitees/5' },
    },
    'https://a/invitees/6',
    [{ kind: 'externalId', value: 'https://a/invitees/5' }],
    {},
  ],
  [
    'zendesk',
    'merge',
    { ...zendesk('user.merged', { id: '91' }), event: { user: { id: '52' } } },
    '91',
    [{ kind: 'externalId', value: '52' }],
    {},
  ],
  [
    'shopify',
    'merge',
    {
      admin_graphql_api_customer_kept_id: 'gid://shopify/Customer/91',
      admin_graphql_api_customer_deleted_id: 'gid://shopify/Customer/52',
    },
    'gid://shopify/Customer/91',
    [{ kind: 'externalId', value: 'gid://shopify/Customer/52' }],
    shopify('customers/merge'),
  ],
];

test.each(rows.map((row) => [`${row[0]}: ${row[1]}`, row] as const))('%s', (_title, row) => {
  const [name, , body, externalId, former, headers] = row;
  const [event] = read(name, body, headers);
  expect(event).toMatchObject({ ignored: null, failure: null, problems: [] });
  expect(event?.contact).toMatchObject({ externalId, former });
});
