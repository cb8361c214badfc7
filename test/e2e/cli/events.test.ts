// The built `inlet` command beside a running installation: sending, following, forwarding and replaying events.
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForValue } from '../../support/processes/client.ts';
import { freePort, temporaryFolder } from '../../support/processes/inlet.ts';
import { runCommandLine, startCommand } from '../../support/processes/command.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let inlet: Deployment;
let port = 0;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string> = {};

const startServer = () => inlet.start('server', { INLET_PORT: String(port) });

beforeAll(async () => {
  inlet = await createDeployment('cli_events');
  port = await freePort();
  await startServer();
  await inlet.start('worker');
  folder = await temporaryFolder();
  env = { INLET_URL: `http://127.0.0.1:${port}`, INLET_TOKEN: adminToken };
});
afterAll(async () => {
  await inlet.close();
  await folder.remove();
});

const run = (args: string, more: Record<string, string> = {}, input = '') =>
  runCommandLine(args.split(' '), { cwd: folder.path, env: { ...env, ...more }, input });
const start = (args: string) => startCommand(args.split(' '), { cwd: folder.path, env });

const lead = (id: string) => ({
  id,
  text: 'hello',
  lead: { name: 'Ana', phone: '+5511900000001' },
});

type Seen = {
  readonly body: string;
  readonly headers: Record<string, unknown>;
  readonly url: string;
};

/** A developer's machine that keeps what it receives. */
async function listenLocally(): Promise<{ seen: Seen[]; server: Server; url: string }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '' } = request;
      seen.push({ body: Buffer.concat(chunks).toString(), headers, url });
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { seen, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

test('a file is sent as a test event, and with --live to the secret URL, signed as the webhook expects', async () => {
  const webhook = await inlet.client.addActiveWebhook(leadMapping);
  await inlet.client.call('updateWebhook', { params: { id: webhook.id }, body: { name: 'Sent' } });
  writeFileSync(join(folder.path, 'lead.json'), JSON.stringify(lead('cli-1')));
  const tested = await run('send Sent -f lead.json --json');
  expect([tested.code, JSON.parse(tested.stdout)]).toEqual([
    0,
    expect.objectContaining({ state: 'done' }),
  ]);

  const live = await run('send Sent -f lead.json --live --json', {}, `${webhook.url}\n`);
  const sent = JSON.parse(live.stdout);
  expect(sent).toMatchObject({ mode: 'event', duplicate: false, attempts: 1 });
  expect(await inlet.client.settled(sent.eventId)).toMatchObject({ test: false, state: 'done' });

  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signature = { scheme: 'standard-webhooks', secrets: [secret] };
  await inlet.client.call('updateWebhookSettings', {
    params: { id: webhook.id },
    body: { signature },
  });
  writeFileSync(join(folder.path, 'lead.json'), JSON.stringify(lead('cli-2')));
  const url = { INLET_WEBHOOK_URL: webhook.url };
  const unsigned = await run('send Sent -f lead.json --live --no-sign', url);
  expect([unsigned.code, unsigned.stderr]).toEqual([
    1,
    expect.stringContaining('invalid_signature'),
  ]);
  const missing = await run('send Sent -f lead.json --live', url);
  expect([missing.code, missing.stderr]).toEqual([
    3,
    expect.stringContaining('INLET_WEBHOOK_SECRET'),
  ]);
  const scheme = {
    kind: 'hmac',
    header: 'x-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'sha256=',
    signed: '{body}',
  } as const;
  const own = { signature: { scheme, secrets: ['the secret'] } };
  await inlet.client.call('updateWebhookSettings', { params: { id: webhook.id }, body: own });
  const both = `${webhook.url}\nthe secret\n`;
  const signed = await run('send Sent -f lead.json --live --json', {}, both);
  expect([signed.code, JSON.parse(signed.stdout)]).toEqual([
    0,
    expect.objectContaining({ mode: 'event' }),
  ]);
  const elsewhere = { INLET_WEBHOOK_URL: 'http://127.0.0.1:1/v1/webhook/x' };
  expect(await run('send Sent -f lead.json --live', elsewhere)).toMatchObject({ code: 3 });
});

test('what a producer sends is sent as a test event, and with --live signed as that producer signs', async () => {
  const { producers } = await inlet.client.call('getProducers', {});
  for (const { name, starterMapping, signature } of producers) {
    if (!['hubspot', 'kommo', 'mailgun', 'twilio'].includes(name)) continue;
    const webhook = await inlet.client.addActiveWebhook(leadMapping);
    const params = { id: webhook.id };
    await inlet.client.call('updateWebhookSettings', {
      params,
      body: {
        producerProfile: name as 'hubspot',
        signature: signature ? { secrets: ['what both know'] } : null,
      },
    });
    await inlet.client.activate(webhook.id, starterMapping as never);
    const tested = await run(`send ${webhook.id} --as ${name} --json`);
    expect([name, tested.code, JSON.parse(tested.stdout)]).toEqual([
      name,
      0,
      expect.objectContaining({ state: 'done' }),
    ]);
    const env = { INLET_WEBHOOK_URL: webhook.url, INLET_WEBHOOK_SECRET: 'what both know' };
    const live = await run(`send ${webhook.id} --as ${name} --live --json`, env);
    expect([name, live.code, live.stderr]).toEqual([name, 0, '']);
    const { eventId } = JSON.parse(live.stdout);
    // An answer in a producer's own words has no id.
    if (eventId !== null)
      expect(await inlet.client.settled(eventId)).toMatchObject({ state: 'done' });
  }
  const { id } = await inlet.client.addWebhook();
  const unknown = await run(`send ${id} --as nobody`);
  expect([unknown.code, unknown.stderr]).toEqual([
    3,
    expect.stringContaining('There are: generic'),
  ]);
  expect(await run(`send ${id} --as hubspot -f x`)).toMatchObject({ code: 3 });
});

test('tail and forward go on after a restart and a crash of the server under load: nothing is missed, nothing comes twice', async () => {
  const webhook = await inlet.client.addActiveWebhook(leadMapping);
  const local = await listenLocally();
  const forward = start(`forward ${webhook.id} --to ${local.url}?own=1`);
  const tail = start(`tail --webhook ${webhook.id} --state done --json`);
  await waitForValue(
    'both follow',
    () =>
      (forward.stderr().includes('Forwarding') && tail.stderr().includes('Following')) || undefined,
  );

  const accepted: { id: string; text: string }[] = [];
  const sendOne = async (number: number) => {
    const id = `f-${number}`;
    const text = `{ "id":"${id}",  "text": "hello", "lead": { "name": "Ana", "phone": "+5511900000001" } }`;
    const response = await fetch(`http://127.0.0.1:${port}/v1/webhook/${webhook.key}?n=${number}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-crm-signature': createHmac('sha256', 'k').update(text).digest('hex'),
      },
      body: text,
    }).catch(() => null);
    if (response?.ok) accepted.push({ id, text });
    await response?.text();
  };
  let next = 0;
  const load = async (count: number) => {
    for (const last = next + count; next < last; next += 4) {
      await Promise.all([0, 1, 2, 3].map((more) => sendOne(next + more)));
    }
  };
  await load(200);
  for (const end of ['stop', 'kill'] as const) {
    const server = inlet.roles('server').find(({ isRunning }) => isRunning());
    const [ended] = [server?.[end](), await load(40)];
    await ended;
    await startServer();
    await load(200);
  }
  expect(accepted.length).toBeGreaterThan(500);

  // A request that was cut off by the restart may be stored without an answer.
  const { pagings } = await inlet.client.call('listEvents', {
    query: { webhookId: [webhook.id], per_page: 1 },
  });
  await waitForValue('all are forwarded', () => local.seen.length >= pagings.total || undefined);
  const done = () =>
    tail
      .stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).event.externalId as string);
  await waitForValue('all are done', () => {
    const ids = new Set(done());
    return accepted.every(({ id }) => ids.has(id)) || undefined;
  });
  forward.interrupt();
  tail.interrupt();
  expect((await forward.ended).code).toBe(0);
  expect((await tail.ended).code).toBe(0);

  const bodies = local.seen.map(({ body }) => body);
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(bodies).toEqual(expect.arrayContaining(accepted.map(({ text }) => text)));
  expect(bodies).toHaveLength(pagings.total);
  expect(new Set(done()).size).toBe(done().length);
  expect(done()).toEqual(expect.arrayContaining(accepted.map(({ id }) => id)));
  const first = local.seen.find(({ url }) => url.includes('n=0'));
  const signature = createHmac('sha256', 'k')
    .update(first?.body ?? '')
    .digest('hex');
  expect(first).toMatchObject({
    url: '/hook?own=1&n=0',
    headers: { 'x-crm-signature': signature },
  });
  local.server.close();
});

test('dead letters are listed with what to do, and replayed after their number is shown', async () => {
  const webhook = await inlet.client.addActiveWebhook({
    ...leadMapping,
    contact: { phone: { path: 'lead.mobile', required: true } },
  });
  const { data } = await inlet.client.deliver(webhook.key, lead('dead-1'));
  await inlet.client.settled(data.eventId ?? '');
  const [group] = JSON.parse((await run(`dead --webhook ${webhook.id} --json`)).stdout);
  expect(group).toMatchObject({ count: 1, action: { code: 'fix_mapping' } });
  expect((await run(`event ${data.eventId}`)).stdout).toContain(group.reason);
  await inlet.client.activate(webhook.id, leadMapping);
  const asked = await run(`replay --webhook ${webhook.id}`);
  expect([asked.code, asked.stderr]).toEqual([6, expect.stringContaining('1 events match')]);
  expect(await run(`replay --webhook ${webhook.id} --yes`)).toMatchObject({ code: 0 });
  expect(await inlet.client.settled(data.eventId ?? '', ['done'])).toMatchObject({ state: 'done' });
});

test('rejections are listed, and a rotated key goes to a file that only its owner reads', async () => {
  const webhook = await inlet.client.addActiveWebhook(leadMapping);
  await fetch(webhook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '[',
  });
  await waitForValue(
    'the rejection is kept',
    async () =>
      (await run(`rejections ${webhook.id}`)).stdout.includes('malformed_json') || undefined,
  );
  expect(await run(`keys rotate ${webhook.id} --yes`)).toMatchObject({ code: 3 });
  expect(await run(`keys rotate ${webhook.id} --yes --urls rotated`)).toMatchObject({ code: 0 });
  const file = join(folder.path, 'rotated');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { url } = JSON.parse(readFileSync(file, 'utf8'));
  expect(url).not.toBe(webhook.url);
  expect(
    (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(lead('r-1')),
      })
    ).status,
  ).toBe(200);
});
