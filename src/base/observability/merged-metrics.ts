/**
 * Merges the metrics of child processes, so that one scrape shows all of them.
 *
 * Promises: a counter or histogram never falls when a child ends, starts again or does not answer: its last answer is kept. What
 * a child counted after its last answer is lost with it. Gauges are those of children that answer.
 * Limit: exemplars are lost.
 */
import { AggregatorRegistry, type Registry } from 'prom-client';

export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** A child that is asked, and its answer, if it gave one. */
type Answer = { readonly child: object; readonly metrics: ProcessMetrics | undefined };

export function createMergedMetrics() {
  /** The last counters and histograms of each child that runs. */
  const last = new Map<object, ProcessMetrics>();
  /** Children that have ended: a late answer does not count. */
  const gone = new WeakSet<object>();
  /** Those of all children that have ended, added up. */
  let ended: Promise<ProcessMetrics> = Promise.resolve([]);

  /** Resolves to the series of ended children. None ends between its last step and the caller's next one. */
  async function ofEnded(): Promise<ProcessMetrics> {
    for (;;) {
      const current = ended;
      const series = await current;
      if (current === ended) return series;
    }
  }

  return {
    /** The child has ended. */
    end(child: object): void {
      gone.add(child);
      const series = last.get(child);
      last.delete(child);
      if (series) ended = ended.then((before) => merge([before, series]).getMetricsAsJSON());
    },

    /** Merges the answers of the children that run and what the others have counted with the series of this process. */
    async merge(own: ProcessMetrics, answers: readonly Answer[]): Promise<Registry> {
      const gauges: ProcessMetrics[] = [];
      for (const { child, metrics } of answers) {
        if (!metrics || gone.has(child)) continue;
        last.set(child, metrics.filter(isCount));
        gauges.push(metrics.filter((one) => !isCount(one)));
      }
      return merge([own, await ofEnded(), ...last.values(), ...gauges]);
    },
  };
}

const isCount = ({ type }: ProcessMetrics[number]): boolean =>
  ['counter', 'histogram'].includes(String(type));

const merge = (sets: readonly ProcessMetrics[]): Registry =>
  AggregatorRegistry.aggregate([...sets]);
