// deploy/systemd: what the units name exists, their settings are accepted, and their limits fit the processes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../config/config.ts';
import { findUnsafeSettings } from '../../../config/unsafe-settings.ts';
import { repository } from '../../../scripts/lib/paths.mjs';

const folder = join(repository, 'deploy/systemd');
const read = (path: string) => readFileSync(path, 'utf8');
const units = readdirSync(folder).filter((name) => name.endsWith('.service'));

/** The values of each directive of a section, in order. */
function sectionOf(unit: string, section: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let current = '';
  for (const line of read(join(folder, unit)).split('\n')) {
    current = /^\[(\w+)\]$/.exec(line)?.[1] ?? current;
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (!name || current !== section) continue;
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

const assignmentsIn = (text: string) =>
  [...text.matchAll(/(?:^|\s)([A-Z_]+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]);

/** The variables of an instance. Those of the file win. */
function environmentOf(unit: string, instance: string): Record<string, string> {
  const lines = sectionOf(unit, 'Service').get('Environment') ?? [];
  const own = lines.flatMap((line) => assignmentsIn(line.replaceAll('%i', instance)));
  const example = read(join(folder, 'inlet.env.example')).replace(/^#.*$/gm, '');
  return { ...Object.fromEntries(own), ...Object.fromEntries(assignmentsIn(example)) };
}

test('there is a unit for each role that runs all the time', () => {
  expect(units.toSorted()).toEqual(['inlet-server@.service', 'inlet-worker@.service']);
});

describe.each(units)('%s', (unit) => {
  const service = sectionOf(unit, 'Service');
  const one = (name: string) => service.get(name)?.[0];

  test('runs a bundle that the build writes, from the folder that the page names', () => {
    const [, program, bundle = ''] =
      /^(\S+) --enable-source-maps (\S+)$/.exec(one('ExecStart') ?? '') ?? [];
    expect(program).toBe('/usr/bin/node');
    expect([bundle, existsSync(join(repository, bundle))]).toEqual([bundle, true]);
    const page = read(join(repository, 'docs/deployment.md'));
    for (const name of ['WorkingDirectory', 'EnvironmentFile']) {
      expect(page).toContain(one(name) ?? 'nothing');
    }
  });

  test('has settings that exist, and that are accepted and safe once the secrets are filled in', () => {
    const filled = {
      ...environmentOf(unit, '1'),
      INLET_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
      INLET_ADMIN_TOKEN: 'token-of-the-units-1234567890',
    };
    const config = loadConfig(filled);
    expect(findUnsafeSettings(config)).toEqual([]);
    const source = read(join(repository, 'config/config.ts'));
    const names = Object.keys(filled).filter((name) => name !== 'MALLOC_ARENA_MAX');
    expect(names.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
    expect(filled).toMatchObject({ NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' });
  });

  test('writes only to its state folder, which is the data folder', () => {
    expect(environmentOf(unit, '1').INLET_DATA_DIR).toBe(`/var/lib/${one('StateDirectory')}`);
    expect(one('ProtectSystem')).toBe('strict');
    expect(service.has('ReadWritePaths')).toBe(false);
    expect(one('DynamicUser')).toBe('yes');
    expect(one('NoNewPrivileges')).toBe('yes');
    expect(one('CapabilityBoundingSet')).toBe('');
    expect(service.has('MemoryDenyWriteExecute')).toBe(false); // V8 would not start
  });

  test('is started again after a crash, and not after a wrong setting', () => {
    expect(one('Restart')).toBe('on-failure');
    expect(one('RestartPreventExitStatus')).toBe('78');
  });

  test('has more time to stop than the drain takes, and files for its connections', () => {
    const source = read(join(repository, 'src/base/process/process.ts'));
    const drainMs = Number(/^const drainMs = ([\d_]+);$/m.exec(source)?.[1]?.replaceAll('_', ''));
    expect(drainMs).toBeGreaterThan(0);
    expect(Number(one('TimeoutStopSec')) * 1_000).toBeGreaterThan(drainMs + 10_000);
    expect(Number(one('LimitNOFILE'))).toBeGreaterThanOrEqual(65_536);
  });
});

test('no two instances on a machine have a port in common', () => {
  const ports = units.flatMap((unit) =>
    ['1', '2', '9'].flatMap((instance) => {
      const { INLET_PORT, INLET_OPS_PORT } = environmentOf(unit, instance);
      return unit.includes('server') ? [INLET_PORT, INLET_OPS_PORT] : [INLET_OPS_PORT];
    }),
  );
  expect(ports.filter((port) => !port || Number(port) > 65_535)).toEqual([]);
  expect(new Set(ports).size).toBe(ports.length);
});
