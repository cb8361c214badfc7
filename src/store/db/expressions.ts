/** Pieces of update pipelines. */

/** A value that MongoDB must not read as an expression. Text from outside is always wrapped: it may begin with `$`. */
export const literal = (value: unknown) => ({ $literal: value });

/** The database's time plus so many milliseconds. */
export const msFromNow = (ms: number | object) => ({ $add: ['$$NOW', ms] });
