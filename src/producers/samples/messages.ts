/** Samples of messengers, of shops and payments, and of senders that follow Standard Webhooks. */
import { form, json } from './sample.ts';

export const messageSamples = {
  evolution: json({
    event: 'messages.upsert',
    instance: 'shop',
    data: {
      key: {
        remoteJid: '100000000000017@lid',
        remoteJidAlt: '5511900000017@s.whatsapp.net',
        fromMe: false,
        id: '3EB0EXAMPLE0001',
      },
      pushName: 'Lia Modelo',
      status: 'DELIVERY_ACK',
      message: { conversation: 'Hello, do you deliver?' },
      messageType: 'conversation',
      messageTimestamp: 1767700800,
      source: 'android',
    },
    date_time: '2026-01-06T12:00:00.000Z',
    sender: '551130000099@s.whatsapp.net',
    server_url: 'https://evolution.example.com',
  }),
  slack: json({
    team_id: 'T0EXAMPLE',
    api_app_id: 'A0EXAMPLE',
    type: 'event_callback',
    event_id: 'Ev0EXAMPLE01',
    event_time: 1767700800,
    event: {
      type: 'message',
      channel: 'C0EXAMPLE',
      user: 'U0EXAMPLE',
      text: 'A new lead on the site',
      ts: '1767700800.000200',
      channel_type: 'channel',
    },
  }),
  telegram: json({
    update_id: 123456001,
    message: {
      message_id: 1001,
      from: { id: 987650001, is_bot: false, first_name: 'Elif', last_name: 'Örnek' },
      chat: { id: 987650001, first_name: 'Elif', last_name: 'Örnek', type: 'private' },
      date: 1767700800,
      text: 'Merhaba, fiyat listesi var mı?',
    },
  }),
  twilio: form({
    MessageSid: 'SM00000000000000000000000000000001',
    AccountSid: 'AC00000000000000000000000000000001',
    SmsStatus: 'received',
    From: '+5511900000010',
    To: '+551130000099',
    Body: 'Hello, I would like to know more & the price.',
    NumMedia: '0',
    NumSegments: '1',
    ApiVersion: '2010-04-01',
  }),
  waha: json({
    id: 'evt_example0001',
    timestamp: 1767700800000,
    event: 'message',
    session: 'default',
    me: { id: '551130000099@c.us', pushName: 'Shop' },
    payload: {
      id: 'false_5511900000018@c.us_EXAMPLE0001',
      timestamp: 1767700800,
      from: '5511900000018@c.us',
      fromMe: false,
      source: 'app',
      to: '551130000099@c.us',
      body: 'Hello, how much is it?',
      hasMedia: false,
      _data: { notifyName: 'Davi Modelo' },
    },
    engine: 'WEBJS',
  }),
  whatsapp: json({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290000000001',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: {
                display_phone_number: '551130000099',
                phone_number_id: '106540000000001',
              },
              contacts: [{ profile: { name: 'Caio Modelo' }, wa_id: '5511900000011' }],
              messages: [
                {
                  from: '5511900000011',
                  id: 'wamid.EXAMPLE0001',
                  timestamp: '1767700800',
                  type: 'text',
                  text: { body: 'Hello, are you open tomorrow?' },
                },
              ],
            },
          },
        ],
      },
    ],
  }),
};

export const shopSamples = {
  hotmart: json({
    id: '1f1ab22e-0000-4000-8000-000000000001',
    creation_date: 1767700800000,
    event: 'PURCHASE_APPROVED',
    version: '2.0.0',
    data: {
      product: { id: 788921, name: 'Example course' },
      buyer: {
        email: 'otto.demo@example.com',
        name: 'Otto Demo',
        checkout_phone_code: '11',
        checkout_phone: '900000012',
      },
      purchase: {
        approved_date: 1767700795000,
        price: { value: 497, currency_value: 'BRL' },
        checkout_country: { name: 'Brasil', iso: 'BR' },
        status: 'APPROVED',
        transaction: 'HP0000000000001',
        payment: { installments_number: 1, type: 'PIX' },
      },
    },
  }),
  shopify: json(
    {
      id: 820982911000001,
      admin_graphql_api_id: 'gid://shopify/Order/820982911000001',
      name: '#1001',
      email: 'maria.fantasia@example.com',
      created_at: '2026-01-06T09:00:00-03:00',
      currency: 'BRL',
      total_price: '199.90',
      source_name: 'web',
      note: 'Leave it at the door',
      note_attributes: [{ name: 'utm_campaign', value: 'spring' }],
      customer: { id: 115310627000001, first_name: 'Maria', last_name: 'Fantasia' },
      billing_address: { name: 'Maria Fantasia', phone: '11 90000-0013', country_code: 'BR' },
      line_items: [{ id: 1, title: 'Example shirt', quantity: 1, price: '199.90' }],
    },
    {
      'x-shopify-topic': 'orders/create',
      'x-shopify-shop-domain': 'example.myshopify.com',
      'x-shopify-webhook-id': 'b54557e4-0000-4000-8000-000000000001',
      'x-shopify-triggered-at': '2026-01-06T12:00:00.000000000Z',
    },
  ),
  stripe: json({
    id: 'evt_1Example0001',
    object: 'event',
    api_version: '2023-10-16',
    created: 1767700800,
    type: 'checkout.session.completed',
    livemode: false,
    pending_webhooks: 1,
    data: {
      object: {
        id: 'cs_test_a1Example0001',
        object: 'checkout.session',
        amount_total: 19700,
        currency: 'brl',
        customer: 'cus_Example0001',
        customer_details: {
          address: { country: 'BR' },
          email: 'joao.hipotetico@example.com',
          name: 'João Hipotético',
          phone: '+5511900000014',
        },
        metadata: { utm_campaign: 'checkout' },
        payment_status: 'paid',
        status: 'complete',
      },
    },
  }),
  'standard-webhooks': json(
    {
      type: 'contact.created',
      timestamp: '2026-01-06T12:00:00Z',
      data: {
        id: 'contact-1',
        name: 'Bruna Figura',
        phone: '+5511900000015',
        email: 'bruna.figura@example.com',
        message: 'Hello, please call me.',
      },
    },
    { 'webhook-id': 'msg_example_0001', 'webhook-timestamp': '1767700800' },
  ),
};
