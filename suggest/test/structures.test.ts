// Structures in which people are found: lists of contact points, of fields and of texts, and XML elements with attributes.
import type { Payload } from '../../src/domain/mappings/mapping.ts';
import { anyFormatBody } from '../../src/producers/decode/body.ts';
import { suggestMapping } from '../suggest.ts';
import { readAsSuggested } from '../fitting/score.ts';

function payloadOf(body: unknown, contentType = 'application/json'): Payload {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const decoded = anyFormatBody.decodeBody({ contentType, body: Buffer.from(text) });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
  return { body: decoded.value, headers: {}, query: {} };
}

const read = (payload: Payload) => {
  const items = readAsSuggested([payload], payload, 'BR');
  return items.map(({ contact, message }) => {
    const { name, phone, email } = contact;
    return { name, phone, email, text: message.text };
  });
};

const ana = {
  name: 'Ana Souza',
  phone: '+5511900000701',
  email: 'ana@example.com',
  text: 'Quero uma demonstração',
};

test.each<[string, unknown]>([
  [
    'a list of contact points by system is the contact’s, not a list of items',
    {
      resourceType: 'Patient',
      id: 'pt-1',
      name: [{ use: 'official', family: 'Souza', given: ['Ana'] }],
      telecom: [
        { system: 'phone', value: ana.phone, use: 'mobile' },
        { system: 'email', value: ana.email },
      ],
      note: ana.text,
    },
  ],
  [
    'contact points without a type',
    {
      lead: { id: 'l-1', full_name: ana.name, message: ana.text },
      reach: [
        { at: ana.email, via: 'mail' },
        { at: ana.phone, via: 'tel' },
      ],
      phone: ana.phone,
      email: ana.email,
    },
  ],
  [
    'a root list of fields is one form',
    [
      { name: 'your-name', value: ana.name },
      { name: 'your-email', value: ana.email },
      { name: 'your-phone', value: ana.phone },
      { name: 'your-message', value: ana.text },
    ],
  ],
  [
    'questions and answers as q and a',
    {
      formName: 'Briefing',
      answers: [
        { q: 'Nome', a: ana.name },
        { q: 'E-mail', a: ana.email },
        { q: 'Telefone', a: ana.phone },
        { q: 'O que você precisa?', a: ana.text },
      ],
    },
  ],
  [
    'several addresses and numbers in one text',
    {
      person: {
        first_name: 'Ana',
        last_name: 'Souza',
        email_addresses: `${ana.email}; other@example.com`,
        phone_numbers: `${ana.phone} / +5511900000702`,
      },
      message: ana.text,
    },
  ],
  [
    'JSON in base64, as message queues push it',
    {
      message: {
        data: Buffer.from(
          JSON.stringify({ id: 'l-1', ...ana, text: undefined, message: ana.text }),
        ).toString('base64'),
        messageId: '136969346945',
        publishTime: '2026-01-06T12:00:00Z',
      },
      subscription: 'projects/p/subscriptions/s',
    },
  ],
  [
    'given and family names in a list',
    {
      contact: {
        id: 'c-1',
        names: [{ given: 'Ana', family: 'Souza' }],
        phones: [{ type: 'mobile', value: ana.phone }],
        mails: [{ address: ana.email }],
      },
      message: ana.text,
    },
  ],
])('%s', (_, body) => {
  expect(read(payloadOf(body))).toEqual([ana]);
});

test.each<[string, string]>([
  ['one element says what it is', '<name part="full">Ana Souza</name>'],
  [
    'each of several elements says what it is',
    '<name part="first">Ana</name><name part="last">Souza</name>',
  ],
])('an attribute of an XML element: %s', (_, name) => {
  const person = `${name}<email>${ana.email}</email><phone type="voice">${ana.phone}</phone>`;
  const vendor = '<vendor><name>Loja X</name><phone>+5511900000799</phone></vendor>';
  const xml = `<lead><contact>${person}</contact><comments>${ana.text}</comments>${vendor}</lead>`;
  expect(read(payloadOf(xml, 'application/xml'))).toEqual([ana]);
});

test('a batch of changes with a name and a value stays a batch', () => {
  const change = (propertyName: string, propertyValue: string) => ({
    eventId: 1,
    objectId: 7,
    propertyName,
    propertyValue,
  });
  const body = [change('email', ana.email), change('firstname', 'Ana')];
  expect(suggestMapping([payloadOf(body)]).mapping.split).toBe('@');
});

test('the name of a resource in a cloud is no event type', () => {
  const body = { Type: 'Notification', TopicArn: 'arn:aws:sns:us-east-1:123456789012:leads' };
  const { mapping } = suggestMapping([payloadOf({ ...body, Message: JSON.stringify(ana) })]);
  expect(mapping.eventType).not.toEqual({ path: 'TopicArn' });
});

test.each([
  { event: 'deal.won', id: 'd-1', value: 100 },
  { order_id: 'o-1' },
  { event: 'x', cnpj: '11222333000181' },
])('what is beside the items is of none of their people: %j', (beside) => {
  const bia = { name: 'Bia Lima', email: 'bia@example.com', phone: '+5511900000703' };
  const payload = payloadOf({ ...beside, people: [{ ...ana, text: undefined }, bia] });
  const contacts = readAsSuggested([payload], payload, 'BR').map(({ contact }) => contact);
  expect(contacts.map(({ email }) => email)).toEqual([ana.email, bia.email]);
  expect(contacts.map(({ externalId, document }) => externalId ?? document)).toEqual([null, null]);
});

test('the agent and the customer of a chat are no items, in any order', () => {
  const agent = { id: 'a-1', type: 'agent', name: 'Agente Um', email: 'agente@example.com' };
  const customer = { id: 'c-1', type: 'customer', name: ana.name, email: ana.email };
  for (const users of [
    [agent, customer],
    [customer, agent],
  ]) {
    const payload = payloadOf({ action: 'incoming_chat', chat: { users } });
    const contacts = readAsSuggested([payload], payload, 'BR').map(({ contact }) => contact);
    expect(contacts.map(({ name, email }) => [name, email])).toEqual([[ana.name, ana.email]]);
  }
});
