/** The text format of OpenMetrics, and its exemplars: an event or request for each bucket of a histogram. */
import { Registry, type Histogram, type Metric, type RegistryContentType } from 'prom-client';

/** For `Accept` and `Content-Type`. */
export const openMetricsType = Registry.OPENMETRICS_CONTENT_TYPE;

/** The library renames counters of a registry of this format, so it gets views of them. */
export function openMetricsText(registry: Registry): Promise<string> {
  const views = new Registry<RegistryContentType>();
  views.setContentType(openMetricsType);
  for (const metric of registry.getMetricsAsArray()) {
    views.registerMetric(Object.create(metric) as Metric);
  }
  return views.metrics();
}

type Observation<Label extends string> = {
  readonly labels: Partial<Record<Label, string>>;
  readonly value: number;
  /** At most 128 characters, names included. */
  readonly exemplar: Readonly<Record<string, string>>;
};

/** For histograms whose definition has `exemplars`. */
export const observeWithExemplar = <Label extends string>(
  histogram: Histogram<Label>,
  { labels, value, exemplar }: Observation<Label>,
): void =>
  histogram.observe({ labels, value, exemplarLabels: exemplar as Partial<Record<Label, string>> });
