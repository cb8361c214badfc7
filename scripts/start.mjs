// `npm start`: MongoDB and Redis unless they are given, then one server and INLET_WORKERS workers.
// Promises: prints the addresses in a few lines; restarts processes that die; on SIGTERM or Ctrl-C drains,
// stops what it started in reverse and leaves the data; leaves no process behind.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readArguments } from './lib/arguments.mjs';
import { openServices } from './lib/services/open-services.mjs';
import { loadEnvironmentFile, readSettings } from './lib/environment.mjs';
import { serveOps } from './lib/process/ops-server.mjs';
import { repository } from './lib/paths.mjs';
import {
  bold,
  exitCodeOf,
  print,
  printError,
  StepError,
  withoutCredentials,
} from './lib/output.mjs';
import { createCleanups, listenForStopSignals } from './lib/process/stop-signals.mjs';
import { createSupervisor } from './lib/process/supervisor.mjs';

/** @typedef {import('./lib/services/embedded-services.mjs').Service} Service */

/** With glibc's default of eight arenas for each core, a process takes 30 to 50 MB more. */
const fewArenas = { MALLOC_ARENA_MAX: '2' };

const stop = listenForStopSignals();
const releases = createCleanups();

async function bringUp() {
  readArguments('npm start; settings are environment variables, as docs/settings.md says');
  const env = loadEnvironmentFile();
  const settings = readSettings(env);
  const supervisor = createSupervisor({
    children: childrenFor(settings.workers),
    onRefused: () => stop.fail(configurationError()),
  });
  void stop.forced.then(supervisor.kill);
  const ops = await serveOps({
    host: settings.opsHost,
    port: settings.opsPort,
    metrics: supervisor.metrics,
    restarts: supervisor.restarts,
    serverOpsUrl: supervisor.serverOpsUrl,
  });
  releases.add(ops.close);
  const services = await openServices(env, releases);
  if (stop.isRequested()) return;
  releases.add(() => supervisor.stop());
  const urls = { MONGODB_URL: services.mongodb.url, REDIS_URL: services.redis.url };
  const keys = await secretKeysFor(env, services);
  supervisor.start({
    env: { ...fewArenas, ...env, ...urls, ...keys, INLET_OPS_PORT: '0' },
    onServerReady: printToken,
    onAllReady: (server) => printReady(server, { ...services, opsUrl: ops.url }),
  });
}

/** @param {number} workers */
function childrenFor(workers) {
  const worker = join(repository, 'dist/bin/worker.js');
  const numbers = Array.from({ length: workers }, (_, index) => index + 1);
  return [
    { name: 'The server', script: join(repository, 'dist/bin/server.js') },
    ...numbers.map((number) => ({ name: `Worker ${number}`, script: worker })),
  ];
}

/**
 * A database of our own comes with a key of our own, in production too. Where the database is elsewhere, the roles see to it.
 * @param {NodeJS.ProcessEnv} env
 * @param {{ folder?: string }} services
 */
async function secretKeysFor(env, { folder }) {
  if (folder === undefined || env.MONGODB_URL?.trim() || env.INLET_SECRET_KEYS?.trim()) return {};
  const built = pathToFileURL(join(repository, 'dist/src/base/secrets/local-keys.js')).href;
  /** @type {typeof import('../src/base/secrets/local-keys.ts')} */
  const { readLocalKeys } = await import(built);
  return { INLET_SECRET_KEYS: readLocalKeys(folder).join(',') };
}

const configurationError = () =>
  new StepError('The server refused to start with this configuration; its reasons are above.', {
    exitCode: 78,
  });

/**
 * The server says it once, so it is printed at once: a worker that does not get ready, or a crash, would hide it for ever.
 * @param {import('./lib/process/supervisor.mjs').Ready} server
 */
function printToken({ adminToken, adminTokenFile }) {
  if (adminToken) print(bold(`Admin token (shown once): ${adminToken}`));
  if (adminTokenFile) print(bold(`Admin token: in ${adminTokenFile}`));
}

/**
 * @param {import('./lib/process/supervisor.mjs').Ready} server
 * @param {{ mongodb: Service, redis: Service, folder?: string, opsUrl: string }} parts
 */
function printReady(server, { mongodb, redis, folder, opsUrl }) {
  const lines = [
    ['Console', server.url ?? ''],
    ['API', `${server.url ?? ''}/v1, described at ${server.url ?? ''}/docs/api`],
    ['Operations', `${opsUrl} (/healthz, /readyz, /metrics)`],
    ['MongoDB', `${withoutCredentials(mongodb.url)}, ${mongodb.about}`],
    ['Redis', `${withoutCredentials(redis.url)}, ${redis.about}`],
    ...(folder ? [['Data', folder]] : []),
    ['To stop', 'Ctrl-C or SIGTERM; the data stays'],
  ];
  const block = [
    `\n${bold('Inlet is ready')}`,
    ...lines.map(([label = '', text = '']) => `  ${label.padEnd(14)}${text}`),
    '',
  ];
  print(block.join('\n')); // one write, so that output of the children does not come in between
}

process.stdout.on('error', () => undefined); // the terminal may close first
const running = bringUp().catch(stop.fail);
let exitCode = 0;
try {
  print(`Stopping (${await stop.requested}): draining, then the databases …`);
} catch (error) {
  exitCode = exitCodeOf(error);
  printError(error);
}
await releases.run();
await Promise.race([running, pause(10_000)]); // a cancelled start ends without help
await releases.run();
print('Stopped.');
process.exit(exitCode);
