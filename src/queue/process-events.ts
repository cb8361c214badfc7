/**
 * The queue of hints: jobs that say which events are worth claiming. The record in MongoDB is the truth, so a lost,
 * repeated or half-done job is harmless, and Redis may be down, full or wiped.
 *
 * Promises: `hint` returns at once in any state of Redis, and the jobs in flight are bounded. Jobs carry ids only.
 * Must never: hold a payload or a key, or delay an answer.
 */
import { Queue } from 'bullmq';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { createBacklog } from './backlog.ts';
import { noticeChannels } from './change-notices.ts';
import { connectFailFast, evictionPolicyFailure } from './connection.ts';

export const processEventsQueue = 'process-events';

export type ProcessEventsJob = {
  readonly webhookId: string;
  /** 1 to 100; exactly one when `alone` is set. */
  readonly eventIds: readonly string[];
  /** The event must not share a set with others. */
  readonly alone?: true;
};

export const maxEventsPerJob = 100;

/** Jobs that Redis has not accepted yet. Beyond them a hint is dropped, and the sweeper sends it later. */
const maxInFlight = 1_000;

export type EventQueue = {
  hint(job: ProcessEventsJob, delayMs?: number): void;
  /** Publishes that a webhook has changed. Returns at once; without a connection the notice is dropped. */
  announceChange(webhookId: string): void;
  /** The same for a token. */
  announceTokenChange(tokenId: string): void;
  readonly isReady: boolean;
  /** Resolves to the number of waiting jobs. Rejects when Redis does not answer. */
  depth(): Promise<number>;
  /** Resolves to what keeps the queue from working, in words; empty when it works. */
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
  const channels = noticeChannels(deps.prefix);
  let queue: Queue | undefined;
  let inFlight = 0;

  // Created once Redis answers, and without a version check: a BullMQ queue whose first command fails never recovers.
  redis.on('ready', () => {
    if (queue) return;
    queue = new Queue(processEventsQueue, {
      connection: redis,
      prefix: deps.prefix,
      skipVersionCheck: true,
    });
    queue.on('error', (error) => deps.logger.debug({ err: error }, 'queue.error'));
  });

  async function addJob(to: Queue, job: ProcessEventsJob, delayMs: number): Promise<void> {
    inFlight += 1;
    try {
      await to.add(processEventsQueue, job, {
        attempts: 1,
        removeOnComplete: true,
        removeOnFail: true,
        priority: backlog.priorityFor(job.webhookId, job.eventIds.length),
        ...(delayMs > 0 && { delay: delayMs }),
      });
      deps.metrics.hints.inc({ result: 'queued' });
    } catch (error) {
      deps.metrics.hints.inc({ result: 'failed' });
      deps.logger.debug({ err: error }, 'queue.hint_failed');
    } finally {
      inFlight -= 1;
    }
  }

  function publish(channel: string, id: string): void {
    if (!isReady()) return;
    redis
      .publish(channel, id)
      .catch((err: unknown) => deps.logger.debug({ err }, 'queue.notice_failed'));
  }

  const isReady = () => queue !== undefined && redis.status === 'ready';
  return {
    hint(job, delayMs = 0) {
      if (queue && isReady() && inFlight < maxInFlight) void addJob(queue, job, delayMs);
      else deps.metrics.hints.inc({ result: 'dropped' });
    },
    announceChange: (webhookId) => publish(channels.webhooks, webhookId),
    announceTokenChange: (tokenId) => publish(channels.tokens, tokenId),
    get isReady() {
      return isReady();
    },
    async depth() {
      const counts = await queue?.getJobCounts('waiting', 'prioritized');
      return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
    },
    async readinessFailures() {
      if (!isReady()) return ['Redis does not answer'];
      const failure = await evictionPolicyFailure(redis).catch(() => 'Redis does not answer');
      return failure === null ? [] : [failure];
    },
    async close() {
      await queue?.close();
      redis.disconnect();
    },
  };
}

type HintedEvent = { readonly _id: string; readonly webhookId: string; readonly alone?: boolean };

/** Sends one hint for each hundred events of a webhook, and one for each event that must be processed alone. */
export function hintEvents(queue: Pick<EventQueue, 'hint'>, events: Iterable<HintedEvent>): void {
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
