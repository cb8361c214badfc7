/**
 * Prometheus metrics of a process. Names, units and labels are documented in docs/operations.md.
 *
 * Promises: labels have a bounded set of values; never a key, never an id. The supervisor merges the series of
 * its processes: counters are added; a gauge that all processes read from the same source has an `aggregator`.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const receiveBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const endToEndBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return { registry, ...counters(registers), ...durations(registers), ...gauges(registers) };
}

function counters(registers: Registry[]) {
  const counter = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Counter<Label>({ name, help, labelNames, registers });
  return {
    received: counter('inlet_events_received_total', 'Accepted inbound requests, by mode.', [
      'mode',
    ]),
    duplicates: counter(
      'inlet_events_duplicate_total',
      'Accepted inbound requests that were resends of a known event.',
    ),
    rejected: counter(
      'inlet_requests_rejected_total',
      'Rejected inbound requests, by error code.',
      ['code'],
    ),
    credentialFailures: counter(
      'inlet_credential_failures_total',
      'Invalid path keys and tokens, by answer: at once, delayed, or rejected with 429.',
      ['kind', 'answer'],
    ),
    connectionsClosed: counter(
      'inlet_http_connections_closed_total',
      'Connections closed or not accepted because of a limit, by reason.',
      ['reason'],
    ),
    apiLimited: counter(
      'inlet_api_rate_limited_total',
      'Requests to the inbox APIs that exceeded the rate limit of their token.',
    ),
    receipts: counter(
      'inlet_receipts_total',
      'Receipt lookups of senders, by result: found, or an error code.',
      ['result'],
    ),
    processed: counter('inlet_events_processed_total', 'Processed events, by outcome.', [
      'outcome',
    ]),
    retries: counter('inlet_events_retried_total', 'Events scheduled for a retry.'),
    dead: counter('inlet_events_dead_total', 'Dead events, by reason.', ['reason']),
    leasesLost: counter(
      'inlet_leases_lost_total',
      'Events whose lease expired before their outcome was stored.',
    ),
    logLinesDropped: counter(
      'inlet_log_lines_dropped_total',
      'Log lines dropped because standard output was not read.',
    ),
    hints: counter(
      'inlet_queue_hints_total',
      'Hints sent to the queue, by result. The sweeper repeats failed and dropped hints.',
      ['result'],
    ),
    deliveries: counter('inlet_deliveries_total', 'Delivery attempts, by outcome.', ['outcome']),
    deliveriesDead: counter('inlet_deliveries_dead_total', 'Dead deliveries, by reason.', [
      'reason',
    ]),
  };
}

function durations(registers: Registry[]) {
  return {
    receiveSeconds: new Histogram({
      name: 'inlet_receive_duration_seconds',
      help: 'Duration of inbound requests, from arrival to response.',
      buckets: receiveBuckets,
      registers,
    }),
    endToEndSeconds: new Histogram({
      name: 'inlet_event_end_to_end_duration_seconds',
      help: 'Time from receipt of an event to its terminal state.',
      buckets: endToEndBuckets,
      registers,
    }),
  };
}

function gauges(registers: Registry[]) {
  return {
    queueDepth: new Gauge({
      name: 'inlet_queue_depth_jobs',
      help: 'Jobs waiting in the queue. Absent while Redis is unavailable.',
      aggregator: 'max',
      registers,
    }),
    redisUp: new Gauge({
      name: 'inlet_redis_up',
      help: '1 if this process is connected to Redis, otherwise 0.',
      aggregator: 'min',
      registers,
    }),
    oldestOpenSeconds: new Gauge({
      name: 'inlet_oldest_open_event_age_seconds',
      help: 'Age of the oldest event that is neither terminal nor held, in seconds.',
      aggregator: 'max',
      registers,
    }),
    pendingBytes: new Gauge({
      name: 'inlet_receiving_pending_bytes',
      help: 'Bytes of request bodies in flight on the receiving route, announced or read.',
      registers,
    }),
    connections: new Gauge({
      name: 'inlet_http_connections',
      help: 'Open connections to the public port.',
      registers,
    }),
    heldBytes: new Gauge({
      name: 'inlet_http_held_bytes',
      help: 'Bytes of answers that clients have not read, and of requests that wait on their connection.',
      registers,
    }),
    inFlight: new Gauge({
      name: 'inlet_in_flight',
      help: 'Inbound requests, events and deliveries in flight, by stage.',
      labelNames: ['stage'] as const,
      registers,
    }),
  };
}
