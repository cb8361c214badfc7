// A plain field of a webhook, from its creation to a configuration file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aChannel } from '../../support/context/builders.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { runCommandLine } from '../../support/processes/command.ts';
import { temporaryFolder } from '../../support/processes/inlet.ts';

const path = '/v1/admin/webhooks';
let api: TestApi;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let channelId: string;
beforeAll(async () => {
  [api, folder] = await Promise.all([createTestApi('plain_fields'), temporaryFolder()]);
  channelId = await aChannel(api);
});
afterAll(async () => {
  await api.close();
  await folder.remove();
});

const create = async (fields: object) => {
  const { body } = await api.ask('POST', path, { body: { name: 'CRM', channelId, ...fields } });
  return body.data as { id: string; starred: boolean };
};
const read = async (id: string) => (await api.ask('GET', `${path}/${id}`)).body.data;
const run = (args: string) =>
  runCommandLine(args.split(' '), {
    cwd: folder.path,
    env: { INLET_URL: api.url, INLET_TOKEN: adminToken },
  });

test('it is given at creation, changed alone, stored and audited', async () => {
  expect(await create({ name: 'Other' })).toMatchObject({ starred: false });
  const { id } = await create({ name: 'Starred', starred: true });
  expect(await read(id)).toMatchObject({ starred: true });
  await api.ask('PATCH', `${path}/${id}`, { body: { name: 'Renamed' } });
  expect(await api.stores.webhooks.get(id)).toMatchObject({ name: 'Renamed', starred: true });
  await api.ask('PATCH', `${path}/${id}`, { body: { starred: false } });
  expect(await read(id)).toMatchObject({ name: 'Renamed', starred: false });
  const { text } = await api.ask('GET', `/v1/admin/audit?action=webhook.update&targetId=${id}`);
  expect(text).toMatch(/"starred":(?:true|false)/);
});

test('a webhook that was stored before the field has the default', async () => {
  const { id } = await create({ name: 'Older', starred: true });
  const webhooks = api.connection.collection<{ _id: string }>('webhooks');
  await webhooks.updateOne({ _id: id }, { $unset: { starred: '' } });
  expect(await read(id)).toMatchObject({ starred: false });
});

test('a file has it after an export, and changes it when it is applied', async () => {
  const { id } = await create({ name: 'Exported', starred: true });
  expect(await run('export -f files')).toMatchObject({ code: 0 });
  const file = join(folder.path, 'files/webhooks/exported.yaml');
  expect(readFileSync(file, 'utf8')).toContain('starred: true');
  await api.ask('PATCH', `${path}/${id}`, { body: { starred: false } });
  expect((await run('apply -f files --dry-run')).stdout).toContain('starred: false → true');
  expect(await run('apply -f files --yes')).toMatchObject({ code: 0 });
  expect(await read(id)).toMatchObject({ starred: true });
});
