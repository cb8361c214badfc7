// What Inlet depends on: destinations, MongoDB, Redis, clocks.
import { quantiles, rate, slowest } from './queries.mjs';

/** @type {import('./queries.mjs').Dashboard} */
export const dependencies = {
  uid: 'inlet-destinations-databases',
  title: 'Inlet / Destinations and databases',
  rows: [
    {
      title: 'Destinations',
      panels: [
        {
          title: 'Attempts by outcome',
          unit: 'ops',
          queries: [rate('inlet_deliveries_total', 'outcome', '{{outcome}}')],
        },
        {
          title: 'Duration of attempts by kind of channel',
          unit: 's',
          queries: quantiles('inlet_delivery_duration_seconds', 'kind').map((query) => ({
            ...query,
            expr: `${query.expr} >= 0`,
          })),
        },
        {
          title: 'Open deliveries',
          unit: 'short',
          queries: [{ expr: 'max by (state) (inlet_deliveries_open)', legend: '{{state}}' }],
        },
        {
          title: 'Dead deliveries',
          unit: 'ops',
          queries: [
            {
              expr: 'topk(10, sum by (reason) (rate(inlet_deliveries_dead_total[$__rate_interval])))',
              legend: '{{reason}}',
            },
          ],
        },
        {
          title: 'Channels',
          unit: 'short',
          queries: [
            { expr: 'max by (kind, state) (inlet_channels)', legend: '{{kind}} {{state}}' },
          ],
        },
      ],
    },
    {
      title: 'MongoDB',
      panels: [
        {
          title: 'Commands',
          unit: 'ops',
          queries: [rate('inlet_mongodb_command_duration_seconds_count', 'command', '{{command}}')],
        },
        {
          title: 'Duration, p99',
          unit: 's',
          queries: slowest('inlet_mongodb_command_duration_seconds', 'command'),
        },
        {
          title: 'Failed commands',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (command) (rate(inlet_mongodb_command_duration_seconds_count{result="error"}[$__rate_interval]))',
              legend: '{{command}}',
            },
          ],
        },
        {
          title: 'Connections',
          unit: 'short',
          queries: [
            { expr: 'sum by (state) (inlet_mongodb_pool_connections)', legend: '{{state}}' },
          ],
        },
        {
          title: 'Disk in use',
          description: 'Of the primary. From 92 % it is dangerous: a full disk stops Inlet.',
          unit: 'percentunit',
          queries: [
            {
              expr: 'max(inlet_mongodb_disk_used_bytes / inlet_mongodb_disk_size_bytes)',
              legend: 'disk',
            },
          ],
        },
      ],
    },
    {
      title: 'Secrets and backups',
      panels: [
        {
          title: 'Secrets that no key opens',
          unit: 'short',
          queries: [{ expr: 'max by (owner) (inlet_secrets_unreadable)', legend: '{{owner}}' }],
        },
        {
          title: 'Age of the last verified backup',
          description: 'Reported by inlet backup verify --report.',
          type: 'stat',
          unit: 's',
          queries: [
            {
              expr: 'time() - max(inlet_backup_verified_timestamp_seconds)',
              legend: 'last backup',
            },
          ],
        },
      ],
    },
    {
      title: 'Redis and clocks',
      panels: [
        {
          title: 'Duration of commands to Redis',
          unit: 's',
          queries: quantiles('inlet_redis_command_duration_seconds', 'client'),
        },
        {
          title: 'Connected to Redis',
          unit: 'short',
          queries: [{ expr: 'min by (instance) (inlet_redis_up)', legend: '{{instance}}' }],
        },
        {
          title: "Offset of MongoDB's clock",
          unit: 's',
          queries: [
            { expr: 'max by (instance) (inlet_clock_offset_seconds)', legend: '{{instance}}' },
          ],
        },
        {
          title: 'Event loop lag, p99',
          unit: 's',
          queries: [
            {
              expr: 'max by (instance) (nodejs_eventloop_lag_p99_seconds)',
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Dropped log lines',
          unit: 'ops',
          queries: [
            {
              expr: 'sum(rate(inlet_log_lines_dropped_total[$__rate_interval]))',
              legend: 'lines',
            },
          ],
        },
      ],
    },
  ],
};
