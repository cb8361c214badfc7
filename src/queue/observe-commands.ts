/** Measures commands to Redis. */
import type { Cluster, Redis } from 'ioredis';
import type { Metrics } from '../base/observability/metrics.ts';

/** Commands that wait for jobs, and subscriptions. */
const waits = /^(?:b[lrz]|subscribe|psubscribe|unsubscribe)/i;

/** Measures from the call until the answer, with the wait for the connection. */
export function observeCommands(
  redis: Redis | Cluster,
  client: 'enqueue' | 'consume',
  seconds: Metrics['redisSeconds'],
): void {
  const send = redis.sendCommand.bind(redis) as Redis['sendCommand'];
  const observed: Redis['sendCommand'] = (command, ...rest) => {
    if (!waits.test(command.name)) {
      const sinceMs = performance.now();
      const observe = () => seconds.observe({ client }, (performance.now() - sinceMs) / 1_000);
      command.promise.then(observe, observe);
    }
    return send(command, ...rest);
  };
  redis.sendCommand = observed;
}
