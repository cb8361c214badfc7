// The environment of `npm start`: the process's own, then `.env` in the repository for what it lacks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './paths.mjs';
import { StepError } from './output.mjs';

/** Adds the values of `.env` that are not set, and returns the environment. */
export function loadEnvironmentFile() {
  const file = join(repository, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

/**
 * What the supervisor itself needs; the rest of the configuration is checked by the server.
 * @param {NodeJS.ProcessEnv} env
 */
export function readSettings(env) {
  /** @type {string[]} */
  const problems = [];
  const whole = (
    /** @type {string} */ name,
    /** @type {number[]} */ [fallback = 0, min = 0, max = 0],
  ) => {
    const text = env[name]?.trim() || String(fallback);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return fallback;
  };
  const settings = {
    workers: whole('INLET_WORKERS', [1, 1, 64]),
    opsHost: env.INLET_OPS_HOST?.trim() || '127.0.0.1',
    opsPort: whole('INLET_OPS_PORT', [9090, 0, 65_535]),
  };
  if (problems.length === 0) return settings;
  throw new StepError('The configuration is not right.', { advice: problems, exitCode: 78 });
}
