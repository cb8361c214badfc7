/**
 * Entry point of the image: starts the role that the first argument names, the server by default. The process itself becomes
 * the role, so that signals reach it. Further arguments are the role's.
 */
import { runMain, StartupError } from './base/process/startup.ts';

/** Functions that start a role: the import of its entry point does so. */
const roles: ReadonlyMap<string, () => Promise<unknown>> = new Map([
  ['server', () => import('./server.ts')],
  ['worker', () => import('../workers/main.ts')],
  ['migrate', () => import('./migrate.ts')],
  ['rotate-secrets', () => import('./rotate-secrets.ts')],
]);

async function main(): Promise<void> {
  // Roles read their arguments from there.
  const [name = 'server'] = process.argv.splice(2, 1);
  const start = roles.get(name);
  if (!start) {
    throw new StartupError(`The first argument must be a role: ${[...roles.keys()].join(', ')}`);
  }
  await start();
}

runMain(main);
