// Format, lint and types: what `npm run check` does, each said by itself.
import { join } from 'node:path';
import { repository } from './places.mjs';
import { run } from './run.mjs';
import { faint, say, since, warn } from './say.mjs';

const tool = (/** @type {string} */ name) => join(repository, 'node_modules/.bin', name);

/** @type {{ name: string, command: string, args: string[] }[]} */
const checks = [
  { name: 'format', command: 'prettier', args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: [] },
];

/** A check that fails counts as one failure; the others still run. */
export async function runChecks() {
  let failed = 0;
  for (const { name, command, args } of checks) {
    const startedAt = performance.now();
    const { code, output } = await run(tool(command), args, { cwd: repository });
    if (code === 0) {
      say(`Check ${name}: fine ${faint(since(startedAt))}`);
      continue;
    }
    failed += 1;
    warn(`Check ${name}: failed (${command} ${args.join(' ')})`);
    say(output.trim());
  }
  return { passed: 0, failed };
}
