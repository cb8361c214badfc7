/** Parts of update pipelines. */

/** Marks a value that MongoDB must not evaluate. External text is always marked, because it may begin with `$`. */
export const literal = (value: unknown) => ({ $literal: value });

/** Returns an expression for the database's time plus `ms` milliseconds. */
export const msFromNow = (ms: number | object) => ({ $add: ['$$NOW', ms] });
