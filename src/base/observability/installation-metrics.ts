/**
 * Counts of what is stored in the installation. One elected worker measures them and has the series; they are absent in the other
 * processes, and while MongoDB does not answer.
 */
import { worker, type KnownValues } from './metric-definition.ts';

const common = { aggregator: 'max', isAbsentAtFirst: true } as const;

const openEventStates = ['received', 'processing', 'waiting', 'held'] as const;

export const installationMetrics = ({
  reasons,
  channelKinds,
  runKinds,
  secretOwners,
}: KnownValues) => ({
  eventsOpen: worker.gauge({
    ...common,
    name: 'inlet_events_open',
    help: 'Events that have not ended, by state, each up to 100,000. An elected worker measures it every 15 s.',
    labels: { state: openEventStates },
  }),
  eventsDue: worker.gauge({
    ...common,
    name: 'inlet_events_due',
    help: 'Events that a worker may claim now, up to 100,000 that wait for their first attempt and 20,000 others. An elected worker measures it every 15 s.',
  }),
  oldestDue: worker.gauge({
    ...common,
    name: 'inlet_oldest_due_event_timestamp_seconds',
    help: 'Time since which the longest due event is due; the time of the measurement if none is. An elected worker measures it every 15 s.',
  }),
  deliveriesOpen: worker.gauge({
    ...common,
    name: 'inlet_deliveries_open',
    help: 'Deliveries that have not ended, by state, each up to 100,000. An elected worker measures it every 15 s.',
    labels: { state: ['waiting', 'sending'] },
  }),
  deadLetters: worker.gauge({
    ...common,
    name: 'inlet_dead_letters',
    help: 'Dead events, by reason, up to 100,000 in all. An elected worker measures it every 60 s.',
    labels: { reason: reasons },
  }),
  channels: worker.gauge({
    ...common,
    name: 'inlet_channels',
    help: 'Channels, by kind and state. An elected worker measures it every 60 s.',
    labels: { kind: channelKinds, state: ['enabled', 'disabled'] },
  }),
  channelsUnhealthy: worker.gauge({
    ...common,
    name: 'inlet_channels_unhealthy',
    help: 'Channels whose destination fails, and those that were disabled for it. An elected worker measures it every 60 s.',
    labels: { state: ['failing', 'off'] },
  }),
  runsOpen: worker.gauge({
    ...common,
    name: 'inlet_runs_open',
    help: 'Runs that have not ended, by kind. An elected worker measures it every 60 s.',
    labels: { kind: runKinds },
  }),
  diskUsed: worker.gauge({
    ...common,
    name: 'inlet_mongodb_disk_used_bytes',
    help: "Bytes in use on the disk of MongoDB's primary; absent where MongoDB does not tell. An elected worker measures it every 60 s.",
  }),
  diskSize: worker.gauge({
    ...common,
    name: 'inlet_mongodb_disk_size_bytes',
    help: "Size of the disk of MongoDB's primary; absent where MongoDB does not tell. An elected worker measures it every 60 s.",
  }),
  secretsUnreadable: worker.gauge({
    ...common,
    name: 'inlet_secrets_unreadable',
    help: 'Stored secrets that no configured key opens, by owner, among the first 10,000 of each. An elected worker measures it every 5 min.',
    labels: { owner: secretOwners },
  }),
  backupVerified: worker.gauge({
    ...common,
    name: 'inlet_backup_verified_timestamp_seconds',
    help: 'Time of the last backup of this installation that `inlet backup verify --report` found whole; absent if there was none. An elected worker reads it every 60 s.',
  }),
});
