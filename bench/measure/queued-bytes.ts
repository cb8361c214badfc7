/** The memory that waiting jobs take in Redis. BullMQ's stream of its own events, which is bounded, is not counted. */
import { Queue } from 'bullmq';

const sumOfKeys = `
  local sum = 0
  for _, key in ipairs(KEYS) do sum = sum + (redis.call('MEMORY', 'USAGE', key) or 0) end
  return sum`;

export async function queuedBytes(): Promise<number> {
  const { hostname, port } = new URL(process.env.REDIS_URL ?? '');
  const queue = new Queue('process-events', {
    connection: { host: hostname, port: Number(port) },
    prefix: process.env.INLET_QUEUE_PREFIX ?? '',
  });
  const jobs = await queue.getJobs(['prioritized']);
  const keys = [...jobs.map(({ id = '' }) => id), 'prioritized'].map((id) => queue.toKey(id));
  const redis = await queue.getBackend().client;
  redis.defineCommand('sumOfKeys', { numberOfKeys: keys.length, lua: sumOfKeys });
  const bytes = Number(await redis.runCommand('sumOfKeys', keys));
  await queue.close();
  return bytes;
}
