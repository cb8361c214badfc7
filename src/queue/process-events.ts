/**
 * The queue of hints: jobs that say which events are worth claiming. The record in MongoDB is the truth, so a lost,
 * repeated or half-done job is harmless, and Redis may be down, full or wiped.
 *
 * Promises: `hint` returns at once in any state of Redis, and the jobs in flight and those in Redis are bounded. Jobs carry ids only.
 * Must never: hold a payload or a key, or delay an answer.
 */
import { Queue } from 'bullmq';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { createBacklog, highestPriority, type Backlog } from './backlog.ts';
import { invalidationChannels } from './invalidations.ts';
import { connectFailFast, connectionFailure, redisAway } from './connection.ts';
import { readOldestJobs } from './oldest-jobs.ts';
import { keyPrefixOf } from './redis-url.ts';
import { createStoredJobs } from './stored-jobs.ts';
import { findServerFailure, readSettings, unlinkKeys } from './server-info.ts';

export const processEventsQueue = 'process-events';

type WebhookEvents = { readonly webhookId: string; readonly eventIds: readonly string[] };

export type ProcessEventsJob = {
  /** 1 to 100 events in all; exactly one when `alone` is set. */
  readonly groups: readonly WebhookEvents[];
  /** The event must not share a set with others. */
  readonly alone?: true;
};

export const eventIdsOf = ({ groups }: ProcessEventsJob): string[] =>
  groups.flatMap(({ eventIds }) => eventIds);

export const maxEventsPerJob = 100;

/** Jobs that Redis has not accepted yet. Beyond them a hint is dropped, and the sweeper sends it later. */
const maxInFlight = 1_000;

export type EventQueue = ReturnType<typeof createEventQueue>;

export type QueueDeps = {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

export function createEventQueue(deps: QueueDeps) {
  const redis = connectFailFast(deps.redisUrl, deps);
  const backlog = createBacklog();
  const channels = invalidationChannels(deps.prefix);
  let queue: Queue | undefined;
  let inFlight = 0;

  // Created once Redis answers, and without a version check: a BullMQ queue whose first command fails never recovers.
  redis.on('ready', () => {
    if (queue) return;
    queue = new Queue(processEventsQueue, {
      connection: redis,
      prefix: keyPrefixOf(deps.redisUrl, deps.prefix),
      skipVersionCheck: true,
    });
    queue.on('error', (error) => deps.logger.debug({ err: error }, 'queue.error'));
  });

  async function addJob(to: Queue, { job, priority }: PlannedJob, delayMs: number): Promise<void> {
    inFlight += 1;
    try {
      await to.add(processEventsQueue, job, { priority, ...(delayMs > 0 && { delay: delayMs }) });
      deps.metrics.hints.inc({ result: 'queued' });
    } catch (error) {
      deps.metrics.hints.inc({ result: 'failed' });
      deps.logger.debug({ err: error }, 'queue.hint_failed');
    } finally {
      inFlight -= 1;
    }
  }

  /** Returns at once. Without a connection the invalidation is dropped. */
  function publish(channel: string, id: string): void {
    if (!isReady()) return;
    redis
      .publish(channel, id)
      .catch((err: unknown) => deps.logger.debug({ err }, 'queue.invalidation_failed'));
  }

  const stored = createStoredJobs(() => queue);
  const isReady = () => queue !== undefined && redis.status === 'ready';
  return {
    /** Webhooks without a backlog share jobs. One with a backlog gets jobs of its own, which wait behind the others. */
    hint(job: ProcessEventsJob, delayMs = 0): void {
      for (const planned of planJobs(backlog, job)) {
        const mayAdd = isReady() && inFlight < maxInFlight && stored.hasPlaceFor(planned, delayMs);
        if (queue && mayAdd) void addJob(queue, planned, delayMs);
        else deps.metrics.hints.inc({ result: 'dropped' });
      }
    },
    announceChange: (webhookId: string) => publish(channels.webhooks, webhookId),
    announceTokenChange: (tokenId: string) => publish(channels.tokens, tokenId),
    get isReady(): boolean {
      return isReady();
    },
    /** Resolves to the number of waiting jobs. Rejects when Redis does not answer. */
    depth: stored.countTakenNow,
    oldestJobs: async () => (queue ? readOldestJobs(queue, redis) : { front: null, behind: null }),
    /** Deletes the queue, and nothing else of Redis. Resolves to the number of keys. */
    flush: () =>
      unlinkKeys(redis, `${keyPrefixOf(deps.redisUrl, deps.prefix)}:${processEventsQueue}:*`),
    server: () => readSettings(redis),
    /** Returns why Redis is not connected, in words, or null. */
    connectionFailure: () => connectionFailure(redis),
    /** Resolves to what keeps the queue from working, in words; empty when it works. */
    async readinessFailures(): Promise<string[]> {
      if (!isReady()) return [connectionFailure(redis) ?? redisAway];
      const failure = await findServerFailure(redis).catch(() => redisAway);
      return failure === null ? [] : [failure];
    },
    async close(): Promise<void> {
      await queue?.close();
      redis.disconnect();
    },
  };
}

type PlannedJob = { readonly job: ProcessEventsJob; readonly priority: number };

/** Divides a hint into jobs of up to a hundred events. */
function planJobs(backlog: Backlog, { groups, alone }: ProcessEventsJob): readonly PlannedJob[] {
  const planned: PlannedJob[] = [];
  let shared: WebhookEvents[] = [];
  let sharedEvents = 0;
  const planShared = () => {
    if (shared.length > 0) planned.push({ job: { groups: shared }, priority: highestPriority });
    shared = [];
    sharedEvents = 0;
  };
  for (const group of groups.flatMap(chunksOf)) {
    const { webhookId, eventIds } = group;
    const priority = backlog.priorityFor(webhookId, eventIds.length);
    if (alone) planned.push({ job: { groups: [group], alone }, priority });
    else if (priority > highestPriority) planned.push({ job: { groups: [group] }, priority });
    else {
      if (sharedEvents + eventIds.length > maxEventsPerJob) planShared();
      shared.push(group);
      sharedEvents += eventIds.length;
    }
  }
  planShared();
  return planned;
}

function chunksOf({ webhookId, eventIds }: WebhookEvents): WebhookEvents[] {
  const chunks: WebhookEvents[] = [];
  for (let from = 0; from < eventIds.length; from += maxEventsPerJob) {
    chunks.push({ webhookId, eventIds: eventIds.slice(from, from + maxEventsPerJob) });
  }
  return chunks;
}

type HintedEvent = { readonly _id: string; readonly webhookId: string; readonly alone?: boolean };

/** Sends one hint for the events, and one for each event that must be processed alone. */
export function hintEvents(
  queue: Pick<EventQueue, 'hint'>,
  events: Iterable<HintedEvent>,
  delayMs = 0,
): void {
  const byWebhook = new Map<string, string[]>();
  for (const { _id, webhookId, alone } of events) {
    if (alone) queue.hint({ groups: [{ webhookId, eventIds: [_id] }], alone }, delayMs);
    else byWebhook.set(webhookId, [...(byWebhook.get(webhookId) ?? []), _id]);
  }
  const groups = [...byWebhook].map(([webhookId, eventIds]) => ({ webhookId, eventIds }));
  if (groups.length > 0) queue.hint({ groups }, delayMs);
}
