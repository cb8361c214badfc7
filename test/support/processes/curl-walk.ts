// The commands of docs/walk.md, from a channel to a message.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../../scripts/lib/paths.mjs';

const page = readFileSync(join(repository, 'docs/walk.md'), 'utf8');

export const walkBlocks = [...page.matchAll(/^```bash\n([^]*?)^```$/gm)].map(
  ([, block = '']) => block,
);

/** What an interactive bash writes when the first block is pasted into it without a token. */
export function pasteWithoutToken(url: string): Promise<string> {
  const { INLET_TOKEN: _token, ...env } = process.env;
  return new Promise((resolve) => {
    const shell = execFile(
      'bash',
      ['--norc', '--noprofile', '-i'],
      { env: { ...env, INLET_URL: url, PS1: '', PS2: '' }, timeout: 150_000 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
    shell.stdin?.end(walkBlocks[0]);
  });
}

/** Runs the first block in bash. Rejects when a command fails. Resolves to its lines. */
export async function runWalk(target: { url: string; token: string }): Promise<string[]> {
  const [block = ''] = walkBlocks;
  // Without -e a failed step would go unnoticed; execFile rejects unless bash exits with 0.
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block], {
    env: { ...process.env, INLET_URL: target.url, INLET_TOKEN: target.token },
    timeout: 150_000,
  });
  return stdout.trim().split('\n');
}
