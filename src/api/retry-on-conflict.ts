import { AppError } from '../base/errors.ts';
import type { Failure, Result } from '../base/result.ts';

const maxTries = 5;

/** Repeats `attempt`, which reads what it changes, while a concurrent change makes it fail. Throws `conflict` after 5 attempts. */
export async function retryOnConflict<Value>(
  attempt: () => Promise<Result<Value, Failure>>,
): Promise<Value> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const changed = await attempt();
    if (changed.ok) return changed.value;
  }
  throw new AppError('conflict');
}
