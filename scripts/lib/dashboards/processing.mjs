// What becomes of events, and what waits.
import { rate } from './queries.mjs';

/** @type {import('./queries.mjs').Dashboard} */
export const processing = {
  uid: 'inlet-processing',
  title: 'Inlet / Processing and queue',
  rows: [
    {
      title: 'Backlog',
      panels: [
        {
          title: 'Open events by state',
          unit: 'short',
          queries: [{ expr: 'max by (state) (inlet_events_open)', legend: '{{state}}' }],
        },
        {
          title: 'Waiting jobs',
          unit: 'short',
          queries: [{ expr: 'max(inlet_queue_depth_jobs)', legend: 'jobs' }],
        },
        {
          title: 'Age of the oldest waiting job',
          description: 'front: webhooks without a backlog; behind: the others.',
          unit: 's',
          queries: [
            {
              expr: 'time() - min by (band) (inlet_queue_oldest_job_timestamp_seconds)',
              legend: '{{band}}',
            },
          ],
        },
        {
          title: 'Open runs',
          unit: 'short',
          queries: [{ expr: 'max by (kind) (inlet_runs_open)', legend: '{{kind}}' }],
        },
      ],
    },
    {
      title: 'Sets of events',
      panels: [
        {
          title: 'Time of each step, mean',
          unit: 's',
          queries: [
            {
              expr: 'sum by (step) (rate(inlet_set_duration_seconds_sum[$__rate_interval])) / (sum by (step) (rate(inlet_set_duration_seconds_count[$__rate_interval])) > 0)',
              legend: '{{step}}',
            },
          ],
        },
        {
          title: 'Events of a set, mean',
          unit: 'short',
          queries: [
            {
              expr: 'sum(rate(inlet_set_events_sum[$__rate_interval])) / (sum(rate(inlet_set_events_count[$__rate_interval])) > 0)',
              legend: 'events',
            },
          ],
        },
        {
          title: 'Sets in progress, share of the limit',
          unit: 'percentunit',
          queries: [
            {
              expr: 'inlet_in_flight{stage="sets"} / on(instance) inlet_limit{of="sets"}',
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Retries and deaths',
          unit: 'ops',
          queries: [
            {
              expr: 'sum(rate(inlet_events_retried_total[$__rate_interval]))',
              legend: 'retried',
            },
            {
              expr: 'topk(10, sum by (reason) (rate(inlet_events_dead_total[$__rate_interval])))',
              legend: '{{reason}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Hints and leases',
      panels: [
        {
          title: 'Hints by result',
          unit: 'ops',
          queries: [rate('inlet_queue_hints_total', 'result', '{{result}}')],
        },
        {
          title: 'Sweeps',
          unit: 'ops',
          queries: [
            rate('inlet_sweeps_total', 'result', '{{result}}'),
            {
              expr: 'sum(rate(inlet_sweeper_events_total[$__rate_interval]))',
              legend: 'events found',
            },
          ],
        },
        {
          title: 'Leases',
          unit: 'ops',
          queries: [
            rate('inlet_lease_renewals_total', 'result', '{{result}}'),
            {
              expr: 'sum(rate(inlet_leases_lost_total[$__rate_interval]))',
              legend: 'events lost',
            },
          ],
        },
        {
          title: 'Deleted by retention',
          unit: 'ops',
          queries: [rate('inlet_retention_deleted_total', 'kind', '{{kind}}')],
        },
      ],
    },
  ],
};
