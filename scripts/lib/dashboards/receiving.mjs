// What senders and clients of the APIs see.
import { quantiles, rate, slowest } from './queries.mjs';

/** @type {import('./queries.mjs').Dashboard} */
export const receiving = {
  uid: 'inlet-receiving',
  title: 'Inlet / Receiving',
  rows: [
    {
      title: 'Senders',
      panels: [
        {
          title: 'Requests by outcome',
          unit: 'reqps',
          queries: [rate('inlet_receive_duration_seconds_count', 'outcome', '{{outcome}}')],
        },
        {
          title: 'Duration of events, without upload',
          unit: 's',
          queries: quantiles('inlet_receive_duration_seconds', 'outcome').map((query) => ({
            ...query,
            expr: `${query.expr} >= 0`,
          })),
        },
        { title: 'Upload of bodies', unit: 's', queries: quantiles('inlet_receive_body_seconds') },
        {
          title: 'Rejected by code',
          unit: 'reqps',
          queries: [
            {
              expr: 'topk(10, sum by (code) (rate(inlet_requests_rejected_total[$__rate_interval])))',
              legend: '{{code}}',
            },
          ],
        },
        {
          title: 'Receipts by result',
          unit: 'reqps',
          queries: [
            {
              expr: 'topk(5, sum by (result) (rate(inlet_receipts_total[$__rate_interval])))',
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'Wrong keys and tokens',
          unit: 'reqps',
          queries: [rate('inlet_credential_failures_total', 'kind, answer', '{{kind}} {{answer}}')],
        },
      ],
    },
    {
      title: 'Limits',
      panels: [
        {
          title: 'Share of the admission limits in use',
          unit: 'percentunit',
          queries: [
            {
              expr: 'max(inlet_in_flight{stage="receiving"} / on(instance) inlet_limit{of="in_flight"})',
              legend: 'requests',
            },
            {
              expr: 'max(inlet_receiving_pending_bytes / on(instance) inlet_limit{of="pending_bytes"})',
              legend: 'bytes',
            },
          ],
        },
        {
          title: 'Connections',
          unit: 'short',
          queries: [{ expr: 'sum by (instance) (inlet_http_connections)', legend: '{{instance}}' }],
        },
        {
          title: 'Connections closed by limits',
          unit: 'ops',
          queries: [rate('inlet_http_connections_closed_total', 'reason', '{{reason}}')],
        },
        {
          title: 'Bytes held for slow clients',
          unit: 'bytes',
          queries: [{ expr: 'sum by (instance) (inlet_http_held_bytes)', legend: '{{instance}}' }],
        },
      ],
    },
    {
      title: 'APIs',
      panels: [
        {
          title: 'Requests by status',
          unit: 'reqps',
          queries: [rate('inlet_http_request_duration_seconds_count', 'status', '{{status}}')],
        },
        {
          title: 'Slowest routes, p99',
          unit: 's',
          queries: slowest('inlet_http_request_duration_seconds', 'route'),
        },
        {
          title: 'Over the rate limit',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum(rate(inlet_api_rate_limited_total[$__rate_interval]))',
              legend: 'requests',
            },
          ],
        },
      ],
    },
  ],
};
