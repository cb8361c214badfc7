// The built code on Node 24: from a webhook to a message, and the command line. When the tests run on another version, npx installs Node 24.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { leadMapping } from '../support/context/test-context.ts';
import { runCommandLine } from '../support/processes/command.ts';
import { temporaryFolder } from '../support/processes/inlet.ts';
import { adminToken, createDeployment, type Deployment } from '../support/processes/roles.ts';

const run = promisify(execFile);

async function node24(): Promise<string> {
  if (process.versions.node.startsWith('24.')) return process.execPath;
  const print = ['node', '-p', 'process.execPath'];
  // Without the repository's settings of npm, which refuse the script that unpacks Node. npm hands them on in `npm_…`.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
  );
  const args = ['--yes', '--prefer-offline', '-p', 'node@24', ...print];
  const { stdout } = await run('npx', args, { cwd: tmpdir(), env });
  return stdout.trim();
}

let inlet: Deployment;
let execPath = '';
beforeAll(async () => {
  execPath = await node24();
  inlet = await createDeployment('node24', { execPath });
}, 300_000);
afterAll(() => inlet.close());

test('a server and a worker on Node 24 turn a sample, a mapping and an event into a message', async () => {
  const { stdout } = await run(execPath, ['--version']);
  expect(stdout).toMatch(/^v24\./);
  const server = await inlet.start('server');
  const worker = await inlet.start('worker');
  const { id, key } = await inlet.client.addWebhook();
  const lead = { text: 'hello', lead: { name: 'Ana', phone: '+55 11 90000-0001' } };
  expect((await inlet.client.deliver(key, { id: 's1', ...lead })).data.mode).toBe('sample');
  await inlet.client.activate(id, leadMapping);
  const { status, data } = await inlet.client.deliver(key, { id: 'e1', ...lead });
  expect(status).toBe(200);
  const event = await inlet.client.settled(data.eventId ?? '');
  expect(event).toMatchObject({ state: 'done' });
  const { results } = await inlet.client.messages(event.effects?.chatId ?? '');
  expect(results.map(({ content }) => content.message)).toEqual(['hello']);
  expect(await worker.stop()).toBe(0);
  expect(await server.stop()).toBe(0);
});

const readAll = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:yaml|json)$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

test('what the command line exports on one version of Node, the other one exports too and finds applied', async () => {
  const server = await inlet.start('server');
  const folder = await temporaryFolder();
  const env = { INLET_URL: server.url ?? '', INLET_TOKEN: adminToken };
  try {
    const { call } = inlet.client;
    const name = 'Exported';
    const { id: channelId } = await call('createChannel', { body: { name, kind: 'inbox' } });
    const { id } = await call('createWebhook', { body: { name, channelId } });
    const params = { id };
    const settings = { signature: { scheme: 'github', secrets: ['of the test'] } };
    await call('updateWebhookSettings', { params, body: settings });
    await call('createWebhookMapping', { params, body: { mapping: leadMapping as never } });
    const runBy = (path: string, args: string) =>
      runCommandLine(args.split(' '), { cwd: folder.path, env, execPath: path });
    const versions = [process.execPath, execPath] as const;
    for (const [index, path] of versions.entries())
      expect(await runBy(path, `export -f by-${index}`)).toMatchObject({ code: 0 });
    const [own, other] = [0, 1].map((index) => readAll(join(folder.path, `by-${index}`)));
    expect(own?.length).toBeGreaterThan(3);
    expect(other).toEqual(own);
    for (const [index, path] of versions.toReversed().entries())
      expect(await runBy(path, `apply -f by-${index} --dry-run --prune`)).toMatchObject({
        code: 0,
        stdout: '',
      });
  } finally {
    await folder.remove();
    await server.stop();
  }
});
