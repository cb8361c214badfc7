// The output of the scripts: one line for each step, with its duration.
// Uses colour only on a terminal. Must never print a secret: URLs go through withoutCredentials.

const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const paint = (/** @type {string} */ code, /** @type {string} */ text) =>
  colour ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = (/** @type {string} */ text) => paint('1', text);
export const dim = (/** @type {string} */ text) => paint('2', text);

/** A step that failed, with what was tried and what a person can do about it. */
export class StepError extends Error {
  /**
   * @param {string} message
   * @param {{ tried?: string[], advice?: string[], exitCode?: number, cause?: unknown }} [more]
   */
  constructor(message, more = {}) {
    super(message, { cause: more.cause });
    this.name = 'Trouble';
    this.tried = more.tried ?? [];
    this.advice = more.advice ?? [];
    this.exitCode = more.exitCode ?? 1;
  }
}

/** @param {string} line */
export function print(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {string} line */
export function warn(line) {
  process.stderr.write(`${paint('33', line)}\n`);
}

/** @param {unknown} error */
export function printError(error) {
  const red = (/** @type {string} */ text) => paint('31', text);
  if (!(error instanceof StepError)) {
    process.stderr.write(
      `${red('Unexpected:')} ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    return;
  }
  process.stderr.write(`${red(error.message)}\n`);
  for (const line of error.tried) process.stderr.write(`  tried: ${line}\n`);
  for (const line of error.advice) process.stderr.write(`  you can: ${line}\n`);
}

/** @param {unknown} error */
export const exitCodeOf = (error) => (error instanceof StepError ? error.exitCode : 1);

/** @param {number} startedAt from performance.now() */
export const elapsed = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

/**
 * Runs one step that takes a while: says what begins, and how long it took.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const startedAt = performance.now();
  print(`${label} …`);
  try {
    const result = await work();
    print(dim(`${label}: done in ${elapsed(startedAt)}`));
    return result;
  } catch (error) {
    print(`${label}: failed after ${elapsed(startedAt)}`);
    throw error;
  }
}

/** @param {string} url */
export function withoutCredentials(url) {
  return url.replace(/\/\/[^@/]*@/, '//***@').replace(/\?.*$/, '');
}
