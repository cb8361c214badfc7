// The built `inlet` command against a real installation: from the first use to an active webhook, and configuration as files.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import { temporaryFolder } from '../../support/processes/inlet.ts';
import { runCommandLine } from '../../support/processes/command.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

let inlet: Deployment;
let url = '';
let folder: Folder;
let env: Record<string, string> = {};
const folders: Folder[] = [];

beforeAll(async () => {
  inlet = await createDeployment('cli_configuration');
  url = (await inlet.start('server')).url ?? '';
  await inlet.start('worker');
});
afterAll(async () => {
  for (const one of folders) await one.remove();
  await inlet.close();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  folders.push(folder);
  env = { INLET_URL: url, INLET_TOKEN: adminToken };
});

const run = (args: string, input = '') =>
  runCommandLine(args.split(' '), { cwd: folder.path, env, input });

function write(name: string, text: string): void {
  const path = join(folder.path, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

const lead = {
  event_id: 'evt-1',
  lead: { name: 'Ana', phone: '+55 11 90000-0001' },
  text: 'Hello',
};

const shop = (name: string, more = '') => `
# yaml-language-server: $schema=./inlet.schema.json
channels:
  - name: ${name} desk
    kind: inbox
    settings: { region: BR }
webhooks:
  - name: ${name}
    channel: ${name} desk
    sample: lead.json
    mapping:
      eventId: { path: event_id }
      contact:
        name: { path: lead.name }
        phone: { path: lead.phone, transforms: [phone] }
      message:
        text: { path: text, transforms: [trim, { truncate: { length: 100 } }] }
${more}`;

function writeShop(name: string, more = ''): void {
  write('inlet/lead.json', JSON.stringify(lead));
  write('inlet/shop.yaml', shop(name, more));
}

const webhookNamed = async (name: string) => {
  const { results } = await inlet.client.call('listWebhooks', { query: { per_page: 200 } });
  const found = results.filter((one) => one.name === name && one.status !== 'archived');
  if (found.length !== 1 || !found[0])
    throw new Error(`${found.length} webhooks are named ${name}`);
  return found[0];
};

test('five commands lead from the first use to an event in an active webhook', async () => {
  env = { XDG_CONFIG_HOME: folder.path };
  writeShop('First');
  const signedIn = await run(`login ${url}`, `${adminToken}\n`);
  expect(signedIn).toMatchObject({ code: 0 });
  const config = join(folder.path, 'inlet/config.json');
  expect(statSync(config).mode & 0o777).toBe(0o600);

  const applied = await run('apply -f inlet --activate --yes --urls urls.jsonl');
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain('+ create webhook First');
  expect(statSync(join(folder.path, 'urls.jsonl')).mode & 0o777).toBe(0o600);
  const given = JSON.parse(readFileSync(join(folder.path, 'urls.jsonl'), 'utf8'));
  expect(given).toMatchObject({ webhook: 'First' });
  expect(applied.stdout + applied.stderr).not.toContain(given.url);

  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const versions = JSON.parse((await run('version --json')).stdout);
  expect(versions).toMatchObject({ command: version, server: version, url });
  const shown = await run('webhooks show First --json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'active', activeVersion: 1 });
  const listed = await run('webhooks ls');
  expect(listed.stdout).toMatch(/First +active +1 +First desk/);
  const sent = await run('send First -f inlet/lead.json --live --json', given.url);
  expect(sent).toMatchObject({ code: 0 });
  const { eventId } = JSON.parse(sent.stdout);
  expect(await inlet.client.settled(eventId)).toMatchObject({ state: 'done' });
});

test('a folder applied twice changes nothing the second time, and shows what a person changed on the server', async () => {
  writeShop(
    'Twice',
    `    settings:\n      rateLimit: { perSecond: 20 }\n      allowlist: [127.0.0.1]`,
  );
  expect(await run('apply -f inlet --activate --yes --urls urls')).toMatchObject({ code: 0 });
  const before = await webhookNamed('Twice');
  const second = await run('apply -f inlet --activate --yes');
  expect(second).toMatchObject({ code: 0, stdout: '' });
  expect(second.stderr).toContain('is as the files say');
  expect(await webhookNamed('Twice')).toEqual(before);
  expect(await run('apply -f inlet --dry-run --activate')).toMatchObject({ code: 0 });

  const params = { id: before.id };
  await inlet.client.call('updateWebhookSettings', {
    params,
    body: { rateLimit: { perSecond: 5 }, retries: { maxAttempts: 3 } },
  });
  await inlet.client.activate(before.id, { contact: { name: { path: 'lead.other' } } });
  const shown = await run('apply -f inlet --dry-run --activate');
  expect(shown.code).toBe(2);
  expect(shown.stdout).toContain('settings');
  expect(shown.stdout).toContain('rateLimit.perSecond: 5 → 20');
  expect(shown.stdout).toContain('retries.maxAttempts: 3 → removed');
  expect(shown.stdout).toContain('+ add mapping of webhook Twice');
  expect(shown.stdout).toContain('contact.name.path: lead.other → lead.name');
  expect(shown.stdout).toContain('! activate version of webhook Twice');
  const unchanged = await inlet.client.call('getWebhookSettings', { params });
  expect(unchanged.rateLimit).toMatchObject({ perSecond: 5 });

  expect(await run('apply -f inlet --activate --yes')).toMatchObject({ code: 0 });
  const { settings, activeVersion } = JSON.parse((await run('webhooks show Twice --json')).stdout);
  expect(settings).toMatchObject({ rateLimit: { perSecond: 20 }, retries: null });
  expect(activeVersion).toBe(3);
  expect(await run('apply -f inlet --dry-run --activate')).toMatchObject({ code: 0 });
});

test('what a file leaves out is not managed, and what is empty in it is removed', async () => {
  writeShop('Partly', '    settings: { rateLimit: { perSecond: 20 } }');
  expect(await run('apply -f inlet --activate --yes --urls urls')).toMatchObject({ code: 0 });
  const { id, channelId } = await webhookNamed('Partly');
  const params = { id };
  // What a person sets on the server.
  await inlet.client.call('updateWebhookNoticeRules', {
    params,
    body: { sender_silent: { enabled: false } },
  });
  const channel = { params: { id: channelId }, body: { enabled: false } };
  await inlet.client.call('updateChannel', channel);
  const rules = async () => (await inlet.client.call('getWebhookNoticeRules', { params })).rules;

  const partly = (fields: string) =>
    write(
      'inlet/shop.yaml',
      `channels:\n  - { name: Partly desk, kind: inbox }\nwebhooks:\n  - { name: Partly, channel: Partly desk${fields} }\n`,
    );
  partly('');
  const absent = await run('apply -f inlet --activate --yes');
  expect(absent).toMatchObject({ code: 0, stdout: '' });
  expect(await rules()).toEqual({ sender_silent: { enabled: false } });
  expect(await inlet.client.call('getWebhookSettings', { params })).toMatchObject({
    rateLimit: { perSecond: 20 },
  });

  partly(', noticeRules: {}, settings: {}');
  const empty = await run('apply -f inlet --yes');
  expect(empty.stdout).toContain('sender_silent.enabled: false → removed');
  expect(empty.stdout).toContain('settings.rateLimit.perSecond: 20 → removed');
  expect(await rules()).toEqual({});
  expect(await inlet.client.call('getWebhookSettings', { params })).toMatchObject({
    rateLimit: null,
  });
  expect(await inlet.client.call('getChannel', { params: { id: channelId } })).toMatchObject({
    enabled: false,
    settings: { region: 'BR' },
  });
});

test('an activation shows first what it does to the last events', async () => {
  writeShop('Effect');
  await run('apply -f inlet --activate --yes --urls urls');
  const { url: secret } = JSON.parse(readFileSync(join(folder.path, 'urls'), 'utf8'));
  const { data } = await inlet.client.deliver(secret.split('/').at(-1), lead);
  await inlet.client.settled(data.eventId ?? '');
  write('inlet/shop.yaml', shop('Effect').replace('path: text', 'path: lead.name'));
  const { code, stdout } = await run('apply -f inlet --activate --dry-run');
  expect(code).toBe(2);
  expect(stdout).toMatch(/Of the last \d+ results 0 would stay the same, \d+ would change/);
});

test('an apply that was cut off goes on when it is repeated', async () => {
  writeShop('Cut');
  // What a crash after the second step leaves.
  const { id: channelId } = await inlet.client.call('createChannel', {
    body: { name: 'Cut desk', kind: 'inbox' },
  });
  const { id } = await inlet.client.call('createWebhook', { body: { name: 'Cut', channelId } });
  expect(await run('apply -f inlet --activate --yes')).toMatchObject({ code: 0 });
  expect(await webhookNamed('Cut')).toMatchObject({ id, status: 'active' });
  expect(await run('apply -f inlet --activate --dry-run')).toMatchObject({ code: 0 });
});

test('a failed step names itself, and what was done before stays', async () => {
  writeShop('Half', '    settings: { signature: { scheme: nonsense, secrets: ["${env:HALF}"] } }');
  env.HALF = 'secret of the test';
  const { code, stderr } = await run('apply -f inlet --activate --yes --urls urls');
  expect(code).toBe(1);
  expect(stderr).toContain('Failed: change webhook Half');
  expect(stderr).toContain('/signature/scheme');
  writeShop('Half');
  expect(await run('apply -f inlet --activate --yes')).toMatchObject({ code: 0 });
  expect(await webhookNamed('Half')).toMatchObject({ status: 'active' });
});

test('secrets come from the environment alone, are shown nowhere, and are sent once', async () => {
  const secret = 'a-secret-that-nobody-may-see';
  const settings = (text: string) =>
    `    settings: { signature: { scheme: github, secrets: ["${text}"] } }`;
  writeShop('Signed', settings(secret));
  const literal = await run('apply -f inlet --yes --urls urls');
  expect(literal.code).toBe(3);
  expect(literal.stderr).toMatch(/shop\.yaml:\d+: .*write it as \$\{env:NAME\}/);

  writeShop('Signed', settings('${env:SIGNED_SECRET}'));
  const missing = await run('apply -f inlet --yes --urls urls');
  expect(missing).toMatchObject({ code: 3 });
  expect(missing.stderr).toContain('SIGNED_SECRET is not set');

  env.SIGNED_SECRET = secret;
  const applied = await run('apply -f inlet --yes --urls urls');
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain('signature.secrets: (1 set)');
  for (const { stdout, stderr } of [literal, missing, applied])
    expect(stdout + stderr).not.toContain(secret);
  delete env.SIGNED_SECRET;
  expect(await run('apply -f inlet --dry-run')).toMatchObject({ code: 0 });
  expect(await run('apply -f inlet --dry-run --secrets')).toMatchObject({ code: 3 });
  env.SIGNED_SECRET = 'another secret';
  expect(await run('apply -f inlet --secrets --yes')).toMatchObject({ code: 0 });
});

test('a renamed record is the same record, and a name that several records have is refused', async () => {
  writeShop('Old');
  await run('apply -f inlet --activate --yes --urls urls');
  const { id } = await webhookNamed('Old');
  const renamed = shop('New')
    .replace('- name: New desk', '- name: New desk\n    renamedFrom: Old desk')
    .replace('- name: New\n', '- name: New\n    renamedFrom: Old\n');
  write('inlet/shop.yaml', renamed);
  const { stdout } = await run('apply -f inlet --yes');
  expect(stdout).toContain('name: Old → New');
  expect(stdout).not.toContain('channel:');
  expect(await webhookNamed('New')).toMatchObject({ id, status: 'active' });
  expect(await run('apply -f inlet --dry-run')).toMatchObject({ code: 0 });
  await inlet.client.call('createChannel', { body: { name: 'New desk', kind: 'inbox' } });
  const { code, stderr } = await run('apply -f inlet --dry-run');
  expect([code, stderr]).toEqual([1, expect.stringContaining('several records named New desk')]);
});

test('every mistake of a folder is reported at once, with file and line', async () => {
  write(
    'inlet/a.yaml',
    'channels:\n  - name: One\n    kind: fax\n  - name: Two\n    kind: inbox\n    colour: red\n',
  );
  write(
    'inlet/b.yaml',
    'channels:\n  - name: Three\n    kind: inbox\n  - name: Three\n    kind: inbox\n',
  );
  write('inlet/c.yaml', 'webhooks: [\n');
  const { code, stderr } = await run('apply -f inlet --dry-run');
  expect(code).toBe(3);
  expect(stderr).toMatch(/a\.yaml:3: channels\.0\.kind must be/);
  expect(stderr).toMatch(/a\.yaml:\d+: channels\.1 has the unknown field colour/);
  expect(stderr).toMatch(/b\.yaml:4: the channel Three is also in .*b\.yaml:2/);
  expect(stderr).toMatch(/c\.yaml:\d+: /);
});

test('a sample that is not there is a mistake before anything is created', async () => {
  writeShop('Missing');
  rmSync(join(folder.path, 'inlet/lead.json'));
  const { code, stderr } = await run('apply -f inlet --yes --urls urls');
  expect([code, stderr]).toEqual([3, expect.stringContaining('lead.json cannot be read')]);
  await expect(webhookNamed('Missing')).rejects.toThrow('0 webhooks');
});

test('without a person a new URL needs a file, and a change needs --yes', async () => {
  writeShop('Asked');
  const noFile = await run('apply -f inlet --yes');
  expect([noFile.code, noFile.stderr]).toEqual([3, expect.stringContaining('--urls')]);
  const noAnswer = await run('apply -f inlet --urls urls');
  expect([noAnswer.code, noAnswer.stderr]).toEqual([6, expect.stringContaining('--yes')]);
  await expect(webhookNamed('Asked')).rejects.toThrow('0 webhooks');
});

test('an export is what apply accepts, and with --prune what is not in the files goes', async () => {
  const own = await createDeployment('cli_export');
  try {
    env.INLET_URL = (await own.start('server')).url ?? '';
    writeShop(
      'Kept',
      '    settings: { signature: { scheme: github, secrets: ["${env:KEPT}"] }, retention: { bodiesDays: 30 } }',
    );
    write(
      'inlet/extra.yaml',
      `
channels:
  - name: Outside
    kind: http
    enabled: false
    settings: { url: "https://example.com/hook", authorization: "Bearer \${env:KEPT}" }
  - { name: Gone desk, kind: inbox }
webhooks:
  - { name: Gone, channel: Gone desk }
`,
    );
    env.KEPT = 'secret';
    expect(await run('apply -f inlet --activate --yes --urls urls')).toMatchObject({ code: 0 });
    expect(await run('export -f exported')).toMatchObject({ code: 0 });
    expect(await run('export -f exported')).toMatchObject({ code: 3 });
    const file = readFileSync(join(folder.path, 'exported/webhooks/kept.yaml'), 'utf8');
    expect(file).toContain('# yaml-language-server: $schema=../inlet.schema.json');
    expect(file).toContain('${env:KEPT_SECRET_1}');
    expect(await run('apply -f exported --dry-run --activate --prune')).toMatchObject({ code: 0 });

    write('only-channels/channels.yaml', 'channels: [{ name: Outside, kind: http }]\n');
    const onlyChannels = await run('apply -f only-channels --dry-run --prune');
    expect(onlyChannels.stdout).toContain('- delete channel Gone desk');
    expect(onlyChannels.stdout).not.toMatch(/archive|notice|Outside/);

    rmSync(join(folder.path, 'exported/webhooks/gone.yaml'));
    const channels = readFileSync(join(folder.path, 'exported/channels.yaml'), 'utf8');
    write(
      'exported/channels.yaml',
      channels.replace(/ {2}- name: Gone desk\n {4}kind: inbox\n(?: {4}.*\n)*/, ''),
    );
    const { code, stdout } = await run('apply -f exported --prune --yes');
    expect(stdout).toContain('- archive webhook Gone');
    expect([code, stdout]).toEqual([0, expect.stringContaining('- delete channel Gone desk')]);
    expect(await run('apply -f exported --dry-run --prune')).toMatchObject({ code: 0 });
  } finally {
    await own.close();
  }
});

test('failures are one sentence and a documented exit code', async () => {
  const refused = await runCommandLine(['webhooks', 'ls'], {
    cwd: folder.path,
    env: { ...env, INLET_TOKEN: 'inlet_at_wrong' },
  });
  expect([refused.code, refused.stderr.split('\n').length]).toEqual([4, 2]);
  env.INLET_URL = 'http://127.0.0.1:1';
  const absent = await run('tokens ls');
  expect([absent.code, absent.stderr]).toEqual([5, expect.stringContaining('cannot be reached')]);
  const other = createServer((_request, response) => response.end('<html>'));
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  env.INLET_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (const args of ['version', 'webhooks ls']) {
    const wrong = await run(args);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'The address does not answer as Inlet does. Check it.\n',
    ]);
  }
  other.close();
  expect(await run('webhooks')).toMatchObject({ code: 3 });
  expect(await run('nonsense')).toMatchObject({ code: 3 });
  env = {};
  expect(await run('webhooks ls')).toMatchObject({ code: 4 });
});

test('the token of a context is not sent to another address', async () => {
  env = { XDG_CONFIG_HOME: folder.path };
  await run(`login ${url}`, adminToken);
  env.INLET_URL = 'http://127.0.0.1:1';
  const { code, stderr } = await run('webhooks ls');
  expect([code, stderr]).toEqual([4, expect.stringContaining('is not for')]);
});
