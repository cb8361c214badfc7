// A MongoDB and a Redis for one run, over a temporary folder that is removed after them.
// Imported before the dependencies are there: what needs them is loaded when it is called.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {ReturnType<typeof import('./stopping.mjs').createReleases>} Releases */

/** @param {string} name of the folder's beginning @param {Releases} releases @returns {string} its path */
export function makeTemporaryFolder(name, releases) {
  const folder = mkdtempSync(join(tmpdir(), `inlet-${name}-`));
  releases.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * @param {string} folder
 * @param {Releases} releases
 * @returns {Promise<{ mongodb: Service, redis: Service }>}
 * @typedef {import('./embedded.mjs').Service} Service
 */
export async function startServices(folder, releases) {
  const { createEmbedded } = await import('./embedded.mjs');
  const { start } = createEmbedded(folder, releases.add);
  const [mongodb, redis] = await Promise.all([start('mongodb'), start('redis')]);
  return { mongodb, redis };
}

/**
 * The environment of tests: their database has `test` in its name.
 * @param {{ mongodb: Service, redis: Service }} services
 */
export function testEnvironment({ mongodb, redis }) {
  const url = new URL(mongodb.url);
  url.pathname = '/inlet_test';
  return { MONGODB_URL: url.href, REDIS_URL: redis.url };
}
