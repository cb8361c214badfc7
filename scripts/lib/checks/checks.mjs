// Format, lint and types: the checks of `npm run check`, each reported separately.
import { join } from 'node:path';
import { repository } from '../paths.mjs';
import { runCommand } from '../process/run-command.mjs';
import { dim, print, elapsed, warn } from '../output.mjs';

const tool = (/** @type {string} */ name) => join(repository, 'node_modules/.bin', name);
const script = (/** @type {string} */ name) => join(repository, 'scripts', name);

/** @type {{ name: string, command: string, args: string[] }[]} */
const checks = [
  { name: 'format', command: tool('oxfmt'), args: ['--check', '.'] },
  { name: 'lint', command: tool('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: tool('tsc'), args: [] },
  { name: 'console types', command: tool('tsc'), args: ['-p', 'web'] },
  { name: 'api', command: process.execPath, args: [script('api.mjs'), '--check'] },
];

/**
 * One after the other, because tests run at the same time. At low priority a check would come near the time limit of a
 * command. A check that fails counts as one failure; the others still run.
 */
export async function runChecks() {
  let failed = 0;
  for (const check of checks) if (!(await isFine(check))) failed += 1;
  return { passed: 0, failed };
}

/** @param {(typeof checks)[number]} check */
async function isFine({ name, command, args }) {
  const startedAt = performance.now();
  const { code, output } = await runCommand(command, args, { cwd: repository });
  if (code === 0) {
    print(`Check ${name}: fine ${dim(elapsed(startedAt))}`);
    return true;
  }
  warn(`Check ${name}: failed (${command} ${args.join(' ')})`);
  print(output.trim());
  return false;
}
