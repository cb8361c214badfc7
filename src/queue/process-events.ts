/**
 * The queue of hints: which events are worth a look. The record in MongoDB is the truth, so a job that is lost, doubled
 * or half done does no harm, and Redis may be down, full or wiped without anybody waiting for it.
 *
 * Promises: `hint` returns at once, whatever Redis does; what is under way is bounded. Jobs carry ids only.
 * Must never: hold a payload or a key, or be waited for on the way to an answer.
 */
import { Queue } from 'bullmq';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { createBacklog } from './backlog.ts';
import { changesChannel } from './webhook-changes.ts';
import { connectFailFast, evictionPolicyFailure } from './connection.ts';

export const processEventsQueue = 'process-events';

export type ProcessEventsJob = {
  readonly webhookId: string;
  /** 1 to 100; exactly one when it has to be alone. */
  readonly eventIds: readonly string[];
  /** Not to be gathered with other jobs. */
  readonly alone?: true;
};

export const maxEventsPerJob = 100;

/** Jobs offered and not yet taken; beyond them a hint is dropped, and the sweeper makes it good. */
const maxOffered = 1_000;

export type EventQueue = {
  hint(job: ProcessEventsJob, delayMs?: number): void;
  /** Tells all that receive that a webhook has changed; returns at once, and tells nobody while Redis is away. */
  announceChange(webhookId: string): void;
  readonly isReady: boolean;
  /** Jobs waiting; rejects when Redis does not answer. */
  depth(): Promise<number>;
  /** What keeps the queue from being relied on now, in words. */
  readinessFailures(): Promise<string[]>;
  close(): Promise<void>;
};

export type QueueDeps = {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

export function createEventQueue(deps: QueueDeps): EventQueue {
  const redis = connectFailFast(deps.redisUrl, deps);
  const backlog = createBacklog();
  let queue: Queue | undefined;
  let offered = 0;

  // Made only once Redis answers, and without a question of its own: a queue that got no answer at birth never recovers.
  redis.on('ready', () => {
    if (queue) return;
    queue = new Queue(processEventsQueue, {
      connection: redis,
      prefix: deps.prefix,
      skipVersionCheck: true,
    });
    queue.on('error', (error) => deps.logger.debug({ err: error }, 'queue.error'));
  });

  async function offer(to: Queue, job: ProcessEventsJob, delayMs: number): Promise<void> {
    offered += 1;
    try {
      await to.add(processEventsQueue, job, {
        attempts: 1,
        removeOnComplete: true,
        removeOnFail: true,
        priority: backlog.add(job.webhookId, job.eventIds.length),
        ...(delayMs > 0 && { delay: delayMs }),
      });
      deps.metrics.hints.inc({ result: 'queued' });
    } catch (error) {
      deps.metrics.hints.inc({ result: 'failed' });
      deps.logger.debug({ err: error }, 'queue.hint_failed');
    } finally {
      offered -= 1;
    }
  }

  const isReady = () => queue !== undefined && redis.status === 'ready';
  return {
    hint(job, delayMs = 0) {
      if (queue && isReady() && offered < maxOffered) void offer(queue, job, delayMs);
      else deps.metrics.hints.inc({ result: 'dropped' });
    },
    announceChange(webhookId) {
      if (!isReady()) return;
      redis
        .publish(changesChannel(deps.prefix), webhookId)
        .catch((err: unknown) => deps.logger.debug({ err }, 'queue.notice_failed'));
    },
    get isReady() {
      return isReady();
    },
    async depth() {
      const counts = await queue?.getJobCounts('waiting', 'prioritized');
      return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
    },
    async readinessFailures() {
      if (!isReady()) return ['Redis does not answer'];
      const trouble = await evictionPolicyFailure(redis).catch(() => 'Redis does not answer');
      return trouble === null ? [] : [trouble];
    },
    async close() {
      await queue?.close();
      redis.disconnect();
    },
  };
}

type Hinted = { readonly _id: string; readonly webhookId: string; readonly alone?: boolean };

/** One job for each hundred events of a webhook, and one for each event that has to be alone. */
export function hintEvents(queue: Pick<EventQueue, 'hint'>, events: Iterable<Hinted>): void {
  const byWebhook = new Map<string, string[]>();
  for (const { _id, webhookId, alone } of events) {
    if (alone) queue.hint({ webhookId, eventIds: [_id], alone });
    else byWebhook.set(webhookId, [...(byWebhook.get(webhookId) ?? []), _id]);
  }
  for (const [webhookId, ids] of byWebhook) {
    for (let from = 0; from < ids.length; from += maxEventsPerJob) {
      queue.hint({ webhookId, eventIds: ids.slice(from, from + maxEventsPerJob) });
    }
  }
}
