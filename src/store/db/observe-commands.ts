/**
 * Measures commands and the connection pool.
 *
 * The driver's own monitoring of commands decodes every reply a second time, which costs 100 µs of CPU and more a command. So
 * `runCommand` measures.
 */
import type mongoose from 'mongoose';
import type { Metrics, MongodbCommand } from '../../base/observability/metrics.ts';
import { isDuplicateKey } from './errors.ts';

type Seconds = Metrics['mongodbSeconds'];

const observers = new WeakMap<mongoose.Connection, Seconds>();

export function observeCommands(
  connection: mongoose.Connection,
  metrics: Pick<Metrics, 'mongodbSeconds' | 'mongodbConnections'>,
): void {
  observers.set(connection, metrics.mongodbSeconds);
  observePool(connection, metrics.mongodbConnections);
}

/** Measures a command when those of its connection are. */
export function observeCommand<Result>(
  connection: mongoose.Connection,
  command: MongodbCommand,
  answer: Promise<Result>,
): Promise<Result> {
  const seconds = observers.get(connection);
  return seconds ? timed(seconds, command, answer) : answer;
}

function timed<Result>(seconds: Seconds, command: MongodbCommand, answer: Promise<Result>) {
  const sinceMs = performance.now();
  const observe = (result: 'ok' | 'duplicate' | 'error') =>
    seconds.observe({ command, result }, (performance.now() - sinceMs) / 1_000);
  answer.then(
    () => observe('ok'),
    (error: unknown) => observe(isDuplicateKey(error) ? 'duplicate' : 'error'),
  );
  return answer;
}

/** Counts the connections of all pools by the events of the driver. */
function observePool(connection: mongoose.Connection, gauge: Metrics['mongodbConnections']): void {
  const client = connection.getClient();
  const counts = { open: 0, in_use: 0, waiting: 0 };
  const count = (name: keyof typeof counts, change: 1 | -1) => () => {
    counts[name] += change;
  };
  client.on('connectionCreated', count('open', 1));
  client.on('connectionClosed', count('open', -1));
  client.on('connectionCheckedOut', count('in_use', 1));
  client.on('connectionCheckedIn', count('in_use', -1));
  client.on('connectionCheckOutStarted', count('waiting', 1));
  client.on('connectionCheckedOut', count('waiting', -1));
  client.on('connectionCheckOutFailed', count('waiting', -1));
  function collect(): void {
    gauge.set({ state: 'in_use' }, counts.in_use);
    gauge.set({ state: 'waiting' }, counts.waiting);
    gauge.set({ state: 'idle' }, Math.max(0, counts.open - counts.in_use));
  }
  Object.assign(gauge, { collect });
}
