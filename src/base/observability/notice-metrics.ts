/** Notices, and their deliveries. */
import { counter, gauge, type KnownValues } from './metric-definition.ts';

const worker = ['worker'] as const;

export const noticeMetrics = ({ noticeKinds }: KnownValues) => ({
  notices: counter({
    name: 'inlet_notices_total',
    help: 'Changes of notices, by kind of notice and outcome. changed: an open notice became worse.',
    roles: worker,
    labels: { kind: noticeKinds, outcome: ['opened', 'changed', 'resolved'] },
  }),
  noticeDeliveries: counter({
    name: 'inlet_notice_deliveries_total',
    help: 'Attempts to deliver notices, by outcome.',
    roles: worker,
    labels: { outcome: ['delivered', 'retry', 'dead'] },
  }),
  noticesOpen: gauge({
    name: 'inlet_notices_open',
    help: 'Open notices, by kind, up to 20,000 in all. An elected worker counts them every 60 s.',
    roles: worker,
    aggregator: 'max',
    isAbsentAtFirst: true,
    labels: { kind: noticeKinds },
  }),
});
