// Builds the container image and runs its roles as a container engine does, against the test databases.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { openBuilder, type Builder, type Image } from '../../support/containers/image.ts';
import { startContainer, type Container } from '../../support/containers/container.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { runWalk } from '../../support/processes/curl-walk.ts';
import {
  databaseOfRun,
  dropDatabase,
  sharedRedisUrl,
  testMongoUrl,
} from '../../support/services/services.ts';

jest.setTimeout(900_000);

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  version: string;
};
const revision = '0123456789abcdef0123456789abcdef01234567';
const token = 'token-of-the-image-1234567890';
const mark = `image_${process.pid}`;

const databases = {
  MONGODB_URL: testMongoUrl(databaseOfRun(mark)),
  REDIS_URL: sharedRedisUrl(),
  INLET_QUEUE_PREFIX: `test_${mark}`,
};
const env = {
  ...databases,
  INLET_ADMIN_TOKEN: token,
  INLET_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
};

let builder: Builder;
let image: Image;
const started: Container[] = [];

async function start(args: string[], over: Readonly<Record<string, string>>): Promise<Container> {
  const container = await startContainer(image, { args, env: { ...env, ...over } });
  started.push(container);
  return container;
}

/** Starts a role, and waits for its readiness at an address that is not the loopback default. */
async function startReady(role: 'server' | 'worker') {
  const ports = { INLET_PORT: String(await freePort()), INLET_OPS_PORT: String(await freePort()) };
  const container = await start([role], ports);
  const opsUrl = `http://127.0.0.2:${ports.INLET_OPS_PORT}`;
  await waitForValue(`the ${role} is ready or has ended`, async () => {
    if (!container.isRunning()) return true;
    const answer = await fetch(`${opsUrl}/readyz`).catch(() => undefined);
    return answer?.ok ? true : undefined;
  });
  expect([container.isRunning(), container.output()]).toEqual([true, expect.any(String)]);
  return { container, opsUrl, url: `http://127.0.0.1:${ports.INLET_PORT}` };
}

/** Its command, as a container engine runs it: `CMD` is followed by a program and its arguments. */
function healthCommand(): string[] {
  const [kind, ...command] = image.config.Healthcheck.Test;
  expect(kind).toBe('CMD');
  return command;
}

beforeAll(async () => {
  builder = await openBuilder();
  image = await builder.build({ VERSION: version, REVISION: revision });
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((container) => container.kill()));
});

afterAll(async () => {
  await builder?.close();
  await dropDatabase(databases.MONGODB_URL);
});

test('has labels with the version and the revision, and a user that is a number', () => {
  const { config, ownBytes } = image;
  expect(config.Labels).toMatchObject({
    'org.opencontainers.image.title': 'Inlet',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': revision,
    'org.opencontainers.image.licenses': 'MIT',
  });
  expect(config.User).toBe('1000:1000');
  expect(config.StopSignal).toBe('SIGTERM');
  expect(config.Cmd).toEqual(['server']);
  expect(Object.keys(config.ExposedPorts).toSorted()).toEqual(['8080/tcp', '9090/tcp']);
  expect(ownBytes).toBeGreaterThan(5_000_000);
  // The layers above the base: the bundles and the console, without packages.
  expect(ownBytes).toBeLessThan(40_000_000);
});

test('has its licence, those of all packages, and the list of these, which its user can read', async () => {
  const server = await startReady('server');
  const read = async (path: string) => (await server.container.execute('cat', path)).output;
  expect(await read('/app/LICENSE')).toBe(readFileSync(join(repository, 'LICENSE'), 'utf8'));
  const notices = await read('/app/THIRD_PARTY_NOTICES.txt');
  const { bomFormat, metadata, components } = JSON.parse(await read('/app/sbom.cdx.json')) as {
    bomFormat: string;
    metadata: { component: { version: string } };
    components: readonly { name: string; version: string }[];
  };
  expect([bomFormat, metadata.component.version]).toEqual(['CycloneDX', version]);
  const missing = components.filter((one) => !notices.includes(`\n${one.name} ${one.version} (`));
  expect([components.length > 150, missing]).toEqual([true, []]);
});

test('the bundled version is the one that is asked for', async () => {
  const wrong = builder.build({ VERSION: '99.0.0' });
  await expect(wrong).rejects.toThrow(/exit status 1/);
});

test.each([[['migrate']], [['migrate', '--contract']]])(
  '%j runs, and ends with 0',
  async (args) => {
    const migrate = await start(args, {});
    expect([await migrate.ended, migrate.output()]).toEqual([
      0,
      expect.stringMatching(/^All indexes and migrations.* are up to date\.$/m),
    ]);
  },
);

test('migrate refuses other arguments', async () => {
  const migrate = await start(['migrate', '--contrakt'], {});
  expect([await migrate.ended, migrate.output()]).toEqual([78, expect.stringContaining('Usage')]);
});

test('an unknown role ends with 78 and the list of roles', async () => {
  const unknown = await start(['sever'], {});
  expect([await unknown.ended, unknown.output()]).toEqual([
    78,
    expect.stringContaining('server, worker, migrate, rotate-secrets'),
  ]);
});

test('without a token and with a read-only root, the server says what to set', async () => {
  const ports = { INLET_PORT: '0', INLET_OPS_PORT: '0' };
  const server = await start(['server'], { ...ports, INLET_ADMIN_TOKEN: '' });
  expect([await server.ended, server.output()]).toEqual([
    78,
    expect.stringContaining('set INLET_ADMIN_TOKEN'),
  ]);
});

test('the inlet command runs in the container of a server, whose token it takes', async () => {
  const server = await startReady('server');
  await startReady('worker');
  const inlet = (...args: string[]) =>
    server.container.execute('env', `INLET_URL=${server.url}`, 'inlet', ...args);
  expect(await inlet('--version')).toEqual({ code: 0, output: `${version}\n` });
  await waitForValue('doctor finds no problem', async () =>
    (await inlet('doctor', '--ops', server.opsUrl)).code === 0 ? true : undefined,
  );
  const { output } = await inlet('doctor', '--ops', server.opsUrl);
  expect(output).toMatch(/^ok +readiness/m);
  expect(output).toMatch(/^ok +workers/m);
  expect(await inlet('backup', 'verify', '--ops', server.opsUrl)).toMatchObject({ code: 0 });
  // The user has no home, and only /tmp can be written.
  const login = ['sh', '-c', `echo ${token} | inlet login ${server.url} && inlet context ls`];
  expect(await server.container.execute(...login)).toMatchObject({ code: 0 });
  const saved = await server.container.execute('stat', '-c', '%a %u', '/tmp/inlet/config.json');
  expect(saved).toEqual({ code: 0, output: '600 1000\n' });
});

test('a server and a worker lead from a channel to a message, and SIGTERM drains them', async () => {
  const server = await startReady('server');
  const worker = await startReady('worker');

  const lines = await runWalk({ url: server.url, token });
  expect(lines.slice(-2)).toEqual(['1', 'Hello, how much is the blue one?']);

  for (const [role, { container, opsUrl }] of Object.entries({ server, worker })) {
    expect(container.status()).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(container.status()).toMatch(/^Gid:\t1000\t1000\t1000\t1000$/m);
    expect(container.status()).toMatch(/^CapEff:\t0+$/m);
    expect(container.status()).toMatch(/^NSpid:\t\d+\t1$/m);
    const write = (path: string) => container.execute('touch', path);
    expect(await write('/app/file')).toMatchObject({ code: 1 });
    expect((await write('/app/.inlet/file')).output).toContain('Read-only file system');
    expect(await write('/tmp/file')).toEqual({ code: 0, output: '' });
    expect(await container.execute(...healthCommand())).toEqual({ code: 0, output: '' });
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    const { node } = process.versions;
    expect(metrics).toContain(
      `inlet_build_info{version="${version}",revision="${revision}",node="${node}",role="${role}"} 1`,
    );
    const closed = { INLET_OPS_PORT: '1' };
    const assigned = Object.entries(closed).map(([name, value]) => `${name}=${value}`);
    const unhealthy = await container.execute('env', ...assigned, ...healthCommand());
    expect(unhealthy.code).toBe(1);
    expect([role, await container.stop()]).toEqual([role, 0]);
    expect(container.output()).toContain('process.stopped');
  }
});
