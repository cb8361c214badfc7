// How Inlet does against its objectives, and what it does now.
import { quantiles, rate } from './queries.mjs';

/** @type {import('./queries.mjs').Dashboard} */
export const overview = {
  uid: 'inlet-overview',
  title: 'Inlet / Overview',
  rows: [
    {
      title: 'Objectives',
      panels: [
        {
          title: 'Deliveries not answered 5xx, 6 h',
          description: 'Objective: 99.95 %.',
          type: 'stat',
          unit: 'percentunit',
          queries: [{ expr: '1 - inlet:receive_bad:ratio6h', legend: 'not 5xx' }],
        },
        {
          title: 'New events done within 10 s, 6 h',
          description: 'Objective: 99 %.',
          type: 'stat',
          unit: 'percentunit',
          queries: [{ expr: '1 - inlet:done_late:ratio6h', legend: 'within 10 s' }],
        },
        {
          title: 'Budget spent per hour: senders',
          description: '1: the budget of 30 days lasts 30 days.',
          unit: 'short',
          queries: [
            { expr: 'inlet:receive_bad:ratio5m / 0.0005', legend: '5 min' },
            { expr: 'inlet:receive_bad:ratio1h / 0.0005', legend: '1 h' },
          ],
        },
        {
          title: 'Budget spent per hour: events',
          description: '1: the budget of 30 days lasts 30 days.',
          unit: 'short',
          queries: [
            { expr: 'inlet:done_late:ratio5m / 0.01', legend: '5 min' },
            { expr: 'inlet:done_late:ratio1h / 0.01', legend: '1 h' },
          ],
        },
      ],
    },
    {
      title: 'Events',
      panels: [
        {
          title: 'Received',
          unit: 'reqps',
          queries: [
            rate('inlet_events_received_total', 'mode', '{{mode}}'),
            {
              expr: 'sum(rate(inlet_events_duplicate_total[$__rate_interval]))',
              legend: 'of them duplicates',
            },
          ],
        },
        {
          title: 'Ended',
          unit: 'ops',
          queries: [rate('inlet_events_processed_total', 'outcome', '{{outcome}}')],
        },
        {
          title: 'Time to done',
          unit: 's',
          queries: quantiles('inlet_event_time_to_done_seconds'),
        },
        {
          title: 'Due',
          unit: 'short',
          queries: [{ expr: 'max(inlet_events_due)', legend: 'events' }],
        },
        {
          title: 'Due for',
          unit: 's',
          queries: [
            {
              // The time of the measurement, of which there is one every 15 s, means that none is due.
              expr: 'clamp_min(time() - 15 - min(inlet_oldest_due_event_timestamp_seconds), 0)',
              legend: 'longest due event',
            },
          ],
        },
        {
          title: 'Dead letters',
          unit: 'short',
          queries: [
            { expr: 'topk(10, max by (reason) (inlet_dead_letters))', legend: '{{reason}}' },
          ],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Ready',
          unit: 'short',
          queries: [{ expr: 'min by (check) (inlet_ready)', legend: '{{check}}' }],
        },
        {
          title: 'Processes by version',
          unit: 'short',
          queries: [
            {
              expr: 'count by (role, version) (inlet_build_info)',
              legend: '{{role}} {{version}}',
            },
          ],
        },
        {
          title: 'Starts in the last hour',
          unit: 'short',
          queries: [
            {
              expr: 'changes(process_start_time_seconds[1h]) * on(instance) group_left(role) inlet_build_info',
              legend: '{{role}} {{instance}}',
            },
          ],
        },
        {
          title: 'CPU',
          unit: 'percentunit',
          queries: [
            {
              expr: 'rate(process_cpu_seconds_total[$__rate_interval]) * on(instance) group_left(role) inlet_build_info',
              legend: '{{role}} {{instance}}',
            },
          ],
        },
        {
          title: 'Memory',
          unit: 'bytes',
          queries: [
            {
              expr: 'process_resident_memory_bytes * on(instance) group_left(role) inlet_build_info',
              legend: '{{role}} {{instance}}',
            },
          ],
        },
      ],
    },
  ],
};
