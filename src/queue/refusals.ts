/** Errors of Redis that waiting does not resolve, in words for the operator. */

const refusals: readonly (readonly [RegExp, string])[] = [
  [/^NOAUTH/, 'Redis needs a password, and REDIS_URL has none'],
  [
    /^WRONGPASS|invalid password|AUTH <password>/,
    'Redis refused the user or the password of REDIS_URL',
  ],
  [
    /^NOPERM/,
    'The user of REDIS_URL lacks a permission; docs/databases.md#redis has the commands that Inlet uses',
  ],
  [/DB index is out of range/, 'REDIS_URL names a database that Redis does not have'],
  [
    /cluster support disabled/,
    'REDIS_URL is redis+cluster://, and the server is not part of a cluster; use redis://',
  ],
];

/** Returns what is wrong, or null when Redis may answer later. Of a cluster, the error of the last node counts. */
export function refusalOf(error: Error): string | null {
  const { message } = 'lastNodeError' in error ? (error.lastNodeError as Error) : error;
  return refusals.find(([shape]) => shape.test(message))?.[1] ?? null;
}
