// The package @inlet/client as its users get it: packed, installed without a network into an empty project, and used.
import { execFile } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../../scripts/lib/paths.mjs';
import { leadMapping } from '../../support/context/test-context.ts';
import { temporaryFolder } from '../../support/processes/inlet.ts';
import { adminToken, createDeployment } from '../../support/processes/roles.ts';

const run = promisify(execFile);

const program = `
import { createClient, InletError } from '@inlet/client';
import { post } from '@inlet/client/post';
import { verify } from '@inlet/client/verify';
const [, , baseUrl = '', url = ''] = process.argv;
const inlet = createClient({ baseUrl, token: () => process.env.INLET_TOKEN ?? null });
const posted = await post(url, JSON.stringify({ id: 'packed-1', lead: { phone: '+5511900000001' } }), { externalId: 'packed-1' });
const again = await post(url, JSON.stringify({ id: 'packed-1', lead: { phone: '+5511900000001' } }), { externalId: 'packed-1' });
const { results } = await inlet.call('listEvents', { query: { externalId: ['packed-1'] } });
const refused = await inlet.call('getEvent', { params: { id: 'none' } }).catch((error: unknown) => error);
const checked = await verify({ body: '', headers: {} }, 'whsec_');
const status: number | null = refused instanceof InletError ? refused.status : null;
console.log(JSON.stringify({ same: results[0]?.id === posted.eventId, duplicate: again.duplicate, status, checked }));
`;

test('an empty project installs the packed client, compiles against its types, and uses it', async () => {
  const folder = await temporaryFolder();
  const inlet = await createDeployment('client_package');
  try {
    await run(process.execPath, ['scripts/client.mjs'], { cwd: repository });
    const pack = [
      'pack',
      join(repository, 'dist/client'),
      '--json',
      '--pack-destination',
      folder.path,
    ];
    const [{ filename, files }] = JSON.parse((await run('npm', pack, { cwd: folder.path })).stdout);
    const names = files.map(({ path }: { path: string }) => path).sort();
    expect(names).toEqual(
      [
        'LICENSE',
        'README.md',
        'package.json',
        ...['client', 'follow', 'operations', 'pages', 'post', 'retry', 'sign', 'verify'].flatMap(
          (one) => [`${one}.d.ts`, `${one}.js`],
        ),
      ].sort(),
    );
    expect(statSync(join(folder.path, filename)).size).toBeLessThan(100_000);

    const project = join(folder.path, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    const install = [
      'install',
      '--offline',
      '--no-audit',
      '--no-fund',
      join(folder.path, filename),
    ];
    await run('npm', install, { cwd: project });
    writeFileSync(join(project, 'main.ts'), program);
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(repository, 'node_modules/@types'), '--types', 'node'];
    const modes = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--skipLibCheck',
      'false',
    ];
    await run(process.execPath, [compiler, ...modes, ...types, 'main.ts'], { cwd: project });

    const { url: baseUrl = '' } = await inlet.start('server');
    const webhook = await inlet.client.addActiveWebhook(leadMapping);
    const env = { PATH: process.env.PATH, INLET_TOKEN: adminToken };
    const { stdout } = await run(process.execPath, ['main.js', baseUrl, webhook.url], {
      cwd: project,
      env,
    });
    expect(JSON.parse(stdout)).toEqual({
      same: true,
      duplicate: true,
      status: 404,
      checked: { ok: false, reason: 'missing_header' },
    });
  } finally {
    await inlet.close();
    await folder.remove();
  }
});
