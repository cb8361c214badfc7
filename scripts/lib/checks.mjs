// Format, lint and types: what `npm run check` does, each said by itself.
import { join } from 'node:path';
import { repository } from './places.mjs';
import { run } from './run.mjs';
import { faint, say, since, warn } from './say.mjs';

const tool = (/** @type {string} */ name) => join(repository, 'node_modules/.bin', name);
const script = (/** @type {string} */ name) => join(repository, 'scripts', name);

/** @type {{ name: string, command: string, args: string[] }[]} */
const checks = [
  { name: 'format', command: tool('prettier'), args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'lint', command: tool('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: tool('tsc'), args: [] },
  { name: 'console types', command: tool('tsc'), args: ['-p', 'web'] },
  { name: 'api', command: process.execPath, args: [script('api.mjs'), '--check'] },
];

/** All at once. A check that fails counts as one failure; the others still run. */
export async function runChecks() {
  const areFine = await Promise.all(checks.map(isFine));
  return { passed: 0, failed: areFine.filter((fine) => !fine).length };
}

/** @param {(typeof checks)[number]} check */
async function isFine({ name, command, args }) {
  const startedAt = performance.now();
  const { code, output } = await run(command, args, { cwd: repository });
  if (code === 0) {
    say(`Check ${name}: fine ${faint(since(startedAt))}`);
    return true;
  }
  warn(`Check ${name}: failed (${command} ${args.join(' ')})`);
  say(output.trim());
  return false;
}
