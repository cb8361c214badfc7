/**
 * Prometheus metrics of a process. docs/metrics.md is generated from the definitions.
 *
 * Promises: a process has only the series of its role. Labels have a bounded set of values, never a key or an id, and every
 * combination of a counter or histogram whose values are known exists from the start. `npm start` merges the series of its processes: counters are
 * added; a gauge that all processes read from the same source has an `aggregator`.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { installationMetrics } from './installation-metrics.ts';
import type {
  Definition,
  KnownValues,
  Labels,
  ProcessRole,
  SeriesOf,
} from './metric-definition.ts';
import { processMetrics } from './process-metrics.ts';
import { deliveryMetrics, noticeMetrics, processingMetrics } from './processing-metrics.ts';
import { receivingMetrics } from './receiving-metrics.ts';

const definitionsOf = (known: KnownValues) => ({
  ...receivingMetrics,
  ...processingMetrics(known),
  ...deliveryMetrics(known),
  ...noticeMetrics(known),
  ...installationMetrics(known),
  ...processMetrics,
});
type Definitions = ReturnType<typeof definitionsOf>;
type Series = { readonly [Name in keyof Definitions]: SeriesOf<Definitions[Name]> };

type MetricsOptions = Partial<KnownValues> & {
  /** Default: the series of every role. */
  readonly role?: ProcessRole;
};

export type { MongodbCommand } from './process-metrics.ts';
export type { ReceiveOutcome } from './receiving-metrics.ts';
export type Metrics = ReturnType<typeof createMetrics>;

const noneKnown: KnownValues = {
  reasons: [],
  channelKinds: [],
  runKinds: [],
  noticeKinds: [],
  secretOwners: [],
};

export function createMetrics({ role, ...known }: MetricsOptions = {}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges that end in `_total`, the name of counters.
  for (const name of ['resources', 'handles', 'requests'])
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  const definitions = Object.entries<Definition>(definitionsOf({ ...noneKnown, ...known }));
  const entries = definitions.map(([name, definition]) => {
    const series = create(definition);
    if (role === undefined || definition.roles.includes(role)) registry.registerMetric(series);
    return [name, series] as const;
  });
  return { registry, ...(Object.fromEntries(entries) as Series) };
}

function create(definition: Definition) {
  const { name, help, labels } = definition;
  const common = { name, help, labelNames: Object.keys(labels), registers: [] };
  if (definition.type === 'gauge') {
    const { aggregator, isAbsentAtFirst } = definition;
    const series = new Gauge({ ...common, ...(aggregator && { aggregator }) });
    if (isAbsentAtFirst && common.labelNames.length === 0) series.remove();
    return series;
  }
  if (definition.type === 'counter') {
    const series = new Counter(common);
    for (const combination of combinationsOf(labels)) series.inc(combination, 0);
    return series;
  }
  const { buckets, exemplars: enableExemplars = false } = definition;
  const series = new Histogram({ ...common, buckets: [...buckets], enableExemplars });
  for (const combination of combinationsOf(labels)) series.zero(combination);
  return series;
}

/** Empty when the values of a label are not known. */
function combinationsOf(labels: Labels): Record<string, string>[] {
  let found: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(labels)) {
    if (typeof values === 'string') return [];
    found = found.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return found;
}

/**
 * Describes the metrics for docs/metrics.md, in the order of their definition.
 * @public `npm run docs` imports it from dist.
 */
export const describeMetrics = (known: KnownValues): readonly Definition[] =>
  Object.values<Definition>(definitionsOf(known));
