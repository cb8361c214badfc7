import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('former_identities');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const mapping = {
  eventId: { path: 'id' },
  eventType: { path: 'type' },
  contact: {
    externalId: { path: 'person' },
    name: { path: 'name' },
    email: { path: 'email' },
    former: { externalId: { path: 'merged' }, email: { path: 'old_email' } },
  },
};

async function process(webhook: Webhook, ...bodies: object[]) {
  const contactIds: (string | undefined)[] = [];
  for (const body of bodies) {
    const id = await context.send(webhook, body);
    await context.processEvents([id]);
    contactIds.push((await context.stores.events.get(id))?.effects?.contactId);
  }
  return contactIds;
}

test('a person with another id and another address stays one contact, and former values are not shown', async () => {
  const webhook = await context.addWebhook(mapping);
  const contactIds = await process(
    webhook,
    { id: 'e1', person: 51, name: 'Ana Exemplo', email: 'old@example.com' },
    { id: 'e2', person: 77, merged: [51, 52] },
    { id: 'e3', person: 77, email: 'new@example.com', old_email: 'old@example.com' },
    { id: 'e4', person: 52 },
    { id: 'e5', email: 'new@example.com' },
  );
  expect(contactIds[0]).toBeDefined();
  expect(new Set(contactIds).size).toBe(1);
  const { contacts } = await context.snapshot();
  expect(contacts).toMatchObject([
    { registers: { externalId: '52', name: 'Ana Exemplo', email: 'new@example.com' } },
  ]);
});

test('in one set the order of the receipts decides, as one by one', async () => {
  const webhook = await context.addWebhook(mapping);
  const ids = [
    await context.send(webhook, { id: 'e1', person: 51, name: 'Ana Exemplo' }),
    await context.send(webhook, { id: 'e2', person: 77, merged: [51] }),
    await context.send(webhook, { id: 'e3', person: 77, name: 'Ana Maria' }),
  ];
  await context.processEvents(ids);
  const { contacts } = await context.snapshot();
  expect(contacts).toMatchObject([{ registers: { externalId: '77', name: 'Ana Maria' } }]);
});

test('an event that names two contacts merges neither, and records the conflict', async () => {
  const webhook = await context.addWebhook(mapping);
  const [one, other, merged] = await process(
    webhook,
    { id: 'e1', person: 51, name: 'Ana' },
    { id: 'e2', person: 52, name: 'Bruno' },
    { id: 'e3', person: 51, merged: [52] },
  );
  expect(other).not.toBe(one);
  expect(merged).toBe(one);
  const { contacts, conflicts } = await context.snapshot();
  expect(contacts).toHaveLength(2);
  expect(conflicts).toBe(1);
});

test('a request to remove a person makes no contact and no chat', async () => {
  const webhook = await context.addWebhook(mapping);
  const id = await context.send(webhook, {
    id: 'e1',
    type: 'customers/redact',
    person: 51,
    email: 'ana@example.com',
  });
  await context.processEvents([id]);
  const event = await context.stores.events.get(id);
  expect(event).toMatchObject({ state: 'ignored', reason: 'removal_requested', effects: null });
  expect(await context.snapshot()).toMatchObject({ contacts: [], messages: 0 });
});
