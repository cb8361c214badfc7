/**
 * Computes previews, comparisons, suggestions and repairs in a thread, and limits what they cost this process.
 *
 * Promises: the event loop goes on. A request does a bounded amount of work, which is counted and not timed, so the same request
 * always has the same answer. A token has a bounded amount of work over time, and tokens that wait take turns. The router bounds
 * how many such requests a token has in progress. A computation beyond the deadline ends the thread and is answered `overloaded`.
 */
import type { Clock } from '../../base/clock.ts';
import { createFairQueue } from '../../base/concurrency/fair-queue.ts';
import { AppError } from '../../base/errors.ts';
import { createTaskThread, threadFile, type TaskThread } from '../../base/process/task-thread.ts';
import { createTokenBucket } from '../../base/rate-limit/token-bucket.ts';
import { maxWorkPerRequest } from '../../mapping/work-limits.ts';
import type {
  ComputationKind,
  ComputeReply,
  ComputeRequest,
  ResultOf,
  TaskOf,
} from './computer.ts';

/** A step is 5 ms of work. A token may do three of the longest requests at once, and then 5 % of a core. */
const unitsPerStep = 100_000;
const rate = { burst: (3 * maxWorkPerRequest) / unitsPerStep, everyMs: 100 } as const;
const maxTokens = 10_000;
/** The router lets fewer in. */
const bounds = { maxWaiting: 100, maxWaitingOfGroup: 100 };
/** The most work of a request takes 0.5 s, and 3 s in the worst known case. */
const deadlineMs = 20_000;
/** Twenty samples of 1 MiB, decoded. */
const maxHeapMb = 512;
const retryAfterMs = 5_000;

export type ComputeThread = TaskThread<ComputeRequest, ComputeReply>;

export type Computing = {
  /** `read` is called at the turn of the request. Rejects with `rate_limited`, `overloaded`, and what the computation throws. */
  readonly compute: <Kind extends ComputationKind>(
    tokenId: string,
    kind: Kind,
    read: () => Promise<TaskOf<Kind>>,
  ) => Promise<ResultOf<Kind>>;
  readonly close: () => Promise<void>;
};

const createComputeThread = (): ComputeThread =>
  createTaskThread({
    name: 'computation',
    file: threadFile(import.meta.dirname, 'computer'),
    deadlineMs,
    maxHeapMb,
  });

export function createComputing(
  { clock }: { readonly clock: Pick<Clock, 'elapsedMs'> },
  thread: ComputeThread = createComputeThread(),
): Computing {
  const spent = createTokenBucket({ max: maxTokens, nowMs: () => clock.elapsedMs() });
  const queue = createFairQueue(bounds);
  const charge = (tokenId: string, units: number) =>
    spent.charge(tokenId, rate, Math.floor(units / unitsPerStep));

  async function run(tokenId: string, request: ComputeRequest): Promise<ComputeReply> {
    try {
      const reply = await thread.run(request);
      charge(tokenId, reply.units);
      return reply;
    } catch (cause) {
      charge(tokenId, maxWorkPerRequest);
      const internal = 'A computation failed in its thread.';
      throw new AppError('overloaded', { retryAfterMs, cause, internal });
    }
  }

  return {
    async compute(tokenId, kind, read) {
      const { retryAfterMs: waitMs } = spent.take(tokenId, rate);
      if (waitMs > 0) throw new AppError('rate_limited', { retryAfterMs: waitMs });
      const reply = await queue(tokenId, async () => run(tokenId, { kind, task: await read() }));
      return resultOf(reply) as ResultOf<typeof kind>;
    },
    close: thread.close,
  };
}

function resultOf(reply: ComputeReply): unknown {
  if (reply.ok) return reply.result;
  if (reply.error === null) throw new Error(`A computation failed: ${reply.failure}`);
  const { code, details, message } = reply.error;
  throw new AppError(code, { details, internal: message });
}
