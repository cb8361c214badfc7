import { loadConfig } from '../../../config/config.ts';
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
