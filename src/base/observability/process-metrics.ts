/** What every process has: its build, readiness, limits, and its connections to MongoDB and Redis. */
import { every, roles, worker } from './metric-definition.ts';

const commandBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kinds of commands to MongoDB. */
const mongodbCommands = [
  'aggregate',
  'bulk',
  'commit',
  'delete',
  'distinct',
  'find',
  'findAndModify',
  'insert',
  'update',
] as const;
export type MongodbCommand = (typeof mongodbCommands)[number];

export const processMetrics = {
  buildInfo: every.gauge({
    name: 'inlet_build_info',
    help: '1, with the version and the role of this process.',
    labels: {
      version: 'the version of Inlet',
      revision: 'the revision of its sources, or `unknown`',
      node: 'the version of Node.js',
      role: roles,
    },
    aggregator: 'max',
  }),
  ready: every.gauge({
    name: 'inlet_ready',
    help: '1 if the check passes, otherwise 0. self: this process has started and does not drain.',
    labels: { check: ['self', 'mongodb', 'indexes', 'redis'] },
    aggregator: 'min',
  }),
  inFlight: every.gauge({
    name: 'inlet_in_flight',
    help: 'In flight, by stage. receiving: requests; processing: events; sets: sets of events; delivering: messages.',
    labels: { stage: ['receiving', 'processing', 'sets', 'delivering'] },
  }),
  limit: every.gauge({
    name: 'inlet_limit',
    help: 'Configured limits of this process, to compare with what is in use.',
    labels: { of: ['in_flight', 'pending_bytes', 'jobs', 'sets', 'deliveries'] },
  }),
  hints: every.counter({
    name: 'inlet_queue_hints_total',
    help: 'Hints sent to the queue, by result. The sweeper repeats failed and dropped hints.',
    labels: { result: ['queued', 'failed', 'dropped'] },
  }),
  queueDepth: worker.gauge({
    name: 'inlet_queue_depth_jobs',
    help: 'Jobs waiting in the queue. Absent while Redis is unavailable.',
    aggregator: 'max',
    isAbsentAtFirst: true,
  }),
  oldestJob: worker.gauge({
    name: 'inlet_queue_oldest_job_timestamp_seconds',
    help: 'Time at which a waiting job was queued, by band; the time of the measurement if there is none. front: the next job of webhooks without a backlog; behind: the next or last job of the others. Absent while Redis is unavailable.',
    labels: { band: ['front', 'behind'] },
    aggregator: 'min',
  }),
  redisUp: every.gauge({
    name: 'inlet_redis_up',
    help: '1 if this process is connected to a primary of Redis, otherwise 0.',
    aggregator: 'min',
  }),
  logLinesDropped: every.counter({
    name: 'inlet_log_lines_dropped_total',
    help: 'Log lines dropped because standard output was not read.',
  }),
  redisSeconds: every.histogram({
    name: 'inlet_redis_command_duration_seconds',
    help: 'Duration of commands to Redis, by client, without those that wait for jobs.',
    labels: { client: ['enqueue', 'consume'] },
    buckets: commandBuckets,
  }),
  mongodbSeconds: every.histogram({
    name: 'inlet_mongodb_command_duration_seconds',
    help: 'Duration of commands to MongoDB with the wait for a connection, by kind and result. duplicate: a unique index found what was there already. Reads that are iterated are left out.',
    labels: { command: mongodbCommands, result: ['ok', 'duplicate', 'error'] },
    buckets: commandBuckets,
  }),
  mongodbConnections: every.gauge({
    name: 'inlet_mongodb_pool_connections',
    help: 'Connections to MongoDB, by state. waiting: commands that wait for a connection.',
    labels: { state: ['in_use', 'idle', 'waiting'] },
  }),
  clockOffset: every.gauge({
    name: 'inlet_clock_offset_seconds',
    help: "The clock of MongoDB's primary minus the clock of this process.",
    aggregator: 'max',
  }),
};
