// Notices as files, and changes of others between the difference and apply, with the built `inlet`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommandLine } from '../../support/processes/command.ts';
import { temporaryFolder } from '../../support/processes/inlet.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';

let inlet: Deployment;
let url = '';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const secret = 'whsec_bm90aWNlcyBhcmUgc2lnbmVkIHdpdGggdGhpcw==';

beforeAll(async () => {
  inlet = await createDeployment('cli_notices');
  url = (await inlet.start('server')).url ?? '';
  folder = await temporaryFolder();
});
afterAll(async () => {
  await inlet.close();
  await folder.remove();
});

const run = (args: string, env: Record<string, string> = {}) =>
  runCommandLine(args.split(' '), {
    cwd: folder.path,
    env: { INLET_URL: url, INLET_TOKEN: adminToken, NOTICE_SECRET: secret, ...env },
  });

function write(name: string, text: string): void {
  const path = join(folder.path, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

const notices = `
channels:
  - { name: Desk, kind: inbox }
webhooks:
  - name: CRM
    channel: Desk
    noticeRules: { sender_silent: { enabled: false } }
noticeRules:
  backlog_late: { minutes: 15 }
noticeTargets:
  - name: On call
    kind: webhook
    settings: { url: "https://alerts.example.com/inlet", signingSecret: "\${env:NOTICE_SECRET}" }
    quietHours: { zone: America/Sao_Paulo, from: "22:00", to: "07:00" }
  - name: CRM team
    kind: slack
    webhook: CRM
    kinds: [first_dead, sender_silent]
    enabled: false
    settings: { url: "\${env:SLACK_URL}" }
`;
const slackUrl = 'https://hooks.slack.example.com/services/T/B/secret-part';

const targetNamed = async (name: string) => {
  const { results } = await inlet.client.call('listNoticesTargets', { query: {} });
  const found = results.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is missing`);
  return found;
};

test('notice targets and rules are applied once, shown when a person changes them, and exported', async () => {
  write('files/inlet.yaml', notices);
  const env = { SLACK_URL: slackUrl };
  const applied = await run('apply -f files --yes --urls urls', env);
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain('+ create notice target On call');
  expect(applied.stdout + applied.stderr).not.toContain('secret-part');
  expect(await targetNamed('CRM team')).toMatchObject({ enabled: false, secretsSet: ['url'] });
  const second = await run('apply -f files --dry-run');
  expect(second).toMatchObject({ code: 0, stdout: '' });

  const { id } = await targetNamed('On call');
  // The file does not have the language, so it is not managed.
  await inlet.client.call('updateNoticesTarget', {
    params: { id },
    body: { language: 'es', quietHours: null, settings: { timeoutSeconds: 5 } },
  });
  await inlet.client.call('updateNoticesRules', { body: { key_ending: { hours: 5 } } });
  const shown = await run('apply -f files --dry-run');
  expect(shown.code).toBe(2);
  expect(shown.stdout).toContain('quietHours');
  expect(shown.stdout).not.toContain('language');
  expect(shown.stdout).toContain('settings.timeoutSeconds: 5 → removed');
  expect(shown.stdout).toContain('~ change notice rules of the installation');
  expect(shown.stdout).toContain('key_ending.hours: 5 → removed');
  expect(await run('apply -f files --yes')).toMatchObject({ code: 0 });
  expect(await targetNamed('On call')).toMatchObject({
    language: 'es',
    quietHours: { zone: 'America/Sao_Paulo' },
    secretsSet: ['signingSecret'],
  });

  expect(await run('export -f exported')).toMatchObject({ code: 0 });
  const text = readFileSync(join(folder.path, 'exported/notices.yaml'), 'utf8');
  expect(text).toContain('signingSecret: ${env:ON_CALL_SIGNINGSECRET}');
  expect(text).toContain('webhook: CRM');
  expect(await run('apply -f exported --dry-run --prune')).toMatchObject({ code: 0, stdout: '' });
});

test('a secret of a notice target that stands in a file is a mistake, and so are two places for the rules', async () => {
  write('wrong/a.yaml', notices.replace('${env:SLACK_URL}', slackUrl));
  write('wrong/b.yaml', 'noticeRules: { first_dead: { enabled: false } }\n');
  const { code, stderr } = await run('apply -f wrong --dry-run');
  expect(code).toBe(3);
  expect(stderr).toMatch(/a\.yaml:\d+: .*write it as \$\{env:NAME\}/);
  expect(stderr).not.toContain('secret-part');
  write('wrong/a.yaml', notices);
  expect((await run('apply -f wrong --dry-run')).stderr).toContain('notice rules');
});

/** Passes requests on; before the first one that matches, somebody else makes a change. */
async function passOn(matches: (line: string) => boolean, change: () => Promise<unknown>) {
  let isDone = false;
  const lines: string[] = [];
  const server: Server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    lines.push(`${method} ${path}`);
    const isNow = !isDone && matches(`${method} ${path}`);
    isDone ||= isNow;
    void (isNow ? change() : Promise.resolve()).then(() => {
      const onward = send(new URL(path, url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, lines };
}

const ownLine = 'signingSecret: "${env:NOTICE_SECRET}"';

test.each([
  ['before the record is read again', 'GET'],
  ['between that and the change', 'PATCH'],
])('apply does not overwrite what somebody changes %s', async (_when, method) => {
  write('files/inlet.yaml', notices.replace(ownLine, `${ownLine}, timeoutSeconds: 12`));
  const { id } = await targetNamed('On call');
  const change = (seconds: number | null) =>
    inlet.client.call('updateNoticesTarget', {
      params: { id },
      body: { settings: { timeoutSeconds: seconds } },
    });
  await change(null);
  const proxy = await passOn(
    (line) => line === `${method} /v1/admin/notices/targets/${id}`,
    () => change(7),
  );
  try {
    const { code, stderr } = await run('apply -f files --yes', { INLET_URL: proxy.url });
    expect([code, stderr]).toEqual([7, expect.stringContaining('it changed on the server')]);
    expect(await targetNamed('On call')).toMatchObject({ settings: { timeoutSeconds: 7 } });
  } finally {
    proxy.server.close();
  }
  const shown = await run('apply -f files --dry-run');
  expect(shown.stdout).toContain('settings.timeoutSeconds: 7 → 12');
});

test('an activation stops when somebody activated another version in between', async () => {
  const mapping = `    mapping:\n      contact: { name: { path: name } }\n      message: { text: { path: text } }\n    sample: lead.json\n`;
  write('active/lead.json', '{"name":"Ana","text":"Hello"}');
  write('active/inlet.yaml', `webhooks:\n  - name: CRM\n    channel: Desk\n${mapping}`);
  const { results } = await inlet.client.call('listWebhooks', { query: { name: ['CRM'] } });
  const id = results[0]?.id ?? '';
  const other = { contact: { name: { path: 'name' } } };
  const proxy = await passOn(
    (line) => line.startsWith(`POST /v1/admin/webhooks/${id}/mappings/`),
    () => inlet.client.activate(id, other),
  );
  try {
    const { code, stderr } = await run('apply -f active --yes --activate', {
      INLET_URL: proxy.url,
    });
    expect([code, stderr]).toEqual([7, expect.stringContaining('activate version of webhook CRM')]);
  } finally {
    proxy.server.close();
  }
});

test('an activation leaves a paused webhook paused, and says so', async () => {
  const { results } = await inlet.client.call('listWebhooks', { query: { name: ['CRM'] } });
  const params = { id: results[0]?.id ?? '' };
  await inlet.client.call('pauseWebhook', { params });
  const { stdout } = await run('apply -f active --yes --activate');
  expect(stdout).toContain('It stays paused');
  expect(stdout).not.toContain('resumes it');
  const { activeVersion, status } = await inlet.client.call('getWebhook', { params });
  expect(status).toBe('paused');
  expect(activeVersion).toBeGreaterThan(results[0]?.activeVersion ?? Infinity);
});

test('each secret of an export is another variable, also where names differ in signs only', async () => {
  const settings = { url: 'https://example.com/hook', authorization: 'Bearer of this one' };
  for (const name of ['Loja 1', 'Loja-1', '東京', '大阪']) {
    await inlet.client.call('createChannel', { body: { name, kind: 'http', settings } });
  }
  expect(await run('export -f twins')).toMatchObject({ code: 0 });
  const channels = readFileSync(join(folder.path, 'twins/channels.yaml'), 'utf8');
  const variables = channels.match(/\$\{env:\w+\}/g) ?? [];
  expect(variables).toHaveLength(4);
  expect(new Set(variables).size).toBe(4);
  expect(await run('apply -f twins --dry-run')).toMatchObject({ code: 0 });
});

test('no other record changes the variable of a secret in an export', async () => {
  const settings = { url: 'https://example.com/hook', authorization: 'Bearer of this one' };
  const add = (name: string) =>
    inlet.client.call('createChannel', { body: { name, kind: 'http', settings } });
  const variablesOf = async (target: string, names: readonly string[]) => {
    expect(await run(`export -f ${target}`)).toMatchObject({ code: 0 });
    const text = readFileSync(join(folder.path, target, 'channels.yaml'), 'utf8');
    return names.map((name) => text.split(`name: ${name}\n`)[1]?.split('${env:')[1]?.split('}')[0]);
  };
  const first = await add('Filial 1');
  await add('Filial-1');
  const before = await variablesOf('before', ['Filial 1', 'Filial-1']);
  expect(before[0]).toBe('FILIAL_1_AUTHORIZATION');
  await add('Filial.1');
  expect(await variablesOf('added', ['Filial 1', 'Filial-1'])).toEqual(before);
  await inlet.client.call('deleteChannel', { params: { id: first.id } });
  expect(await variablesOf('deleted', ['Filial-1'])).toEqual([before[1]]);
});

test('an export names files of before that apply would read too, and apply reads one for each of many webhooks', async () => {
  const { results } = await inlet.client.call('listWebhooks', { query: { name: ['CRM'] } });
  const params = { id: results[0]?.id ?? '' };
  const first = await run('export -f renamed');
  expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Apply also reads') });
  await inlet.client.call('updateWebhook', { params, body: { name: 'CRM of today' } });
  const second = await run('export -f renamed --force');
  await inlet.client.call('updateWebhook', { params, body: { name: 'CRM' } });
  expect(second.stderr).toContain(
    `Apply also reads what was not written now: ${join('renamed', 'webhooks', 'crm.yaml')}.`,
  );

  for (let n = 0; n < 2_100; n += 1) write(`many/${n}.yaml`, '{}');
  expect(await run('apply -f many --dry-run')).toMatchObject({ code: 0 });
});

test('an archived webhook stays archived: its file creates a new one and says so, and the export names it', async () => {
  write('archive/inlet.yaml', 'webhooks:\n  - { name: Old, channel: Desk }\n');
  expect(await run('apply -f archive --yes --urls urls')).toMatchObject({ code: 0 });
  const { results } = await inlet.client.call('listWebhooks', { query: { name: ['Old'] } });
  await inlet.client.call('archiveWebhook', { params: { id: results[0]?.id ?? '' } });
  const { code, stdout } = await run('apply -f archive --dry-run');
  expect([code, stdout]).toEqual([2, expect.stringContaining('An archived webhook has this name')]);
  const exported = await run('export -f without-archived');
  expect(exported.stderr).toContain('Left out, because they are archived: Old.');
});

test('the calls of an export and of an apply do not grow with each webhook', async () => {
  const channel = await inlet.client.call('createChannel', {
    body: { name: 'Many', kind: 'inbox' },
  });
  const created = Array.from({ length: 20 }, (_, index) =>
    inlet.client.call('createWebhook', {
      body: { name: `Many ${index}`, channelId: channel.id },
    }),
  );
  await Promise.all(created);
  const proxy = await passOn(
    () => false,
    () => Promise.resolve(),
  );
  try {
    const env = { INLET_URL: proxy.url };
    expect(await run('export -f many', env)).toMatchObject({ code: 0 });
    expect(await run('apply -f many --dry-run --prune', env)).toMatchObject({ code: 0 });
  } finally {
    proxy.server.close();
  }
  expect(proxy.lines.length).toBeLessThanOrEqual(10);
});
