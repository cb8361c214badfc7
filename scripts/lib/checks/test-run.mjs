// What a run of tests needs, each where it is needed: the build, MongoDB and Redis, a browser and other programs.
import { randomUUID } from 'node:crypto';
import { buildIfChanged } from '../build/build.mjs';
import { findOrInstallTools } from '../install/test-tools.mjs';
import { print, step } from '../output.mjs';
import { processesWithVariable, stopProcess } from '../process/processes.mjs';
import { openTestServices } from '../services/test-services.mjs';

/**
 * @typedef {import('../install/test-tools.mjs').Needs} Needs
 * @typedef {ReturnType<typeof import('../process/stop-signals.mjs').createCleanups>} Releases
 */

/**
 * Services and the browser are opened once, at the first need.
 * @param {string} folder temporary
 * @param {Releases} releases
 */
export function createTestRun(folder, releases) {
  const mark = { INLET_TEST_RUN: randomUUID() };
  const releaseLeftovers = () => releases.add(() => stopLeftovers(mark.INLET_TEST_RUN));
  releaseLeftovers();
  const openOnce = once(async () => {
    const env = await step('Opening MongoDB and Redis', () => openTestServices(folder, releases));
    // Before the services: a process that lives on would write to a database that was dropped.
    releaseLeftovers();
    return env;
  });
  const findBrowserOnce = once(findBrowser);
  return {
    /** All at the same time. @param {Needs} needs */
    prepare({ services, browser, build, tools }) {
      const built = build ? buildIfChanged() : Promise.resolve();
      const environment = Promise.all([
        services ? openOnce() : Promise.resolve({}),
        browser ? findBrowserOnce() : Promise.resolve({}),
        findOrInstallTools(tools),
      ]).then((/** @type {NodeJS.ProcessEnv[]} */ parts) => Object.assign({}, mark, ...parts));
      return { built, environment };
    },
  };
}

/** @template Result @param {() => Promise<Result>} work @returns {() => Promise<Result>} */
function once(work) {
  /** @type {Promise<Result> | undefined} */
  let done;
  return () => (done ??= work());
}

/** Stops processes that tests left running; they have the inherited mark. @param {string} mark */
async function stopLeftovers(mark) {
  const left = processesWithVariable(`INLET_TEST_RUN=${mark}`);
  if (left.length === 0) return;
  print(`Stopping ${left.length} processes that tests left.`);
  await Promise.all(left.map((pid) => stopProcess(pid)));
}

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function findBrowser() {
  const { findOrInstallChromium } = await import('../install/chromium.mjs');
  const { path, version } = await findOrInstallChromium();
  print(`Chromium: ${path}, version ${version}`);
  return { INLET_TEST_CHROMIUM: path };
}
