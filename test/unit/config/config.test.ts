import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { loadConfig } from '../../../config/config.ts';
import { findUnsafeSettings } from '../../../config/unsafe-settings.ts';
import { repository } from '../../../scripts/lib/paths.mjs';
import { StartupError } from '../../../src/base/process/startup.ts';

const least = { MONGODB_URL: 'mongodb://127.0.0.1/inlet', REDIS_URL: 'redis://127.0.0.1' };

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof StartupError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
};

test('the two database URLs are enough; the other settings have the documented defaults', () => {
  expect(loadConfig(least)).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    opsHost: '127.0.0.1',
    opsPort: 9090,
    trustProxy: [],
    publicUrl: '',
    adminToken: '',
    maxBodyBytes: 1_048_576,
    defaultRegion: 'BR',
    leaseMs: 90_000,
    concurrency: 50,
    logLevel: 'info',
  });
});

test('all problems are reported together, by name', () => {
  const problems = problemsOf({
    INLET_PORT: 'http',
    INLET_LEASE_MS: '5',
    INLET_MAX_BODY_BYTES: '1e6',
    INLET_DEFAULT_REGION: 'br',
    INLET_ADMIN_TOKEN: 'short',
    INLET_PUBLIC_URL: 'ftp://x',
    INLET_TRUST_PROXY: 'everybody',
    LOG_LEVEL: 'loud',
    REDIS_URL: 'http://x',
  });
  const names = problems.map((line) => line.trim().split(' ')[0] ?? '');
  expect(new Set(names)).toEqual(
    new Set([
      'MONGODB_URL',
      'REDIS_URL',
      'INLET_PORT',
      'INLET_LEASE_MS',
      'INLET_MAX_BODY_BYTES',
      'INLET_DEFAULT_REGION',
      'INLET_ADMIN_TOKEN',
      'INLET_PUBLIC_URL',
      'INLET_TRUST_PROXY',
      'LOG_LEVEL',
    ]),
  );
});

test('unused settings are not validated, all others are', () => {
  const env = { MONGODB_URL: 'mongodb://localhost/inlet' };
  expect(loadConfig(env, ['REDIS_URL'])).toMatchObject({ mongodbUrl: env.MONGODB_URL });
  expect(() => loadConfig(env)).toThrow('REDIS_URL is not set');
  expect(() => loadConfig({}, ['REDIS_URL'])).toThrow('MONGODB_URL is not set');
});

test('the error contains no value, since it may be secret', () => {
  const env = { ...least, INLET_ADMIN_TOKEN: 'hush', MONGODB_URL: 'postgres://u:hush@db' };
  expect(problemsOf(env)).toHaveLength(2);
  expect(problemsOf(env).join('\n')).not.toContain('hush');
});

test.each([
  ['INLET_PORT', '0', true],
  ['INLET_PORT', '65535', true],
  ['INLET_PORT', '65536', false],
  ['INLET_PORT', '-1', false],
  ['INLET_PORT', '80.5', false],
  ['INLET_PORT', '0x50', false],
  ['INLET_PORT', ' 80 ', true],
  ['INLET_PORT', '', true],
  ['INLET_SECRET_KEYS', `${'A'.repeat(43)}=, ${'_'.repeat(42)}8`, true],
  ['INLET_SECRET_KEYS', 'dG9vIHNob3J0', false],
  ['INLET_SECRET_KEYS', `${'A'.repeat(43)}=,${'A'.repeat(43)}=`, false],
  ['INLET_TRUST_PROXY', '10.0.0.0/8, ::1', true],
  ['INLET_TRUST_PROXY', '10.0.0.0/8 ::1', false],
  ['INLET_PUBLIC_URL', 'https://hooks.example/base/', true],
  ['INLET_PUBLIC_URL', 'https://hooks.example/?a=1', false],
  ['INLET_ADMIN_TOKEN', 'x'.repeat(200), true],
  ['INLET_ADMIN_TOKEN', 'x'.repeat(201), false],
  ['INLET_ADMIN_TOKEN', 'sixteen letters with blanks', false],
  ['INLET_QUEUE_PREFIX', 'a:b', false],
  ['MONGODB_URL', 'mongodb+srv://db.example/inlet', true],
])('%s may be "%s": %s', (name, value, isFine) => {
  expect(problemsOf({ ...least, [name]: value })).toHaveLength(isFine ? 0 : 1);
});

test('a public URL ends without a slash and proxies are a list', () => {
  const env = { INLET_PUBLIC_URL: 'https://x/base//', INLET_TRUST_PROXY: '10.0.0.0/8 , ::1' };
  expect(loadConfig({ ...least, ...env })).toMatchObject({
    publicUrl: 'https://x/base',
    trustProxy: ['10.0.0.0/8', '::1'],
  });
});

test('the configuration cannot be changed afterwards', () => {
  expect(Object.isFrozen(loadConfig(least))).toBe(true);
});

test.each([
  '0.0.0.0/0',
  '::/0',
  '::ffff:0:0/96',
  '10.0.0.0/8, 0.0.0.0/0',
  'fe80::1%eth0',
  '1.2.3.4/',
])('INLET_TRUST_PROXY=%s is a problem of the configuration', (value) => {
  expect(problemsOf({ ...least, INLET_TRUST_PROXY: value })).toEqual([
    expect.stringMatching(/INLET_TRUST_PROXY must/),
  ]);
});

test.each(['10.0.0.0/1', '::/1', '::1', '::ffff:10.0.0.0/104', '1.2.3.4/32', '2001:db8::/128'])(
  'Express accepts what the configuration accepts: %s',
  (value) => {
    const { trustProxy } = loadConfig({ ...least, INLET_TRUST_PROXY: value });
    expect(() => express().set('trust proxy', [...trustProxy])).not.toThrow();
  },
);

test.each([
  ['INLET_ADMIN_TOKEN', 'aaaaaaaaaaaaaaaa'],
  ['INLET_ADMIN_TOKEN', 'abcdefghijklmnopqrstuvwxyz'],
  ['INLET_ADMIN_TOKEN', 'changemechangeme'],
  ['INLET_ADMIN_TOKEN', '12345678901234567890'],
  ['INLET_OPS_HOST', '0.0.0.0'],
  ['INLET_OPS_HOST', '::'],
  ['INLET_ALLOWED_DESTINATIONS', '0.0.0.0/0'],
  ['INLET_ALLOWED_DESTINATIONS', '10.0.0.0/8,::ffff:0.0.0.0/97'],
  ['INLET_TRUST_PROXY', '128.0.0.0/1'],
])('%s=%s is accepted with a warning that has no value', (setting, value) => {
  const unsafe = findUnsafeSettings(loadConfig({ ...least, [setting]: value }));
  expect(unsafe).toEqual([{ setting, hint: expect.not.stringContaining(value) }]);
});

test.each([
  ['INLET_ADMIN_TOKEN', ''],
  ['INLET_ADMIN_TOKEN', 'kP3vX9qL2mZ8sT5w'],
  ['INLET_ADMIN_TOKEN', '9f86d081884c7d659a2feaa0c55ad015'],
  ['INLET_OPS_HOST', '10.1.2.3'],
  ['INLET_ALLOWED_DESTINATIONS', '10.0.0.0/8,fd00::/16'],
  ['INLET_TRUST_PROXY', '172.16.0.0/12'],
])('%s=%s has no warning', (setting, value) => {
  expect(findUnsafeSettings(loadConfig({ ...least, [setting]: value }))).toEqual([]);
});

const unencoded = /must be percent-encoded/;
test.each([
  ['MONGODB_URL', 'mongodb://u:p@ss@host/inlet', unencoded],
  ['MONGODB_URL', 'mongodb://u:p:ss@host/inlet', unencoded],
  ['MONGODB_URL', 'mongodb://u:p/ss@host/inlet', unencoded],
  ['MONGODB_URL', 'mongodb://u:p?ss@host/inlet', unencoded],
  ['MONGODB_URL', 'mongodb://u:p#ss@host/inlet', unencoded],
  ['MONGODB_URL', 'mongodb://u:5%zz@host/inlet', unencoded],
  ['MONGODB_URL', 'mongodb://u:p%40ss@a:1,b:2/inlet?authSource=admin', null],
  ['MONGODB_URL', 'mongodb://[::1]:27017/inlet?appName=a@b', null],
  ['MONGODB_URL', 'mongodb://host', /names no database/],
  ['MONGODB_URL', 'mongodb://host/?replicaSet=rs0', /names no database/],
  ['MONGODB_URL', 'mongodb://host/a.b', /does not allow/],
  ['REDIS_URL', 'redis://u:p@ss@host', unencoded],
  ['REDIS_URL', 'redis://:p:ss@host', unencoded],
  ['REDIS_URL', 'redis://:p/ss@host:6379', unencoded],
  ['REDIS_URL', 'redis+cluster://:p@ss@a:1,b:2', unencoded],
  ['REDIS_URL', 'redis://:p%2Fss@host:6379/0', null],
  ['REDIS_URL', 'redis+sentinel://:pw@a:1,b:2/main?sentinelPassword=a@b', null],
  ['REDIS_URL', 'redis://host/inlet', /not a number/],
  ['REDIS_URL', 'redis://host:99999', /is not a URL/],
])('%s %s', (name, value, expected) => {
  const problems = problemsOf({ ...least, [name]: value });
  if (expected === null) expect(problems).toEqual([]);
  else expect(problems).toEqual([expect.stringMatching(expected)]);
  expect(problems.join()).not.toMatch(/ss@|a\.b/);
});

test('an unknown INLET_ variable is a problem, with the known name that is most alike', () => {
  expect(problemsOf({ ...least, INLET_LEASE_SM: '1', INLET_COLOUR: 'red' })).toEqual([
    '  INLET_LEASE_SM is not a setting of Inlet; did you mean INLET_LEASE_MS?',
    '  INLET_COLOUR is not a setting of Inlet',
  ]);
});

test('names of other parts of Inlet, empty values and service links of Kubernetes are no problem', () => {
  const links = {
    INLET_PORT: 'tcp://10.0.0.1:80',
    INLET_PORT_80_TCP: 'tcp://10.0.0.1:80',
    INLET_PORT_80_TCP_ADDR: '10.0.0.1',
    INLET_SERVICE_HOST: '10.0.0.1',
    INLET_SERVICE_PORT_HTTP: '80',
    INLET_OPERATIONS_SERVICE_HOST: '10.0.0.2',
    INLET_OPERATIONS_PORT: 'tcp://10.0.0.2:9090',
  };
  const others = { INLET_WORKERS: '2', INLET_TOKEN: 'x', INLET_TEST_RUN: 'x', INLET_TYPO: ' ' };
  expect(loadConfig({ ...least, ...links, ...others }).port).toBe(8080);
});

const documented = ['.env.example', 'deploy/compose/env.example', 'deploy/compose.yaml'];

test.each(documented)('every variable of %s is known', (file) => {
  const names = readFileSync(join(repository, file), 'utf8').match(/\bINLET_[A-Z_]+/g) ?? [];
  const unknown = names.flatMap((name) =>
    problemsOf({ ...least, [name]: 'x' }).filter((line) => line.includes('is not a setting')),
  );
  expect(unknown).toEqual([]);
});
