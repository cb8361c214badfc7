/** What every process has: its build, readiness, limits, and its connections to MongoDB and Redis. */
import { counter, gauge, histogram, roles } from './metric-definition.ts';

const worker = ['worker'] as const;
const primary = ['primary'] as const;
const commandBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kinds of commands to MongoDB. */
const mongodbCommands = [
  'aggregate',
  'bulk',
  'delete',
  'distinct',
  'find',
  'findAndModify',
  'insert',
  'update',
] as const;
export type MongodbCommand = (typeof mongodbCommands)[number];

export const processMetrics = {
  buildInfo: gauge({
    name: 'inlet_build_info',
    help: '1, with the version and the role of this process.',
    roles,
    labels: {
      version: 'the version of Inlet',
      revision: 'the revision of its sources, or `unknown`',
      node: 'the version of Node.js',
      role: roles,
    },
    aggregator: 'max',
  }),
  receivers: gauge({
    name: 'inlet_receivers',
    help: 'Receivers of this server (`INLET_SERVERS` above 1). configured: as many as are wanted; ready: as many as accept connections.',
    roles: primary,
    labels: { state: ['configured', 'ready'] },
  }),
  receiverRestarts: counter({
    name: 'inlet_receiver_restarts_total',
    help: 'Receivers of this server that ended by themselves and were started again.',
    roles: primary,
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
    help: 'In flight, by stage. receiving: requests; processing: events; sets: sets of events; delivering: messages.',
    roles,
    labels: { stage: ['receiving', 'processing', 'sets', 'delivering'] },
  }),
  limit: gauge({
    name: 'inlet_limit',
    help: 'Configured limits of this process, to compare with what is in use.',
    roles,
    labels: { of: ['in_flight', 'pending_bytes', 'jobs', 'sets', 'deliveries'] },
  }),
  hints: counter({
    name: 'inlet_queue_hints_total',
    help: 'Hints sent to the queue, by result. The sweeper repeats failed and dropped hints.',
    roles,
    labels: { result: ['queued', 'failed', 'dropped'] },
  }),
  queueDepth: gauge({
    name: 'inlet_queue_depth_jobs',
    help: 'Jobs waiting in the queue. Absent while Redis is unavailable.',
    roles: worker,
    aggregator: 'max',
    isAbsentAtFirst: true,
  }),
  oldestJob: gauge({
    name: 'inlet_queue_oldest_job_timestamp_seconds',
    help: 'Time at which a waiting job was queued, by band; the time of the measurement if there is none. front: the next job of webhooks without a backlog; behind: the next or last job of the others. Absent while Redis is unavailable.',
    roles: worker,
    labels: { band: ['front', 'behind'] },
    aggregator: 'min',
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
  redisSeconds: histogram({
    name: 'inlet_redis_command_duration_seconds',
    help: 'Duration of commands to Redis, by client, without those that wait for jobs.',
    roles,
    labels: { client: ['enqueue', 'consume'] },
    buckets: commandBuckets,
  }),
  mongodbSeconds: histogram({
    name: 'inlet_mongodb_command_duration_seconds',
    help: 'Duration of commands to MongoDB with the wait for a connection, by kind and result. duplicate: a unique index found what was there already. Reads that are iterated are left out.',
    roles,
    labels: { command: mongodbCommands, result: ['ok', 'duplicate', 'error'] },
    buckets: commandBuckets,
  }),
  mongodbConnections: gauge({
    name: 'inlet_mongodb_pool_connections',
    help: 'Connections to MongoDB, by state. waiting: commands that wait for a connection.',
    roles,
    labels: { state: ['in_use', 'idle', 'waiting'] },
  }),
  clockOffset: gauge({
    name: 'inlet_clock_offset_seconds',
    help: "The clock of MongoDB's primary minus the clock of this process.",
    roles,
    aggregator: 'max',
  }),
};
