/**
 * The first true series. Names, units and labels are those of docs/operations.md.
 *
 * Promises: labels are bounded words of our own; never a key, never an id.
 * Under one supervisor the series of all processes are merged: counters add up, and a gauge that every process
 * reads from the same place says so by its `aggregator`.
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
      help: 'Requests that were taken or greeted, by what they were.',
      labelNames: ['mode'] as const,
      registers,
    }),
    duplicates: new Counter({
      name: 'inlet_events_duplicate_total',
      help: 'Acknowledged deliveries that were resends of a known event.',
      registers,
    }),
    rejected: new Counter({
      name: 'inlet_requests_rejected_total',
      help: 'Requests to the receiving route that were not acknowledged, by code.',
      labelNames: ['code'] as const,
      registers,
    }),
    credentialFailures: new Counter({
      name: 'inlet_credential_failures_total',
      help: 'Wrong path keys and tokens, by how they were answered: at once, delayed, or refused with 429.',
      labelNames: ['kind', 'answer'] as const,
      registers,
    }),
    apiLimited: new Counter({
      name: 'inlet_api_rate_limited_total',
      help: 'Requests to the APIs of the inbox that came more often than their token may call.',
      registers,
    }),
    receipts: new Counter({
      name: 'inlet_receipts_total',
      help: 'Receipts that senders asked for, by result: found, or the code of the error.',
      labelNames: ['result'] as const,
      registers,
    }),
    processed: new Counter({
      name: 'inlet_events_processed_total',
      help: 'Events that a worker finished, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    retries: new Counter({
      name: 'inlet_events_retried_total',
      help: 'Events put back to be tried again.',
      registers,
    }),
    dead: new Counter({
      name: 'inlet_events_dead_total',
      help: 'Events that became dead letters, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    leasesLost: new Counter({
      name: 'inlet_leases_lost_total',
      help: 'Events whose lease had ended before their outcome was written.',
      registers,
    }),
    hints: new Counter({
      name: 'inlet_queue_hints_total',
      help: 'Jobs offered to the queue, by result; a dropped hint is made good by the sweeper.',
      labelNames: ['result'] as const,
      registers,
    }),
  };
}

function durations(registers: Registry[]) {
  return {
    receiveSeconds: new Histogram({
      name: 'inlet_receive_duration_seconds',
      help: 'From the request’s arrival to its answer, on the receiving route.',
      buckets: receiveBuckets,
      registers,
    }),
    endToEndSeconds: new Histogram({
      name: 'inlet_event_end_to_end_duration_seconds',
      help: 'From an event’s receipt to its terminal state.',
      buckets: endToEndBuckets,
      registers,
    }),
  };
}

function gauges(registers: Registry[]) {
  return {
    queueDepth: new Gauge({
      name: 'inlet_queue_depth_jobs',
      help: 'Jobs waiting in the queue; no series while Redis is away.',
      aggregator: 'max',
      registers,
    }),
    redisUp: new Gauge({
      name: 'inlet_redis_up',
      help: 'Whether Redis answers this process: 1 or 0.',
      aggregator: 'min',
      registers,
    }),
    oldestOpenSeconds: new Gauge({
      name: 'inlet_oldest_open_event_age_seconds',
      help: 'Age of the oldest event that is neither terminal nor held.',
      aggregator: 'max',
      registers,
    }),
    pendingBytes: new Gauge({
      name: 'inlet_receiving_pending_bytes',
      help: 'Bytes of bodies in hand on the receiving route, announced or read.',
      registers,
    }),
    inFlight: new Gauge({
      name: 'inlet_in_flight',
      help: 'Requests being received, events being processed, and messages being delivered.',
      labelNames: ['stage'] as const,
      registers,
    }),
  };
}

function deliveries(registers: Registry[]) {
  return {
    deliveries: new Counter({
      name: 'inlet_deliveries_total',
      help: 'Attempts to deliver a message outside, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    deliveriesDead: new Counter({
      name: 'inlet_deliveries_dead_total',
      help: 'Deliveries that became dead letters, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
  };
}
