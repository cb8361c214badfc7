/** What workers process and deliver. */
import { counter, histogram, roles, type KnownValues } from './metric-definition.ts';

const worker = ['worker'] as const;
const doneBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const stepBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const deliveryBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const sizeBuckets = [1, 2, 5, 10, 25, 50, 100];

/** The steps of a set of events, in their order. */
const setSteps = ['claim', 'read', 'identify', 'enrich', 'converse', 'finish'] as const;
export type SetStep = (typeof setSteps)[number];

/** What retention deletes. `files`: of messages that were never stored. */
export const retentionKinds = [
  'bodies',
  'resends',
  'events',
  'samples',
  'rejections',
  'auditRows',
  'files',
] as const;

export const processingMetrics = ({ reasons }: KnownValues) => ({
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
    exemplars: true,
  }),
  setSeconds: histogram({
    name: 'inlet_set_duration_seconds',
    help: 'Duration of each step of a set of events. Steps of a set that is isolated after a failure count again.',
    roles: worker,
    labels: { step: setSteps },
    buckets: stepBuckets,
  }),
  setEvents: histogram({
    name: 'inlet_set_events',
    help: 'Events claimed for a set.',
    roles: worker,
    buckets: sizeBuckets,
  }),
  leaseRenewals: counter({
    name: 'inlet_lease_renewals_total',
    help: 'Renewals of leases of sets, by result. lost: at least one event of the set was lost.',
    roles: worker,
    labels: { result: ['renewed', 'lost', 'failed'] },
  }),
  sweeps: counter({
    name: 'inlet_sweeps_total',
    help: 'Sweeps for due events, by result. skipped: Redis is unavailable, so that nothing can be queued.',
    roles: worker,
    labels: { result: ['done', 'skipped', 'failed'] },
  }),
  sweptEvents: counter({
    name: 'inlet_sweeper_events_total',
    help: 'Due events that the sweeper found and queued.',
    roles: worker,
  }),
  retentionDeleted: counter({
    name: 'inlet_retention_deleted_total',
    help: 'What retention deleted, by kind. A body is stripped off an event that stays.',
    roles: worker,
    labels: { kind: retentionKinds },
  }),
});

/** What the dispatcher delivers. */
export const deliveryMetrics = ({ reasons, channelKinds }: KnownValues) => ({
  deliverySeconds: histogram({
    name: 'inlet_delivery_duration_seconds',
    help: 'Duration of delivery attempts, by kind of channel.',
    roles: worker,
    labels: { kind: channelKinds },
    buckets: deliveryBuckets,
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
