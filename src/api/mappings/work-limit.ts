/**
 * Limits what previews, suggestions and comparisons cost this process.
 *
 * Promises: a request does a bounded amount of work, in pieces, with other requests served in between. A token has a bounded
 * amount of work over time. The router bounds how many such requests a token has in progress.
 */
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import {
  createEventLoopYield,
  yieldToEventLoop,
} from '../../base/concurrency/yield-to-event-loop.ts';
import { AppError, invalidField } from '../../base/errors.ts';
import { createTokenBucket } from '../../base/rate-limit/token-bucket.ts';
import {
  charge,
  createWorkBudget,
  WorkBudgetExceeded,
  type WorkBudget,
} from '../../mapping/expressions/work-budget.ts';
import { maxWorkPerRequest, suggestStepUnits } from '../../mapping/work-limits.ts';

export type RequestWork = {
  readonly budget: WorkBudget;
  readonly pause: () => Promise<void>;
};

export type LimitWork = <Result>(
  tokenId: string,
  run: (work: RequestWork) => Promise<Result>,
) => Promise<Result>;

/** A step is 5 ms of work. A token may do three of the longest requests at once, and then 5 % of a core. */
const unitsPerStep = 100_000;
const rate = { burst: (3 * maxWorkPerRequest) / unitsPerStep, everyMs: 100 } as const;
const maxTokens = 10_000;

/** Returns a function that runs a request. It rejects with `rate_limited`, and `invalid_field` beyond the budget. */
export function createWorkLimit({ clock = systemClock }: { readonly clock?: Clock }): LimitWork {
  const spent = createTokenBucket({ max: maxTokens, nowMs: () => clock.elapsedMs() });

  return async function limitWork(tokenId, run) {
    const { retryAfterMs } = spent.take(tokenId, rate);
    if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
    const budget = createWorkBudget(maxWorkPerRequest);
    try {
      await yieldToEventLoop();
      return await run({ budget, pause: createEventLoopYield(clock) });
    } catch (error) {
      throw error instanceof WorkBudgetExceeded ? tooMuchWork() : error;
    } finally {
      const units = maxWorkPerRequest - Math.max(budget.remaining, 0);
      spent.charge(tokenId, rate, Math.floor(units / unitsPerStep));
    }
  };
}

/** Takes the steps of a suggestion or a repair one by one, and charges them to the request. */
export async function inSteps<Result>(
  steps: Generator<undefined, Result>,
  { budget, pause }: RequestWork,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    charge(budget, suggestStepUnits);
    await pause();
  }
}

const tooMuchWork = (): AppError => invalidField('', 'field.too_much_work');
