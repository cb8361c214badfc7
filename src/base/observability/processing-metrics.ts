/** What workers process and deliver, and the notices. */
import { every, worker, type KnownValues } from './metric-definition.ts';

const doneBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const stepBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const deliveryBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const sizeBuckets = [1, 2, 5, 10, 25, 50, 100];

/** The steps of a set of events, in their order. */
const setSteps = ['take', 'read', 'split', 'prepare', 'commit'] as const;
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
  processed: every.counter({
    name: 'inlet_events_processed_total',
    help: 'Events that ended, by outcome. A server ends events that a person discards.',
    labels: { outcome: ['done', 'split', 'ignored', 'dead', 'discarded'] },
  }),
  retries: worker.counter({
    name: 'inlet_events_retried_total',
    help: 'Events scheduled for a retry.',
  }),
  dead: worker.counter({
    name: 'inlet_events_dead_total',
    help: 'Dead events, by reason.',
    labels: { reason: reasons },
  }),
  leasesLost: worker.counter({
    name: 'inlet_leases_lost_total',
    help: 'Events whose outcome was not stored, because their set expired or they were changed first.',
  }),
  doneSeconds: worker.histogram({
    name: 'inlet_event_time_to_done_seconds',
    help: 'Time from receipt of an event until it is done, by path. Replayed and held events are left out.',
    labels: { path: ['first_try', 'retried'] },
    buckets: doneBuckets,
    exemplars: true,
  }),
  setSeconds: worker.histogram({
    name: 'inlet_set_duration_seconds',
    help: 'Duration of each step of a set of events. Steps of a set that is divided after a failure count again.',
    labels: { step: setSteps },
    buckets: stepBuckets,
  }),
  setEvents: worker.histogram({
    name: 'inlet_set_events',
    help: 'Events taken for a set.',
    buckets: sizeBuckets,
  }),
  setConflicts: worker.counter({
    name: 'inlet_set_conflicts_total',
    help: 'Transactions of sets that were not committed because another writer was faster. They are tried again.',
  }),
  leaseRenewals: worker.counter({
    name: 'inlet_lease_renewals_total',
    help: 'Renewals of leases of sets, by result. lost: the set had expired.',
    labels: { result: ['renewed', 'lost', 'failed'] },
  }),
  sweeps: worker.counter({
    name: 'inlet_sweeps_total',
    help: 'Sweeps for due events, by result. skipped: Redis is unavailable, so that nothing can be queued.',
    labels: { result: ['done', 'skipped', 'failed'] },
  }),
  sweptEvents: worker.counter({
    name: 'inlet_sweeper_events_total',
    help: 'Due events that the sweeper found and queued.',
  }),
  retentionDeleted: worker.counter({
    name: 'inlet_retention_deleted_total',
    help: 'What retention deleted, by kind. A body is stripped off an event that stays.',
    labels: { kind: retentionKinds },
  }),
});

/** What the dispatcher delivers. */
export const deliveryMetrics = ({ reasons, channelKinds }: KnownValues) => ({
  deliverySeconds: worker.histogram({
    name: 'inlet_delivery_duration_seconds',
    help: 'Duration of delivery attempts, by kind of channel.',
    labels: { kind: channelKinds },
    buckets: deliveryBuckets,
  }),
  deliveries: worker.counter({
    name: 'inlet_deliveries_total',
    help: 'Delivery attempts, by outcome. unsent: nothing was sent, and the attempt does not count.',
    labels: { outcome: ['delivered', 'retry', 'unsent', 'dead'] },
  }),
  deliveriesDead: worker.counter({
    name: 'inlet_deliveries_dead_total',
    help: 'Dead deliveries, by reason.',
    labels: { reason: reasons },
  }),
});

export const noticeMetrics = ({ noticeKinds }: KnownValues) => ({
  notices: worker.counter({
    name: 'inlet_notices_total',
    help: 'Changes of notices, by kind of notice and outcome. changed: an open notice became worse.',
    labels: { kind: noticeKinds, outcome: ['opened', 'changed', 'resolved'] },
  }),
  noticeDeliveries: worker.counter({
    name: 'inlet_notice_deliveries_total',
    help: 'Attempts to deliver notices, by outcome. unsent: nothing was sent, and the attempt does not count.',
    labels: { outcome: ['delivered', 'retry', 'unsent', 'dead'] },
  }),
  noticesOpen: worker.gauge({
    name: 'inlet_notices_open',
    help: 'Open notices, by kind, up to 20,000 in all. An elected worker counts them every 60 s.',
    aggregator: 'max',
    isAbsentAtFirst: true,
    labels: { kind: noticeKinds },
  }),
});
