// Writes docs/metrics.md from the definitions of the metrics.

/** @typedef {ReturnType<typeof import('../../src/base/observability/metrics.ts').describeMetrics>[number]} Definition */

const head = `# Metrics

\`GET /metrics\` of the [operations port](deployment.md#health) answers in the text format of Prometheus. \`npm run docs\` writes this page from the code.

A process has the series of its role. Every combination of labels of a counter or histogram exists from the start with the value 0, except those with labels whose values are
not listed here. The sum over processes is the installation's, except for gauges with *maximum* or *minimum*: all processes read them from the same source.
The metrics of Node.js (\`process_\`, \`nodejs_\`) are there too.

| name | type | of | labels | meaning |
|---|---|---|---|---|
`;

/** Series with another origin: the supervisor's, and those of single webhooks, which have a page of their own. */
const others = `| \`inlet_processes\` | gauge | npm start | \`role\`: server, worker | Processes whose series are added up here. |
| \`inlet_process_restarts_total\` | counter | npm start |  | Processes that ended and started again. |
| \`inlet_webhook_events_received_total\` | counter | server | \`webhook_id\`: a webhook, or other | Accepted events of single webhooks: [/metrics/webhooks](monitoring.md#metrics-of-single-webhooks). |
| \`inlet_webhook_last_event_timestamp_seconds\` | gauge | server | \`webhook_id\`: a webhook | Time of the last accepted event: [/metrics/webhooks](monitoring.md#metrics-of-single-webhooks). |
`;

/** @param {readonly Definition[]} definitions */
export const metricsPage = (definitions) =>
  `${head}${definitions.map(row).join('\n')}
${others}`;

/** @param {Definition} definition */
function row(definition) {
  const { name, type, help, roles, labels } = definition;
  const aggregator = 'aggregator' in definition ? definition.aggregator : undefined;
  const kind = aggregator ? `${type}, ${aggregator}imum` : type;
  const shown = Object.entries(labels).map(
    ([label, values]) => `\`${label}\`: ${valuesOf(values)}`,
  );
  return `| \`${name}\` | ${kind} | ${roles.join(', ')} | ${shown.join('; ')} | ${help} |`;
}

/** Error codes and reasons have lists of their own. @param {readonly string[] | string} values */
function valuesOf(values) {
  if (typeof values === 'string') return values;
  if (values.includes('invalid_key')) {
    const found = values.includes('found') ? 'found, or ' : '';
    return `${found}an [error code](errors.md#error-codes)`;
  }
  if (values.includes('crashed_worker')) return 'a [reason](errors.md#reasons)';
  return values.join(', ');
}
