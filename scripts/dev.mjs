// `npm run dev`: MongoDB and Redis unless they are given, then a server, a worker and the console's development server. A changed
// source is compiled, and the server and the worker start again; the console reloads in the browser. Ctrl-C stops everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { buildIfChanged } from './lib/build/build.mjs';
import { loadEnvironmentFile } from './lib/environment.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { exitCodeOf, print, printError } from './lib/output.mjs';
import { repository } from './lib/paths.mjs';
import { stopCommands } from './lib/process/run-command.mjs';
import { createCleanups, listenForStopSignals } from './lib/process/stop-signals.mjs';

const stop = listenForStopSignals();
const cleanups = createCleanups();

async function start() {
  checkNode();
  readArguments('npm run dev');
  await installDependencies();
  await buildIfChanged();
  const env = loadEnvironmentFile();
  const { openServices } = await import('./lib/services/open-services.mjs');
  const { mongodb, redis } = await openServices(env, cleanups);
  if (stop.isRequested()) return;
  const port = env.INLET_PORT?.trim() || '8080';
  const urls = { MONGODB_URL: mongodb.url, REDIS_URL: redis.url };
  const roleEnv = { ...env, ...urls, INLET_PORT: port, INLET_OPS_PORT: '0' };
  const tool = (/** @type {string} */ name) => join(repository, 'node_modules/.bin', name);
  const watch = ['--watch', '--watch-preserve-output', '--enable-source-maps'];
  run(tool('tsc'), ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], env);
  run(process.execPath, [...watch, 'dist/src/server.js'], roleEnv);
  run(process.execPath, [...watch, 'dist/workers/main.js'], roleEnv);
  run(tool('vite'), ['web'], { ...env, INLET_URL: env.INLET_URL ?? `http://127.0.0.1:${port}` });
}

/** Starts a command that runs until the end; everything stops when it ends. */
function run(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ env,
) {
  const child = spawn(command, args, {
    cwd: repository,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.once('error', stop.fail);
  child.once('exit', (code) => {
    if (!stop.isRequested())
      stop.fail(new Error(`${command} ${args.join(' ')} ended (code ${code}).`));
  });
  cleanups.add(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await ended;
  });
}

const running = start().catch(stop.fail);
try {
  print(`Stopping (${await stop.requested}) …`);
} catch (error) {
  process.exitCode = exitCodeOf(error);
  printError(error);
}
stopCommands();
await cleanups.run();
await running;
await cleanups.run();
process.exit();
