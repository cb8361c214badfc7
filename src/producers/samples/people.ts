/** Samples of senders of people: forms, calendars, CRMs and audiences. */
import { form, json } from './sample.ts';

const changed = {
  subscriptionId: 3300001,
  portalId: 49500001,
  appId: 9300001,
  attemptNumber: 0,
  objectId: 106300000001,
  changeSource: 'CRM_UI',
  sourceId: 'userId:100',
};
const contact = 'contacts[add][0]';

export const peopleSamples = {
  generic: json({
    id: 'sample-1',
    event: 'lead.created',
    created_at: '2026-01-06T12:00:00Z',
    lead: { name: 'Ana Exemplo', phone: '+55 11 90000-0001', email: 'ana.exemplo@example.com' },
    message: 'Hello, how much is the blue one?',
  }),
  calendly: json({
    event: 'invitee.created',
    created_at: '2026-01-06T12:00:00.000000Z',
    created_by: 'https://api.calendly.com/users/USER0001',
    payload: {
      created_at: '2026-01-06T12:00:00.000000Z',
      email: 'iara.ilustra@example.com',
      event: 'https://api.calendly.com/scheduled_events/EVT0001',
      name: 'Iara Ilustra',
      questions_and_answers: [
        { question: 'Phone number', answer: '+55 11 90000-0002', position: 0 },
        { question: 'Subject', answer: 'A larger plan', position: 1 },
      ],
      status: 'active',
      text_reminder_number: null,
      timezone: 'America/Sao_Paulo',
      tracking: { utm_campaign: 'demo', utm_source: 'linkedin' },
      uri: 'https://api.calendly.com/scheduled_events/EVT0001/invitees/INV0001',
    },
  }),
  hubspot: json(
    [
      {
        ...changed,
        eventId: 3400000001,
        occurredAt: 1767700800123,
        subscriptionType: 'contact.creation',
        changeFlag: 'CREATED',
      },
      {
        ...changed,
        eventId: 3400000002,
        occurredAt: 1767700801456,
        subscriptionType: 'contact.propertyChange',
        propertyName: 'phone',
        propertyValue: '+55 11 90000-0003',
      },
    ],
    { 'user-agent': 'HubSpot Connect 2.0' },
  ),
  intercom: json({
    type: 'notification_event',
    app_id: 'example1',
    id: 'notif_0000-0000-0001',
    topic: 'contact.user.created',
    delivery_status: 'pending',
    delivery_attempts: 1,
    first_sent_at: 1767700800,
    created_at: 1767700800,
    data: {
      type: 'notification_event_data',
      item: {
        type: 'contact',
        id: '6512e0000000000000000001',
        role: 'user',
        email: 'maria.fantasia@example.com',
        phone: '+5511900000004',
        name: 'Maria Fantasia',
        created_at: 1767700790,
        custom_attributes: { utm_campaign: 'spring' },
      },
    },
  }),
  kommo: form(
    {
      'account[id]': '36300001',
      'account[subdomain]': 'example',
      [`${contact}[id]`]: '43680001',
      [`${contact}[name]`]: 'Elisa Teste',
      [`${contact}[type]`]: 'contact',
      [`${contact}[created_at]`]: '1767700800',
      [`${contact}[updated_at]`]: '1767700800',
      [`${contact}[custom_fields][0][id]`]: '2000101',
      [`${contact}[custom_fields][0][code]`]: 'PHONE',
      [`${contact}[custom_fields][0][values][0][value]`]: '+5511900000005',
      [`${contact}[custom_fields][1][id]`]: '2000102',
      [`${contact}[custom_fields][1][code]`]: 'EMAIL',
      [`${contact}[custom_fields][1][values][0][value]`]: 'elisa.teste@example.com',
    },
    { 'user-agent': 'amoCRM-Webhooks/3.0' },
  ),
  mailchimp: form(
    {
      type: 'subscribe',
      fired_at: '2026-01-06 12:00:00',
      'data[id]': 'aa00ff0001',
      'data[list_id]': 'bb00aa0001',
      'data[email]': 'ana.exemplo@example.com',
      'data[email_type]': 'html',
      'data[merges][EMAIL]': 'ana.exemplo@example.com',
      'data[merges][FNAME]': 'Ana',
      'data[merges][LNAME]': 'Exemplo',
      'data[merges][PHONE]': '+55 11 90000-0006',
    },
    { 'user-agent': 'MailChimp' },
  ),
  meta: json({
    object: 'page',
    entry: [
      {
        id: '153125380000001',
        time: 1767700800,
        changes: [
          {
            field: 'leadgen',
            value: {
              ad_id: '23840000000000001',
              form_id: '444000000000001',
              leadgen_id: '555000000000001',
              page_id: '153125380000001',
              created_time: 1767700795,
            },
          },
        ],
      },
    ],
  }),
  pipedrive: json({
    meta: {
      action: 'create',
      entity: 'person',
      entity_id: '502',
      company_id: '1234567',
      id: '5f0d7b1a-0000-4000-8000-000000000001',
      timestamp: '2026-01-06T12:00:00.000Z',
      version: '2.0',
      attempt: 1,
      host: 'example.pipedrive.com',
    },
    data: {
      id: 502,
      name: 'Diego Amostra',
      phones: [{ label: 'mobile', value: '+55 11 90000-0007', primary: true }],
      emails: [{ label: 'work', value: 'diego.amostra@example.com', primary: true }],
      add_time: '2026-01-06T12:00:00Z',
    },
    previous: null,
  }),
  typeform: json({
    event_id: '01EXAMPLE00000000000000001',
    event_type: 'form_response',
    form_response: {
      form_id: 'mXYzEXMP',
      token: 'tok0000000000000000000000000001',
      submitted_at: '2026-01-06T12:00:00Z',
      hidden: { utm_source: 'instagram', utm_campaign: 'bio' },
      answers: [
        { type: 'text', text: 'Sofia Inventada', field: { id: 'f1', type: 'short_text' } },
        {
          type: 'phone_number',
          phone_number: '+5511900000008',
          field: { id: 'f2', type: 'phone_number' },
        },
        { type: 'email', email: 'sofia.inventada@example.com', field: { id: 'f3', type: 'email' } },
        { type: 'text', text: 'Please call me.', field: { id: 'f4', type: 'long_text' } },
      ],
    },
  }),
  zendesk: json(
    {
      account_id: 22129848,
      id: '00000000-0000-4000-8000-000000000008',
      type: 'zen:event-type:user.created',
      subject: 'zen:user:6596848315901',
      time: '2026-01-06T12:00:00.501306836Z',
      zendesk_event_version: '2022-06-20',
      event: {},
      detail: {
        created_at: '2026-01-06T12:00:00Z',
        email: 'luis.placeholder@example.com',
        id: '6596848315901',
        role: 'end-user',
      },
    },
    { 'x-zendesk-webhook-id': '01EXAMPLE0000000000000008A' },
  ),
};
