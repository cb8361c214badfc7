import type { Series } from '../processes.ts';

/** Returns a quantile of values in any order. `share` is 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Sums a counter over its labels and over processes. */
export const sumCounter = (processes: readonly (readonly Series[])[], name: string): number =>
  processes
    .flatMap((series) => series.find((one) => one.name === name)?.values ?? [])
    .reduce((sum, { value }) => sum + value, 0);

/** Returns the sum and the number of the values of a histogram over its labels; NaN when there is no such histogram. */
export function totalsOf(series: readonly Series[], name: string) {
  const values = series.find((one) => one.name === name)?.values;
  const total = (part: string) =>
    values
      ?.filter(({ metricName }) => metricName === `${name}_${part}`)
      .reduce((sum, { value }) => sum + value, 0) ?? Number.NaN;
  return { sum: total('sum'), count: total('count') };
}

/** Returns a quantile of a histogram over processes, with linear interpolation inside a bucket. */
export function histogramQuantile(
  processes: readonly (readonly Series[])[],
  { name, share }: { name: string; share: number },
): number {
  const counts = new Map<number, number>();
  for (const series of processes) {
    for (const { metricName, labels, value } of series.find((one) => one.name === name)?.values ??
      []) {
      if (metricName !== `${name}_bucket`) continue;
      const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
      counts.set(bound, (counts.get(bound) ?? 0) + value);
    }
  }
  const buckets = [...counts].toSorted(([a], [b]) => a - b);
  const wanted = share * (buckets.at(-1)?.[1] ?? 0);
  let [lower, before] = [0, 0];
  for (const [upper, count] of buckets) {
    if (count >= wanted && Number.isFinite(upper)) {
      return lower + ((upper - lower) * (wanted - before)) / Math.max(1, count - before);
    }
    [lower, before] = [upper, count];
  }
  return lower;
}
