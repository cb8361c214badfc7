// A webhook moves to another installation: its configuration and its URL, which its sender keeps.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/processes/inlet.ts';
import { runCommandLine } from '../../support/processes/command.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let [from, to]: (Deployment | undefined)[] = [];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(join(folder.path, 'inlet'));
});
afterAll(async () => {
  await folder.remove();
  await from?.close();
  await to?.close();
});

test('an export with keys, applied to another installation, lets the old URL post there', async () => {
  from = await createDeployment('cli_moved_from');
  to = await createDeployment('cli_moved_to');
  const { url: fromUrl = '' } = await from.start('server');
  const { url: toUrl = '' } = await to.start('server');
  await to.start('worker');
  const run = (args: string, url: string) =>
    runCommandLine(args.split(' '), {
      cwd: folder.path,
      env: { INLET_URL: url, INLET_TOKEN: adminToken },
    });
  const { key, id } = await from.client.addActiveWebhook(leadMapping);
  const lead = { id: 'm-1', text: 'hello', lead: { name: 'Ana', phone: '+5511900000001' } };

  expect(await run('export -f inlet --keys', fromUrl)).toMatchObject({ code: 0 });
  const file = join(folder.path, 'inlet/webhooks/leads.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(`lastFour: ${key.slice(-4)}`);
  writeFileSync(file, text.replace('- name: Leads', '- name: Leads\n    sample: lead.json'));
  writeFileSync(join(folder.path, 'inlet/webhooks/lead.json'), JSON.stringify(lead));
  const applied = await run('apply -f inlet --activate --yes --urls urls', toUrl);
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain(`ends with ${key.slice(-4)}`);
  expect(await run('apply -f inlet --activate --yes', toUrl)).toMatchObject({
    code: 0,
    stdout: '',
  });

  const { data } = await to.client.deliver(key, lead);
  expect(await to.client.settled(data.eventId ?? '')).toMatchObject({ state: 'done' });
  // The source is as its files say: nothing is imported there.
  expect(await run('apply -f inlet --activate --yes', fromUrl)).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect(
    JSON.stringify([applied, await from.client.call('getWebhook', { params: { id } })]),
  ).not.toContain(key);
  expect(readFileSync(join(folder.path, 'urls'), 'utf8')).not.toContain(key);
});
