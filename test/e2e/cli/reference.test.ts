// The reference and the completion come from the commands themselves.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { commandPage } from '../../../scripts/lib/command-page.mjs';
import { repository } from '../../../scripts/lib/paths.mjs';
import { runCommandLine } from '../../support/processes/command.ts';

const run = (args: string) => runCommandLine(args.split(' '), { cwd: tmpdir() });

test('docs/cli.md is what `npm run docs` writes', () => {
  expect(readFileSync(join(repository, 'docs/cli.md'), 'utf8')).toBe(commandPage());
});

test('every command has an example, in its help too', async () => {
  const sections = commandPage().split('\n### ').slice(1);
  expect(sections.length).toBeGreaterThan(10);
  expect(sections.filter((one) => !/```sh\n.*inlet /.test(one))).toEqual([]);
  expect((await run('apply --help')).stdout).toContain('Example:\n  $ inlet apply -f inlet/');
  expect((await run('--help')).stdout).toContain('7  A record changed on the server');
});

test('the completion of bash knows the commands and their words', async () => {
  const { stdout } = await run('completion bash');
  const typed = `COMP_WORDS=(inlet webhooks ''); COMP_CWORD=2; _inlet; echo "\${COMPREPLY[@]}"`;
  const words = execFileSync('bash', ['-c', `${stdout}\n${typed}`], { encoding: 'utf8' });
  expect(words.trim()).toBe('ls show');
  expect(await run('completion tcsh')).toMatchObject({ code: 3 });
});
