/** The age of waiting jobs. BullMQ keeps those with a priority in a sorted set: the score begins with the priority. */
import type { Queue } from 'bullmq';
import type { RedisConnection } from './connection.ts';

/** Scores of jobs with the highest priority, 1, are below it. */
const behindScore = 2 * 2 ** 32;

/** Resolves to the ids of the next job of webhooks without a backlog: one, or none. */
const readFront = (queue: Pick<Queue, 'toKey'>, redis: RedisConnection): Promise<string[]> =>
  redis.zrangebyscore(queue.toKey('prioritized'), '-inf', `(${behindScore}`, 'LIMIT', 0, 1);

/** Whether a job of webhooks without a backlog waits. Rejects when Redis does not answer. */
export const hasFrontJob = async (
  ...from: [queue: Pick<Queue, 'toKey'>, redis: RedisConnection]
): Promise<boolean> => (await readFront(...from)).length > 0;

/**
 * Resolves to the times at which waiting jobs were queued, null where none waits. `front`: the next job of webhooks without a
 * backlog; `behind`: the older of the next and the last job of the others. Rejects when Redis does not answer.
 */
export async function readOldestJobs(queue: Pick<Queue, 'toKey'>, redis: RedisConnection) {
  const key = queue.toKey('prioritized');
  const [first, next, last] = await Promise.all([
    readFront(queue, redis),
    redis.zrangebyscore(key, behindScore, '+inf', 'LIMIT', 0, 1),
    redis.zrevrangebyscore(key, '+inf', behindScore, 'LIMIT', 0, 1),
  ]);
  const timeOf = async (id: string) => Number(await redis.hget(queue.toKey(id), 'timestamp')) || 0;
  const oldestOf = async (ids: readonly string[]): Promise<Date | null> => {
    const times = (await Promise.all(ids.map(timeOf))).filter((time) => time > 0);
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  };
  const [front, behind] = await Promise.all([oldestOf(first), oldestOf([...next, ...last])]);
  return { front, behind };
}
