// The MongoDB and the Redis that the environment names; otherwise starts local servers over the data folder.
import { join } from 'node:path';
import { StepError } from '../output.mjs';
import { dataFolder } from '../paths.mjs';
import { acquireLock } from '../process/lock.mjs';
import { createEmbeddedServices } from './embedded-services.mjs';

/** @typedef {import('./embedded-services.mjs').Service} Service */

/**
 * Starts the missing servers, and adds their shutdown to the cleanups.
 * @param {NodeJS.ProcessEnv} env
 * @param {ReturnType<typeof import('../process/stop-signals.mjs').createCleanups>} cleanups
 * @returns {Promise<{ mongodb: Service, redis: Service, folder?: string }>} `folder`: where servers of our own keep their data
 * @throws {StepError} when another Inlet uses the data folder
 */
export async function openServices(env, cleanups) {
  const given = (/** @type {string | undefined} */ url) =>
    url?.trim() ? { url: url.trim(), program: '', about: 'as configured' } : undefined;
  const [mongodb, redis] = [given(env.MONGODB_URL), given(env.REDIS_URL)];
  if (mongodb && redis) return { mongodb, redis };
  const embedded = createEmbeddedServices(dataFolder(), cleanups.add);
  lockFolder(embedded.folder, cleanups);
  const [first, second] = await Promise.all([
    mongodb ?? embedded.start('mongodb'),
    redis ?? embedded.start('redis'),
  ]);
  return { mongodb: first, redis: second, folder: embedded.folder };
}

/** @param {string} folder @param {{ add: (release: () => void) => void }} cleanups */
function lockFolder(folder, cleanups) {
  const lock = acquireLock(join(folder, 'inlet.lock'));
  if ('release' in lock) return cleanups.add(lock.release);
  throw new StepError(`Inlet already runs on ${folder} (process ${lock.heldBy}).`, {
    advice: ['stop that one first, or give this one its own INLET_DATA_DIR'],
  });
}
