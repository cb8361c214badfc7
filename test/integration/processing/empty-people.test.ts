import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { updateWebhookSettings } from '../../../src/store/webhooks/webhooks.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('empty_people');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

async function strictWebhook(mapping?: MappingDocument, producerProfile = 'generic') {
  const webhook = await context.addWebhook(mapping);
  await updateWebhookSettings(
    context.stores,
    { webhook, given: { producerProfile, settings: {} } },
    actor,
  );
  return webhook;
}

const actor = { tokenId: 'test', name: 'test' };
const lead = (id: string, person: object) => ({ id, at: '2026-01-06T12:00:00Z', lead: person });
const ana = { id: 7, name: 'Ana Exemplo' };
const stateOf = async (id: string) => {
  const { state, reason = null } = (await context.stores.events.get(id)) ?? {};
  return { state, reason };
};

test('leads whose fields were renamed make no contact, and are dead until the mapping is fixed', async () => {
  const webhook = await strictWebhook();
  const ids: string[] = [];
  for (let n = 1; n <= 12; n += 1) {
    ids.push(await context.send(webhook, lead(`e${n}`, { id: n, fullName: 'Ana Exemplo' })));
  }
  await context.processEvents(ids);
  for (const id of ids) {
    expect(await stateOf(id)).toEqual({ state: 'dead', reason: 'person_empty' });
  }
  expect(await context.snapshot()).toMatchObject({ contacts: [], messages: 0 });
});

test('a placeholder is as empty as nothing, and a document makes no contact either', async () => {
  const webhook = await strictWebhook({
    eventId: { path: 'id' },
    contact: {
      name: { path: 'lead.name' },
      phone: { path: 'lead.phone' },
      email: { path: 'lead.email' },
      document: { path: 'lead.cpf' },
    },
  });
  const person = { name: 'null', phone: '(11) 99999-9999', email: 'n/a', cpf: '123.456.789-09' };
  const id = await context.send(webhook, lead('e1', person));
  await context.processEvents([id]);
  expect(await stateOf(id)).toEqual({ state: 'dead', reason: 'person_empty' });
  expect(await context.snapshot()).toMatchObject({ contacts: [] });
});

test('an event of a known contact changes it', async () => {
  const webhook = await strictWebhook();
  await context.processEvents([await context.send(webhook, lead('e1', ana))]);
  const id = await context.send(webhook, lead('e2', { id: 7, city: 'Recife' }));
  await context.processEvents([id]);
  expect(await stateOf(id)).toEqual({ state: 'done', reason: null });
  const { contacts } = await context.snapshot();
  expect(contacts).toMatchObject([
    { registers: { name: 'Ana Exemplo' }, fields: { city: 'Recife' } },
  ]);
});

test('within a set the order makes no difference', async () => {
  const webhook = await strictWebhook();
  const early = { ...lead('e1', { id: 7, city: 'Recife' }), at: '2026-01-05T12:00:00Z' };
  const ids = [await context.send(webhook, early), await context.send(webhook, lead('e2', ana))];
  await context.processEvents(ids);
  for (const id of ids) expect(await stateOf(id)).toEqual({ state: 'done', reason: null });
  expect((await context.snapshot()).contacts).toHaveLength(1);
});

test.each([
  ['the webhook allows it', { allowed: true }],
  ['one of the three is not mapped', { mapped: ['name', 'phone'] }],
] as const)('a contact is made when %s', async (_, given) => {
  const mapped = 'mapped' in given ? given.mapped : (['name', 'phone', 'email'] as const);
  const targets = mapped.map((target) => [target, { path: `lead.${target}` }]);
  const contact = { externalId: { path: 'lead.id' }, ...Object.fromEntries(targets) };
  const mapping = { eventId: { path: 'id' }, contact };
  const webhook =
    'allowed' in given ? await context.addWebhook(mapping) : await strictWebhook(mapping);
  const id = await context.send(webhook, lead('e1', { id: 7 }));
  await context.processEvents([id]);
  expect(await stateOf(id)).toEqual({ state: 'done', reason: null });
  expect((await context.snapshot()).contacts).toHaveLength(1);
});

test('a producer that sends the fields of a person one by one makes a contact of the first event', async () => {
  const { split: _, ...mapping } = producerOf('hubspot').starterMapping;
  const webhook = await strictWebhook(mapping, 'hubspot');
  const created = {
    objectId: 51,
    portalId: 1,
    subscriptionId: 2,
    eventId: 3,
    occurredAt: 1_767_700_800_000,
  };
  const id = await context.send(webhook, created);
  await context.processEvents([id]);
  expect(await stateOf(id)).toEqual({ state: 'done', reason: null });
});
