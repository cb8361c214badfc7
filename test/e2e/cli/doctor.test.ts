// doctor and backup verify find what is wrong, and say what to do.
import { tmpdir } from 'node:os';
import { runCommandLine } from '../../support/processes/command.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';
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
  expect(await run('doctor')).toEqual({ code: 0, bad: [] });
});

test('backup verify reads the records and the chain of the audit log', async () => {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const { data } = await inlet.client.deliver(key, {
    id: 'b-1',
    text: 'hello',
    lead: { name: 'Ana', phone: '+5511900000001' },
  });
  await inlet.client.settled(data.eventId ?? '');
  expect(await run('backup verify')).toEqual({ code: 0, bad: [] });
  await inlet.db.collection('mappings').deleteMany({});
  const { deletedCount } = await inlet.db.collection('audit').deleteOne({ seq: 2 });
  expect(deletedCount).toBe(1);
  const { code, bad } = await run('backup verify');
  expect([code, bad.map(({ check }) => check)]).toEqual([1, ['audit log', 'mappings']]);
});
