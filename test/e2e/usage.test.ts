// Scripts that are given an argument which they do not take: one sentence and the usage, before anything is done.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../scripts/lib/paths.mjs';

const runFile = (path: string, given: readonly string[]) => {
  const options = { cwd: repository, encoding: 'utf8', timeout: 60_000 } as const;
  const args = [join(repository, path), ...given];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
};
const runScript = (name: string, ...given: readonly string[]) =>
  runFile(`scripts/${name}.mjs`, given);

test.each([
  ['api', '--bogus'],
  ['bench', '--bogus'],
  ['bench', 'bogus'],
  ['bench', 'before', '--commit', 'bogus'],
  ['build', '--bogus'],
  ['chaos', '--bogus'],
  ['chaos', 'bogus'],
  ['client', '--bogus'],
  ['dev', '--bogus'],
  ['docs', '--bogus'],
  ['screenshots', '--bogus'],
  ['screenshots', 'overview', 'bogus'],
  ['start', '--port=9000'],
  ['test', '--bogus'],
])('%s does not take %s %s', (name, ...given) => {
  const { status, stdout, stderr } = runScript(name, ...given);
  expect(stderr).toMatch(/^.*(?:bogus|--port).*\nUsage: npm /m);
  expect(stderr).not.toContain('Unexpected:');
  expect(stderr).not.toContain('    at ');
  expect(stdout).not.toMatch(/Building|Starting|Finding/);
  expect(status).toBe(2);
});

test('the parts of the benchmark that the usage names are those that there are', () => {
  const { stderr } = runScript('bench', 'bogus');
  const named = /of the parts (.*)$/m.exec(stderr)?.[1]?.split(', ');
  const main = readFileSync(join(repository, 'bench/main.ts'), 'utf8');
  expect(named).toEqual([...main.matchAll(/^ {2}(\w+): bench\w+,$/gm)].map(([, part]) => part));
});

test('a release needs a version that is later than the last', () => {
  const { status, stderr } = runScript('release', '--bogus');
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('npm run release -- MAJOR.MINOR.PATCH'),
  ]);
});

test('secrets:rotate takes no argument, so that none that is meant to prevent it is ignored', () => {
  const { status, stderr } = runFile('dist/bin/rotate-secrets.js', ['--dry-run']);
  expect([status, stderr]).toEqual([78, 'Usage: npm run secrets:rotate\n']);
});
