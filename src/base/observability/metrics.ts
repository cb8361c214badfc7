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
  return {
    registry,
    ...counters(registers),
    ...deliveries(registers),
    ...durations(registers),
    ...gauges(registers),
  };
}

function counters(registers: Registry[]) {
  return {
    received: new Counter({
      name: 'inlet_events_received_total',
      help: 'Accepted inbound requests, by mode.',
      labelNames: ['mode'] as const,
      registers,
    }),
    duplicates: new Counter({
      name: 'inlet_events_duplicate_total',
      help: 'Accepted inbound requests that were resends of a known event.',
      registers,
    }),
    rejected: new Counter({
      name: 'inlet_requests_rejected_total',
      help: 'Rejected inbound requests, by error code.',
      labelNames: ['code'] as const,
      registers,
    }),
    credentialFailures: new Counter({
      name: 'inlet_credential_failures_total',
      help: 'Invalid path keys and tokens, by answer: at once, delayed, or rejected with 429.',
      labelNames: ['kind', 'answer'] as const,
      registers,
    }),
    apiLimited: new Counter({
      name: 'inlet_api_rate_limited_total',
      help: 'Requests to the inbox APIs that exceeded the rate limit of their token.',
      registers,
    }),
    receipts: new Counter({
      name: 'inlet_receipts_total',
      help: 'Receipt lookups of senders, by result: found, or an error code.',
      labelNames: ['result'] as const,
      registers,
    }),
    processed: new Counter({
      name: 'inlet_events_processed_total',
      help: 'Processed events, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    retries: new Counter({
      name: 'inlet_events_retried_total',
      help: 'Events scheduled for a retry.',
      registers,
    }),
    dead: new Counter({
      name: 'inlet_events_dead_total',
      help: 'Dead events, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    leasesLost: new Counter({
      name: 'inlet_leases_lost_total',
      help: 'Events whose lease expired before their outcome was stored.',
      registers,
    }),
    hints: new Counter({
      name: 'inlet_queue_hints_total',
      help: 'Hints sent to the queue, by result. The sweeper repeats failed and dropped hints.',
      labelNames: ['result'] as const,
      registers,
    }),
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
    inFlight: new Gauge({
      name: 'inlet_in_flight',
      help: 'Inbound requests, events and deliveries in flight, by stage.',
      labelNames: ['stage'] as const,
      registers,
    }),
  };
}

function deliveries(registers: Registry[]) {
  return {
    deliveries: new Counter({
      name: 'inlet_deliveries_total',
      help: 'Delivery attempts, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    deliveriesDead: new Counter({
      name: 'inlet_deliveries_dead_total',
      help: 'Dead deliveries, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
  };
}
