/**
 * Entry point of the image: starts the role that the first argument names, the server by default. The process itself becomes
 * the role, so that signals reach it.
 */
import { runMain, StartupError } from './base/process/startup.ts';

/** Importing an entry point starts it. */
const roles: ReadonlyMap<string, () => Promise<unknown>> = new Map([
  ['server', () => import('./server.ts')],
  ['worker', () => import('../workers/main.ts')],
  ['migrate', () => import('./migrate.ts')],
  ['rotate-secrets', () => import('./rotate-secrets.ts')],
]);

async function main(): Promise<void> {
  const [name = 'server', ...rest] = process.argv.slice(2);
  const start = rest.length === 0 ? roles.get(name) : undefined;
  if (!start)
    throw new StartupError(`The only argument is a role: ${[...roles.keys()].join(', ')}`);
  await start();
}

runMain(main);
