/** The shape of the definition of a metric. */
import type { Counter, Gauge, Histogram } from 'prom-client';

export const roles = ['server', 'worker'] as const;
export type ProcessRole = (typeof roles)[number];

/** The values of each label. A text says what the values are where they are not listed. */
export type Labels = Readonly<Record<string, readonly string[] | string>>;

type Common<L extends Labels> = {
  readonly name: string;
  readonly help: string;
  readonly roles: readonly ProcessRole[];
  readonly labels: L;
};
type CounterDefinition<L extends Labels> = Common<L> & { readonly type: 'counter' };
type GaugeDefinition<L extends Labels> = Common<L> & {
  readonly type: 'gauge';
  readonly aggregator?: 'max' | 'min';
  /** Whether the series is absent until it is known: 0 would be wrong. */
  readonly isAbsentAtFirst?: true;
};
type HistogramDefinition<L extends Labels> = Common<L> & {
  readonly type: 'histogram';
  readonly buckets: readonly number[];
  /** Whether an observation may name an event or request as an example, which OpenMetrics shows. */
  readonly exemplars?: true;
};
export type Definition =
  | CounterDefinition<Labels>
  | GaugeDefinition<Labels>
  | HistogramDefinition<Labels>;

type LabelOf<D> = D extends Common<infer L> ? keyof L & string : never;
export type SeriesOf<D extends Definition> = D extends { readonly type: 'counter' }
  ? Counter<LabelOf<D>>
  : D extends { readonly type: 'gauge' }
    ? Gauge<LabelOf<D>>
    : Histogram<LabelOf<D>>;

type NoLabels = Readonly<Record<never, never>>;
type Given<L extends Labels> = Omit<Common<L>, 'labels' | 'roles'> & { readonly labels?: L };

const metricsOf = (of: readonly ProcessRole[]) => ({
  counter: <const L extends Labels = NoLabels>(given: Given<L>): CounterDefinition<L> => ({
    labels: {} as L,
    ...given,
    roles: of,
    type: 'counter',
  }),
  gauge: <const L extends Labels = NoLabels>(
    given: Given<L> & Pick<GaugeDefinition<L>, 'aggregator' | 'isAbsentAtFirst'>,
  ): GaugeDefinition<L> => ({ labels: {} as L, ...given, roles: of, type: 'gauge' }),
  histogram: <const L extends Labels = NoLabels>(
    given: Given<L> & Pick<HistogramDefinition<L>, 'buckets' | 'exemplars'>,
  ): HistogramDefinition<L> => ({ labels: {} as L, ...given, roles: of, type: 'histogram' }),
});
/** What defines a metric, by the processes that have it. */
export const server = metricsOf(['server']);
export const worker = metricsOf(['worker']);
export const every = metricsOf(roles);

/** Values of labels that other modules define. */
export type KnownValues = {
  /** Why events and deliveries die. */
  readonly reasons: readonly string[];
  readonly channelKinds: readonly string[];
  readonly runKinds: readonly string[];
  readonly noticeKinds: readonly string[];
  readonly secretOwners: readonly string[];
};
