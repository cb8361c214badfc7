// `npm test [unit|integration|e2e]`: on a fresh clone too. Sets up, checks format, lint and types, starts
// one temporary MongoDB and Redis for all tests, finds a browser, runs jest, and ends with one line: N passed, N failed.
// Promises: a suite that cannot run, a skipped test and a failed check count as failed; nothing run is a
// failure; nothing stays behind, neither processes nor folders, also after Ctrl-C.
import { randomUUID } from 'node:crypto';
import { buildIfChanged } from './lib/build.mjs';
import { runChecks } from './lib/checks.mjs';
import { checkNode, installDependencies } from './lib/dependencies.mjs';
import { runJest, totalOf } from './lib/jest.mjs';
import { exitCodeOf, say, sayTrouble, since, step, Trouble } from './lib/say.mjs';
import { processesWith, stopProcess } from './lib/processes.mjs';
import { stopRunning } from './lib/run.mjs';
import { createReleases, listenForStop } from './lib/stopping.mjs';
import { makeTemporaryFolder, startServices, testEnvironment } from './lib/temporary.mjs';

const stop = listenForStop();
const mark = { INLET_TEST_RUN: randomUUID() };
const releases = createReleases();

/** What runs together. Whole processes wait more than they compute. */
const groups = {
  unit: { paths: ['test/unit/', 'test/[^/]+$'], except: [], workers: 2 },
  integration: {
    paths: ['test/'],
    except: ['test/unit/', 'test/[^/]+$', 'test/e2e/', 'test/chaos/'],
    workers: 4,
  },
  e2e: { paths: ['test/e2e/', 'test/chaos/'], except: [], workers: 3 },
};

/** @typedef {keyof typeof groups} Group */

/** @returns {Group[]} */
function chosenGroups() {
  const [word] = process.argv.slice(2);
  const all = /** @type {Group[]} */ (Object.keys(groups));
  if (word === undefined) return all;
  const chosen = all.filter((name) => name === word);
  if (chosen.length > 0) return chosen;
  throw new Trouble(`There are no tests called ${word}.`, {
    advice: [`say ${all.join(', ')} or nothing`],
  });
}

async function testAll() {
  const chosen = chosenGroups();
  checkNode();
  await installDependencies();
  await buildIfChanged();
  const isWhole = process.argv.length < 3;
  const results = isWhole ? [await runChecks()] : [];
  const folder = makeTemporaryFolder('test', releases);
  const browser = chosen.includes('e2e') ? await findBrowser() : {};
  const needsServices = chosen.some((name) => name !== 'unit');
  const services = needsServices
    ? await step('Starting MongoDB and Redis', () => startOwn(folder))
    : {};
  const env = { ...services, ...browser };
  releases.add(stopLeftovers);
  for (const name of chosen) {
    if (stop.isRequested()) break;
    say(`\nTests: ${name}`);
    results.push(await runJest(name, { ...groups[name], env: { ...env, ...mark }, folder }));
  }
  return totalOf(results);
}

/** What tests started and did not stop, found by the mark that they inherit. */
async function stopLeftovers() {
  const left = processesWith(`INLET_TEST_RUN=${mark.INLET_TEST_RUN}`);
  if (left.length === 0) return;
  say(`Stopping ${left.length} processes that tests left.`);
  await Promise.all(left.map((pid) => stopProcess(pid)));
}

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function findBrowser() {
  const { obtainChromium } = await import('./lib/find-chromium.mjs');
  const { path, version } = await obtainChromium();
  say(`Chromium: ${path}, version ${version}`);
  return { INLET_TEST_CHROMIUM: path };
}

/** @param {string} folder @returns {Promise<NodeJS.ProcessEnv>} */
async function startOwn(folder) {
  const services = await startServices(folder, releases);
  return {
    ...testEnvironment(services),
    INLET_TEST_MONGOD: services.mongodb.program,
    INLET_TEST_REDIS_SERVER: services.redis.program,
  };
}

const startedAt = performance.now();
const running = testAll();
let total = { passed: 0, failed: 0 };
let exitCode = 1;
try {
  const ended = await Promise.race([running, stop.requested]);
  if (typeof ended === 'string') say(`\nStopping (${ended}) …`);
  else total = ended;
  if (total.failed === 0 && total.passed > 0) exitCode = 0;
} catch (error) {
  sayTrouble(error);
  exitCode = exitCodeOf(error);
  total.failed += 1;
}
stopRunning();
await releases.run();
if (stop.isRequested()) await running.catch(() => undefined);
await releases.run();
say(`\nTook ${since(startedAt)}.`);
say(`${total.passed} passed, ${total.failed} failed`);
process.exit(stop.isRequested() ? 130 : exitCode);
