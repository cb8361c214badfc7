// Webhooks with everything that configuration files describe, in one list.
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

const path = '/v1/admin/webhooks';
let api: TestApi;
beforeAll(async () => {
  api = await createTestApi('http_configurations');
});
afterAll(() => api.close());

test('each webhook has its settings without secrets, its own rules, and the active and the newest mapping', async () => {
  const channelId = await aChannel(api);
  const bare = await aWebhook(api, { name: 'Bare', channelId });
  const full = await aWebhook(api, { name: 'Full', channelId, mapping: leadMapping });
  const signature = { scheme: 'github', secrets: ['a secret of the test'] };
  await api.ask('PATCH', `${full.path}/settings`, { body: { signature } });
  const rules = { sender_silent: { enabled: false } };
  await api.ask('PATCH', `${full.path}/notice-rules`, { body: rules });
  const newer = { ...leadMapping, contact: { name: { path: 'lead.name' } } };
  await api.ask('POST', `${full.path}/mappings`, { body: { mapping: newer } });

  const asked = await api.ask('GET', `${path}/configurations?sort_by=createdAt`);
  expect(asked.text).not.toContain('a secret of the test');
  const read = async (part: string) => (await api.ask('GET', part)).body.data;
  expect(asked.body.data.results).toEqual([
    {
      webhook: await read(bare.path),
      settings: await read(`${bare.path}/settings`),
      noticeRules: {},
      active: null,
      newest: null,
    },
    {
      webhook: await read(full.path),
      settings: await read(`${full.path}/settings`),
      noticeRules: rules,
      active: await read(`${full.path}/mappings/1`),
      newest: await read(`${full.path}/mappings/2`),
    },
  ]);
  expect(asked.body.data.results[1].settings.signature.secretsSet).toBe(1);
  const named = await api.ask('GET', `${path}/configurations?name=Full&per_page=50`);
  expect(named.body.data.pagings).toMatchObject({ total: 1, per_page: 50 });
});

test('a page has at most 50', async () => {
  const { status } = await api.ask('GET', `${path}/configurations?per_page=51`);
  expect(status).toBe(400);
});
