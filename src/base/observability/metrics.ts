/**
 * Prometheus metrics of a process. docs/metrics.md is generated from the definitions.
 *
 * Promises: a process has only the series of its role. Labels have a bounded set of values, never a key or an id, and every
 * combination of a counter or histogram whose values are known exists from the start. The supervisor merges the series of its processes: counters are
 * added; a gauge that all processes read from the same source has an `aggregator`.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { errorCodes } from '../errors.ts';

export const roles = ['server', 'worker'] as const;
type ProcessRole = (typeof roles)[number];

/** The values of each label. A text says what the values are where they are not listed. */
type Labels = Readonly<Record<string, readonly string[] | string>>;

type Common<L extends Labels> = {
  readonly name: string;
  readonly help: string;
  readonly roles: readonly ProcessRole[];
  readonly labels: L;
};
type CounterDefinition<L extends Labels> = Common<L> & { readonly type: 'counter' };
type GaugeDefinition<L extends Labels> = Common<L> & {
  readonly type: 'gauge';
  readonly aggregator?: 'max' | 'min';
};
type HistogramDefinition<L extends Labels> = Common<L> & {
  readonly type: 'histogram';
  readonly buckets: readonly number[];
};
type Definition = CounterDefinition<Labels> | GaugeDefinition<Labels> | HistogramDefinition<Labels>;

type LabelOf<D> = D extends Common<infer L> ? keyof L & string : never;
type SeriesOf<D extends Definition> = D extends { readonly type: 'counter' }
  ? Counter<LabelOf<D>>
  : D extends { readonly type: 'gauge' }
    ? Gauge<LabelOf<D>>
    : Histogram<LabelOf<D>>;

type NoLabels = Readonly<Record<never, never>>;
type Given<L extends Labels> = Omit<Common<L>, 'labels'> & { readonly labels?: L };

const counter = <const L extends Labels = NoLabels>(given: Given<L>): CounterDefinition<L> => ({
  labels: {} as L,
  ...given,
  type: 'counter',
});
const gauge = <const L extends Labels = NoLabels>(
  given: Given<L> & Pick<GaugeDefinition<L>, 'aggregator'>,
): GaugeDefinition<L> => ({ labels: {} as L, ...given, type: 'gauge' });
const histogram = <const L extends Labels = NoLabels>(
  given: Given<L> & Pick<HistogramDefinition<L>, 'buckets'>,
): HistogramDefinition<L> => ({ labels: {} as L, ...given, type: 'histogram' });

const server = ['server'] as const;
const worker = ['worker'] as const;

const receiveBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const bodyBuckets = [0.005, 0.05, 0.5, 5, 30];
const doneBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const requestBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5];

const receiveOutcomes = [
  'event',
  'duplicate',
  'sample',
  'held',
  'handshake',
  'client_error',
  'server_error',
] as const;
export type ReceiveOutcome = (typeof receiveOutcomes)[number];

const receiving = {
  received: counter({
    name: 'inlet_events_received_total',
    help: 'Accepted inbound requests, by mode.',
    roles: server,
    labels: { mode: ['sample', 'event', 'held', 'handshake'] },
  }),
  duplicates: counter({
    name: 'inlet_events_duplicate_total',
    help: 'Accepted inbound requests that were resends of a known event.',
    roles: server,
  }),
  rejected: counter({
    name: 'inlet_requests_rejected_total',
    help: 'Rejected inbound requests, by error code.',
    roles: server,
    labels: { code: errorCodes },
  }),
  receipts: counter({
    name: 'inlet_receipts_total',
    help: 'Receipt lookups of senders, by result: found, or an error code.',
    roles: server,
    labels: { result: ['found', ...errorCodes] },
  }),
  receiveSeconds: histogram({
    name: 'inlet_receive_duration_seconds',
    help: 'Duration of inbound requests from arrival to response, without the time in which the body is uploaded.',
    roles: server,
    labels: { outcome: receiveOutcomes },
    buckets: receiveBuckets,
  }),
  bodySeconds: histogram({
    name: 'inlet_receive_body_seconds',
    help: 'Time in which the body of an inbound request is uploaded.',
    roles: server,
    buckets: bodyBuckets,
  }),
  pendingBytes: gauge({
    name: 'inlet_receiving_pending_bytes',
    help: 'Bytes of request bodies in flight on the receiving route, announced or read.',
    roles: server,
  }),
  connections: gauge({
    name: 'inlet_http_connections',
    help: 'Open connections to the public port.',
    roles: server,
  }),
  connectionsClosed: counter({
    name: 'inlet_http_connections_closed_total',
    help: 'Connections closed or not accepted because of a limit, by reason.',
    roles: server,
    labels: { reason: ['pipelined', 'unread', 'evicted', 'rejected'] },
  }),
  heldBytes: gauge({
    name: 'inlet_http_held_bytes',
    help: 'Bytes of answers that clients have not read, and of requests that wait on their connection.',
    roles: server,
  }),
};

const api = {
  requestSeconds: histogram({
    name: 'inlet_http_request_duration_seconds',
    help: 'Duration of requests to the APIs from arrival to the end of the response, streams aside.',
    roles: server,
    labels: {
      method: ['GET', 'POST', 'PATCH', 'DELETE', 'other'],
      route: 'the path template of an operation',
      status: ['2xx', '3xx', '4xx', '5xx'],
    },
    buckets: requestBuckets,
  }),
  credentialFailures: counter({
    name: 'inlet_credential_failures_total',
    help: 'Invalid path keys and tokens, by answer: at once, delayed, or rejected with 429.',
    roles: server,
    labels: { kind: ['key', 'token'], answer: ['at_once', 'delayed', 'rejected'] },
  }),
  apiLimited: counter({
    name: 'inlet_api_rate_limited_total',
    help: 'Requests to the inbox APIs that exceeded the rate limit of their token.',
    roles: server,
  }),
};

/** `reasons`: why events and deliveries die. */
const processing = (reasons: readonly string[]) => ({
  processed: counter({
    name: 'inlet_events_processed_total',
    help: 'Events that ended, by outcome. A server ends events that a person discards.',
    roles,
    labels: { outcome: ['done', 'split', 'ignored', 'dead', 'discarded'] },
  }),
  retries: counter({
    name: 'inlet_events_retried_total',
    help: 'Events scheduled for a retry.',
    roles: worker,
  }),
  dead: counter({
    name: 'inlet_events_dead_total',
    help: 'Dead events, by reason.',
    roles: worker,
    labels: { reason: reasons },
  }),
  leasesLost: counter({
    name: 'inlet_leases_lost_total',
    help: 'Events whose lease expired before their outcome was stored.',
    roles: worker,
  }),
  doneSeconds: histogram({
    name: 'inlet_event_time_to_done_seconds',
    help: 'Time from receipt of an event until it is done, by path. Replayed and held events are left out.',
    roles: worker,
    labels: { path: ['first_try', 'retried'] },
    buckets: doneBuckets,
  }),
  oldestOpen: gauge({
    name: 'inlet_oldest_open_event_timestamp_seconds',
    help: 'Time of receipt of the oldest event that is neither terminal nor held, as of the last minute; the time of the measurement if there is none.',
    roles: worker,
    aggregator: 'min',
  }),
  deliveries: counter({
    name: 'inlet_deliveries_total',
    help: 'Delivery attempts, by outcome.',
    roles: worker,
    labels: { outcome: ['delivered', 'retry', 'dead'] },
  }),
  deliveriesDead: counter({
    name: 'inlet_deliveries_dead_total',
    help: 'Dead deliveries, by reason.',
    roles: worker,
    labels: { reason: reasons },
  }),
});

const shared = {
  buildInfo: gauge({
    name: 'inlet_build_info',
    help: '1, with the version and the role of this process.',
    roles,
    labels: {
      version: 'the version of Inlet',
      node: 'the version of Node.js',
      role: roles,
    },
  }),
  ready: gauge({
    name: 'inlet_ready',
    help: '1 if the check passes, otherwise 0. self: this process has started and does not drain.',
    roles,
    labels: { check: ['self', 'mongodb', 'indexes', 'redis'] },
    aggregator: 'min',
  }),
  inFlight: gauge({
    name: 'inlet_in_flight',
    help: 'Inbound requests, events and deliveries in flight, by stage.',
    roles,
    labels: { stage: ['receiving', 'processing', 'delivering'] },
  }),
  limit: gauge({
    name: 'inlet_limit',
    help: 'Configured limits of this process, to compare with what is in use.',
    roles,
    labels: { of: ['in_flight', 'pending_bytes', 'jobs'] },
  }),
  hints: counter({
    name: 'inlet_queue_hints_total',
    help: 'Hints sent to the queue, by result. The sweeper repeats failed and dropped hints.',
    roles,
    labels: { result: ['queued', 'failed', 'dropped'] },
  }),
  sweptEvents: counter({
    name: 'inlet_sweeper_events_total',
    help: 'Due events that the sweeper found and queued.',
    roles: worker,
  }),
  queueDepth: gauge({
    name: 'inlet_queue_depth_jobs',
    help: 'Jobs waiting in the queue. Absent while Redis is unavailable.',
    roles: worker,
    aggregator: 'max',
  }),
  redisUp: gauge({
    name: 'inlet_redis_up',
    help: '1 if this process is connected to Redis, otherwise 0.',
    roles,
    aggregator: 'min',
  }),
  logLinesDropped: counter({
    name: 'inlet_log_lines_dropped_total',
    help: 'Log lines dropped because standard output was not read.',
    roles,
  }),
};

const definitionsOf = (reasons: readonly string[]) => ({
  ...receiving,
  ...api,
  ...processing(reasons),
  ...shared,
});
type Definitions = ReturnType<typeof definitionsOf>;
type Series = { readonly [Name in keyof Definitions]: SeriesOf<Definitions[Name]> };

type MetricsOptions = {
  /** Default: the series of every role. */
  readonly role?: ProcessRole;
  /** Why events and deliveries die. */
  readonly reasons?: readonly string[];
};

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ role, reasons = [] }: MetricsOptions = {}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges that end in `_total`, the name of counters.
  for (const name of ['resources', 'handles', 'requests'])
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  const entries = Object.entries(definitionsOf(reasons)).map(([name, definition]) => {
    const isOwn = role === undefined || definition.roles.includes(role);
    return [name, create(definition, isOwn ? [registry] : [])] as const;
  });
  return { registry, ...(Object.fromEntries(entries) as Series) };
}

/** The queue's depth is absent until it is known: 0 would say that nothing waits. */
const absentAtFirst = shared.queueDepth.name;

function create(definition: Definition, registers: Registry[]) {
  const { name, help, labels } = definition;
  const common = { name, help, labelNames: Object.keys(labels), registers };
  if (definition.type === 'gauge') {
    const { aggregator } = definition;
    const series = new Gauge({ ...common, ...(aggregator && { aggregator }) });
    if (name === absentAtFirst) series.remove();
    return series;
  }
  if (definition.type === 'counter') {
    const series = new Counter(common);
    for (const combination of combinationsOf(labels)) series.inc(combination, 0);
    return series;
  }
  const series = new Histogram({ ...common, buckets: [...definition.buckets] });
  for (const combination of combinationsOf(labels)) series.zero(combination);
  return series;
}

/** Empty when the values of a label are not known. */
function combinationsOf(labels: Labels): Record<string, string>[] {
  let found: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(labels)) {
    if (typeof values === 'string') return [];
    found = found.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return found;
}

/** Describes the metrics for docs/metrics.md, in the order of their definition. */
export const describeMetrics = (reasons: readonly string[]): readonly Definition[] =>
  Object.values<Definition>(definitionsOf(reasons));
