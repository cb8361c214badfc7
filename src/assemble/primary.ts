/**
 * Runs several receivers on one public port, with one operations port.
 *
 * Promises: the port stays open while one receiver runs; a receiver that ends is started again; a signal drains all of them.
 * Receivers accept connections from the socket that they share; no connection passes through the primary.
 * Must never: open a connection to MongoDB or Redis, so that it cannot hang with them.
 */
import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import type { Config } from '../../config/config.ts';
import { createMergedMetrics, type ProcessMetrics } from '../base/observability/merged-metrics.ts';
import { handleIpcRequests, sendIpcRequest } from '../base/process/ipc.ts';
import { createReadiness, type ReadinessFailure } from '../base/process/readiness.ts';
import { supervise, type ChildEnd, type Supervision } from '../base/process/supervise.ts';
import { listenOps } from '../http/server/ops.ts';
import { notifyReady, openBase, type Base } from './base.ts';

const metricsWithinMs = 2_000;
const readinessWithinMs = 700;
const webhookMetricsWithinMs = 5_000;
/** Receivers end by themselves 25 s after the signal. */
const drainMs = 24_000;

/** Starts the receivers. Resolves once the first one accepts requests, or has failed to start. */
export async function runPrimary(config: Config): Promise<void> {
  const { leave, ...base } = openBase(config, 'primary');
  const { closing, logger, metrics } = base;
  const merged = createMergedMetrics();
  const readiness = createReadiness({ startingReason: 'no receiver is ready yet' });
  // Otherwise a connection that is handed to a receiver at the moment of its end is never answered, and never closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const receivers = supervise({
    count: config.servers,
    launch: () => cluster.fork().process,
    onEnded: (child, end) => {
      merged.end(child);
      noteEnd(base, end);
    },
  });
  reportReceivers(base, config, receivers);
  const readRegistry = async () => {
    const [own, answers] = await Promise.all([
      metrics.registry.getMetricsAsJSON(),
      askForMetrics(receivers),
    ]);
    return merged.merge(own, answers);
  };
  handleIpcRequests({ metrics: async () => (await readRegistry()).getMetricsAsJSON() });
  const ops = await listenOps({
    ...config,
    readRegistry,
    readiness: {
      failures: () => readiness.failures(),
      ownFailures: () => ownFailures(readiness.ownFailures(), receivers),
    },
    ...(config.webhooksWithMetrics > 0 && { webhookMetrics: () => readWebhookMetrics(receivers) }),
  });
  closing.add('operations', () => ops.close());
  const { drainDelayMs } = config;
  closing.add('receivers', () => receivers.stop(drainDelayMs + drainMs), drainDelayMs + 30_000);
  closing.add('readiness', () => readiness.drain());
  const first = await receivers.start();
  if (typeof first === 'number') return leave('start_failed', first);
  readiness.begin(() => findFailures(receivers));
  notifyReady({ ...first, opsUrl: ops.url });
  logger.info({ url: first.url, opsUrl: ops.url, receivers: config.servers }, 'server.ready');
}

function noteEnd({ metrics, logger }: Base<'primary'>, end: ChildEnd): void {
  const { pid: receiver, ...how } = end;
  metrics.receiverRestarts.inc();
  logger.warn({ receiver, ...how }, 'receiver.ended');
}

function reportReceivers(
  { metrics }: Base<'primary'>,
  { servers }: Config,
  receivers: Supervision,
): void {
  const collect = () => {
    metrics.receivers.set({ state: 'configured' }, servers);
    metrics.receivers.set({ state: 'ready' }, receivers.ready().length);
  };
  Object.assign(metrics.receivers, { collect });
}

const askForMetrics = ({ running }: Supervision) =>
  Promise.all(
    running().map(async (child) => ({
      child,
      metrics: await sendIpcRequest<ProcessMetrics>(child, 'metrics', metricsWithinMs),
    })),
  );

const noReceiver: ReadinessFailure = { check: 'self', reason: 'no receiver is ready' };

function ownFailures(
  own: readonly ReadinessFailure[],
  { ready }: Supervision,
): readonly ReadinessFailure[] {
  if (own.length > 0) return own;
  return ready().length === 0 ? [noReceiver] : [];
}

/** Resolves to no failure as soon as one receiver reports none: it serves. Otherwise to the failures of one. */
async function findFailures({ ready }: Supervision): Promise<readonly ReadinessFailure[]> {
  const requireNone = async (child: ChildProcess) => {
    const failures = await failuresOf(child);
    if (failures.length > 0) throw new NotReady(failures);
    return failures;
  };
  return Promise.any(ready().map(requireNone)).catch(({ errors }: AggregateError) => {
    const [first] = errors as readonly NotReady[];
    return first?.failures ?? [noReceiver];
  });
}

class NotReady extends Error {
  override readonly name = 'NotReady';
  readonly failures: readonly ReadinessFailure[];

  constructor(failures: readonly ReadinessFailure[]) {
    super('The receiver is not ready.');
    this.failures = failures;
  }
}

const failuresOf = async (child: ChildProcess): Promise<readonly ReadinessFailure[]> =>
  (await sendIpcRequest<readonly ReadinessFailure[]>(child, 'failures', readinessWithinMs)) ?? [
    { check: 'self', reason: 'a receiver does not answer' },
  ];

/** Asks the same receiver while it runs: the count of the webhooks without series begins with its process. */
async function readWebhookMetrics({ ready }: Supervision): Promise<string> {
  const [child] = ready();
  const text =
    child && (await sendIpcRequest<string | null>(child, 'webhookMetrics', webhookMetricsWithinMs));
  if (!text) throw new Error('No receiver answers.');
  return text;
}
