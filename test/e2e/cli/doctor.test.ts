// doctor and backup verify find what is wrong, and say what to do.
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForValue } from '../../support/processes/client.ts';
import { temporaryFolder } from '../../support/processes/inlet.ts';
import { runCommandLine } from '../../support/processes/command.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { createProxy } from '../../support/services/proxy.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let inlet: Deployment;
let env: Record<string, string> = {};
let ops = '';

beforeAll(async () => {
  inlet = await createDeployment('cli_doctor');
  const { url = '', opsUrl } = await inlet.start('server');
  env = { INLET_URL: url, INLET_TOKEN: adminToken };
  ops = opsUrl;
});
afterAll(() => inlet.close());

const run = async (args: string) => {
  const words = [...args.split(' '), '--ops', ops, '--json'];
  const { code, stdout } = await runCommandLine(words, { cwd: tmpdir(), env });
  const findings: { check: string; result: string; advice?: string }[] = JSON.parse(stdout);
  return { code, bad: findings.filter(({ result }) => result !== 'ok') };
};

test('doctor names what is missing and what to do, and is content when it is there', async () => {
  const without = await run('doctor');
  expect(without).toMatchObject({ code: 1, bad: [{ check: 'workers', result: 'problem' }] });
  expect(without.bad[0]?.advice).toContain('npm run worker');
  await inlet.start('worker');
  // The worker announces itself after its start.
  await waitForValue('doctor is content', async () =>
    (await run('doctor')).code === 0 ? true : undefined,
  );
  expect(await run('doctor')).toEqual({ code: 0, bad: [] });
});

test('doctor ends by itself and names the database when it does not answer', async () => {
  const hanging = await createDeployment('cli_doctor_hangs');
  const direct = new URL(hanging.mongoUrl);
  const network = await createProxy(Number(direct.port));
  const through = new URL(direct);
  through.port = String(network.port);
  through.searchParams.set('directConnection', 'true');
  const { url = '', opsUrl } = await hanging.start('server', { MONGODB_URL: through.href });
  network.stall(['up', 'down']);
  const words = ['doctor', '--ops', opsUrl, '--json'];
  const { code, stdout, stderr } = await runCommandLine(words, {
    cwd: tmpdir(),
    env: { INLET_URL: url, INLET_TOKEN: adminToken },
  });
  const findings: { check: string; result: string; advice?: string }[] = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(stderr).not.toContain('wait');
  const ofDatabase = findings.filter(({ check }) => check === 'mongodb');
  expect(ofDatabase).toEqual([
    expect.objectContaining({ result: 'problem', advice: expect.stringContaining('MongoDB') }),
  ]);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'address', result: 'ok' }));
  network.heal();
  await hanging.close();
  await network.close();
});

test('the admin token of the environment is used for this machine, and sent to no other', async () => {
  const own = { INLET_URL: env.INLET_URL ?? '', INLET_ADMIN_TOKEN: adminToken };
  const ask = (more: Record<string, string>) =>
    runCommandLine(['channels', 'ls'], { cwd: tmpdir(), env: { ...own, ...more } });
  expect(await ask({})).toMatchObject({ code: 0 });
  expect(await ask({ INLET_TOKEN: 'in_wrong' })).toMatchObject({ code: 4 });
  for (const url of ['http://127.0.0.2:1', 'http://localhost.example.com', 'https://example.com']) {
    const { code, stderr } = await ask({ INLET_URL: url });
    expect([url, code, stderr]).toEqual([url, 4, expect.stringContaining('INLET_TOKEN')]);
  }
});

/** What `mongorestore --drop` does: every document and every index, into another database. */
async function restoreInto(target: Deployment): Promise<void> {
  for (const { name } of await inlet.db.listCollections().toArray()) {
    const [from, to] = [inlet.db.collection(name), target.db.collection(name)];
    await to.drop();
    const documents = await from.find().toArray();
    if (documents.length > 0) await to.insertMany(documents);
    const indexes = (await from.indexes()).filter((one) => one.name !== '_id_');
    if (indexes.length > 0) await to.createIndexes(indexes as never);
  }
}

test('backup verify of a restored database counts the secrets that the keys open, and names a lost index', async () => {
  const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const { id: channelId } = await inlet.client.call('createChannel', {
    body: {
      name: 'Outside',
      kind: 'http',
      settings: { url: 'https://example.com/hook', signingSecret },
    },
  });
  const { id } = await inlet.client.call('createWebhook', { body: { name: 'Signed', channelId } });
  const signature = { scheme: 'github', secrets: ['the first', 'the second'] };
  const handshake = { verifyToken: 'of the handshake' };
  await inlet.client.call('updateWebhookSettings', {
    params: { id },
    body: { signature, handshake },
  });

  const restored = await createDeployment('cli_restored');
  const folder = await temporaryFolder();
  const dataFolder = { INLET_DATA_DIR: folder.path };
  try {
    await restoreInto(restored);
    const verify = async (keys: Record<string, string>) => {
      const server = await restored.start('server', { ...dataFolder, ...keys });
      const own = { INLET_URL: server.url ?? '', INLET_TOKEN: adminToken };
      const words = ['backup', 'verify', '--ops', server.opsUrl, '--json'];
      const run = async () => {
        const { code, stdout } = await runCommandLine(words, { cwd: tmpdir(), env: own });
        expect(stdout).not.toMatch(/whsec_|the first|the second|of the handshake/);
        const findings: { check: string; result: string; text: string }[] = JSON.parse(stdout);
        return { code, findings };
      };
      return { run, stop: server.stop };
    };
    const secretsIn = ({ findings }: { findings: { check: string; text: string }[] }) =>
      findings.filter(({ check }) => check.startsWith('secrets')).map(({ text }) => text);

    const right = await verify({});
    const whole = await right.run();
    expect(whole.code).toBe(0);
    expect(secretsIn(whole)).toEqual(
      [1, 3, 0].map((count) => `${count} of ${count} open with the configured keys.`),
    );
    await restored.db.collection('events').dropIndex('dedup');
    const lost = await right.run();
    expect(lost.code).toBe(1);
    expect(lost.findings.find(({ check }) => check === 'indexes')).toMatchObject({
      result: 'problem',
      text: 'Missing: events.dedup.',
    });
    await right.stop();

    const wrongKey = Buffer.alloc(32, 9).toString('base64');
    // Without keys the server makes one of its own.
    for (const keys of [{ INLET_SECRET_KEYS: wrongKey }, { INLET_SECRET_KEYS: '' }]) {
      const wrong = await verify(keys);
      const { code, findings } = await wrong.run();
      expect([code, secretsIn({ findings })]).toEqual([
        1,
        ['0 of 1', '0 of 3', '0 of 0'].map((count) => `${count} open with the configured keys.`),
      ]);
      await wrong.stop();
    }
    const both = `${wrongKey},${Buffer.alloc(32).toString('base64')}`;
    const rotated = await verify({ INLET_SECRET_KEYS: both });
    expect((await rotated.run()).code).toBe(0);
  } finally {
    await restored.close();
    await folder.remove();
  }
});

test('backup verify reports a success, and only that, to the installation whose backup it is', async () => {
  const restored = await createDeployment('cli_reported');
  const folder = await temporaryFolder();
  try {
    const server = await restored.start('server');
    const contexts = { production: { url: env.INLET_URL ?? '', token: adminToken } };
    await mkdir(join(folder.path, 'inlet'));
    const file = join(folder.path, 'inlet/config.json');
    await writeFile(file, JSON.stringify({ current: null, contexts }));
    const verify = async (url: string | undefined, ...more: string[]) => {
      const own = { INLET_URL: url ?? '', INLET_TOKEN: adminToken, XDG_CONFIG_HOME: folder.path };
      const words = ['backup', 'verify', '--report', 'production', '--json', ...more];
      const { code, stdout } = await runCommandLine(words, { cwd: tmpdir(), env: own });
      const findings = (stdout === '' ? [] : JSON.parse(stdout)) as Record<string, string>[];
      return { code, report: findings.find(({ check }) => check === 'report')?.result };
    };
    const recorded = () => inlet.db.collection('backup_verifications').find().toArray();

    expect(await verify(env.INLET_URL, '--ops', ops)).toEqual({ code: 3, report: undefined });
    const { url, opsUrl } = server;
    // No answer of the operations port: nothing says that this server may receive.
    expect(await verify(url, '--ops', 'http://127.0.0.1:1')).toEqual({
      code: 1,
      report: 'problem',
    });
    await restored.db.collection('events').dropIndex('dedup');
    expect(await verify(url, '--ops', opsUrl)).toEqual({ code: 1, report: 'problem' });
    expect(await recorded()).toEqual([]);

    const index = (await inlet.db.collection('events').indexes()).find(
      ({ name }) => name === 'dedup',
    );
    await restored.db.collection('events').createIndexes([index as never]);
    await waitForValue('the backup is reported', async () =>
      (await verify(url, '--ops', opsUrl)).code === 0 ? true : undefined,
    );
    expect(await recorded()).toEqual([{ _id: 'last', verifiedAt: expect.any(Date) }]);
    expect(await restored.db.collection('backup_verifications').countDocuments()).toBe(0);
    const { results } = await inlet.client.call('listAudit', {
      query: { action: ['backup.verify'] },
    });
    expect(results).toHaveLength(1);
  } finally {
    await restored.close();
    await folder.remove();
  }
});

test('backup verify reads the records', async () => {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const { data } = await inlet.client.deliver(key, {
    id: 'b-1',
    text: 'hello',
    lead: { name: 'Ana', phone: '+5511900000001' },
  });
  await inlet.client.settled(data.eventId ?? '');
  expect(await run('backup verify')).toEqual({ code: 0, bad: [] });
  // Without the operations port the API says whether MongoDB answers.
  const words = ['backup', 'verify', '--json'];
  const { code: own, stdout } = await runCommandLine(words, { cwd: tmpdir(), env });
  const checks = (JSON.parse(stdout) as { check: string; result: string }[]).map(
    ({ check, result }) => `${check}: ${result}`,
  );
  expect([own, checks[0]]).toEqual([0, 'mongodb: ok']);
  await inlet.db.collection('mappings').deleteMany({});
  const { code, bad } = await run('backup verify');
  expect([code, bad.map(({ check }) => check)]).toEqual([1, ['mappings']]);
});

test('backup verify finds an event whose message is missing, and is content with a body without items', async () => {
  const { key } = await inlet.client.addActiveWebhook({ ...leadMapping, split: 'leads' });
  const { data } = await inlet.client.deliver(key, { leads: [] });
  await inlet.client.settled(data.eventId ?? '');
  const checks = async () => (await run('backup verify')).bad.map(({ check }) => check);
  expect(await checks()).not.toContain('events');
  await inlet.db.collection('messages').deleteMany({});
  expect(await checks()).toContain('events');
});
