import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { getWebhook } from '../../../src/store/webhooks/webhooks.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_diff');
});
afterAll(() => api.close());

const lead = (id: string, over: object) => ({ id, at: '2026-01-06T12:00:00Z', lead: over });

async function diff(webhookId: string, body: object) {
  return api.ask('POST', `/v1/admin/webhooks/${webhookId}/mappings/diff`, { body });
}

test('a candidate is compared with the active version over the last events, field by field', async () => {
  const webhook = await api.addWebhook();
  const same = await api.send(webhook, lead('same', { phone: '+5511900000001', name: 'Ana' }));
  const changed = await api.send(
    webhook,
    lead('changed', { phone: '+5511900000002', name: 'Beto', nick: 'Bet' }),
  );
  const failing = await api.send(webhook, lead('failing', { phone: '+5511900000003' }));
  const passing = await api.send(webhook, lead('passing', { cpf: '529.982.247-25', name: 'Eva' }));
  const mapping = {
    ...leadMapping,
    contact: {
      ...leadMapping.contact,
      name: { first: [{ path: 'lead.nick' }, { path: 'lead.name' }], required: true },
      document: { path: 'lead.cpf' },
    },
  };
  const { status, body } = await diff(webhook._id, { mapping });
  expect(status).toBe(200);
  expect(body.data.counts).toEqual({ same: 1, changed: 1, newlyFailing: 1, newlyPassing: 1 });
  const byEvent = Object.fromEntries(
    body.data.items.map((item: { eventId: string }) => [item.eventId, item]),
  );
  expect(byEvent).not.toHaveProperty(same);
  expect(byEvent[changed]).toMatchObject({
    kind: 'changed',
    externalId: 'changed',
    item: null,
    changes: [{ target: 'contact.name', before: 'Beto', after: 'Bet' }],
  });
  expect(byEvent[failing]).toMatchObject({
    kind: 'newlyFailing',
    failure: { before: null, after: 'required_missing:contact.name' },
  });
  expect(byEvent[passing]).toMatchObject({
    kind: 'newlyPassing',
    failure: { before: 'contact_unidentified', after: null },
  });
});

test('only the last events are compared, and nothing is changed', async () => {
  const webhook = await api.addWebhook();
  for (const id of ['a', 'b', 'c']) await api.send(webhook, lead(id, { phone: '+5511900000001' }));
  const before = await getWebhook(api.stores, webhook._id);
  const { body } = await diff(webhook._id, { mapping: {}, last: 2 });
  expect(body.data.counts).toEqual({ same: 0, changed: 0, newlyFailing: 2, newlyPassing: 0 });
  expect(await getWebhook(api.stores, webhook._id)).toEqual(before);
});

test.each([
  [{ mapping: { eventId: { path: 'a[' } } }, 'invalid_mapping', '/mapping/eventId/path'],
  [{ mapping: {}, last: 0 }, 'invalid_field', '/last'],
  [{}, 'invalid_field', '/mapping'],
])('an invalid comparison is rejected: %j', async (body, code, path) => {
  const webhook = await api.addWebhook();
  const answer = await diff(webhook._id, body);
  expect(answer.status).toBe(422);
  expect(answer.body.data).toMatchObject({ code, fields: [{ path }] });
});
