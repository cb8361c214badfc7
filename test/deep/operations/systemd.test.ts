// systemd itself reads the units of deploy/systemd, and rates what is left open. No service is started.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../../scripts/lib/paths.mjs';
import { requiredEnv } from '../../support/services/services.ts';

jest.setTimeout(60_000);

const shipped = join(repository, 'deploy/systemd');
const units = readdirSync(shipped).filter((name) => name.endsWith('.service'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlet-test-systemd-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes an instance of a unit, with this machine's Node, and resolves to its path. */
function instanceOf(unit: string, change = (text: string) => text): string {
  const text = readFileSync(join(shipped, unit), 'utf8').replace('/usr/bin/node', process.execPath);
  const path = join(folder, unit.replace('@', '@1'));
  writeFileSync(path, change(text));
  return path;
}

async function analyze(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(requiredEnv('INLET_TEST_SYSTEMD'), args);
  return stdout + stderr;
}

test.each(units)('%s has no fault', async (unit) => {
  expect(await analyze('verify', instanceOf(unit))).toBe('');
});

test.each(units)('%s with an unknown directive has one', async (unit) => {
  const path = instanceOf(unit, (text) => text.replace('ProtectHome=', 'ProtectHouse='));
  const output = await analyze('verify', path).catch((error: Error) => error.message);
  expect(output).toContain('ProtectHouse');
});

test.each(units)('%s leaves little open', async (unit) => {
  const output = await analyze('security', '--offline=true', '--threshold=25', instanceOf(unit));
  const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(output) ?? [];
  expect(Number(level)).toBeLessThan(2.5);
});
