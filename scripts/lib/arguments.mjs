// The arguments of a script. One that a script does not take is a mistake, and is not ignored.
import { parseArgs } from 'node:util';
import { StepError } from './output.mjs';

/** The exit code of wrong arguments. */
const wrongUsage = 2;

/** @param {string} problem @param {string} usage */
export const usageError = (problem, usage) =>
  new StepError(`${problem}\nUsage: ${usage}`, { exitCode: wrongUsage });

/**
 * Throws StepError with the usage. Without options, a script takes no arguments.
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {string} usage
 * @param {Config} [config]
 */
export function readArguments(usage, config) {
  try {
    return parseArgs(/** @type {Config} */ (config ?? {}));
  } catch (error) {
    const [problem = ''] = /** @type {Error} */ (error).message.split('. ', 1);
    throw usageError(`${problem.replace(/\.$/, '')}.`, usage);
  }
}
