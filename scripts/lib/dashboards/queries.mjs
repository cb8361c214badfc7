// Queries that several panels have.

/** @typedef {import('./definitions.mjs').Query} Query */

/** @param {string} metric @param {string} labels @param {string} legend @returns {Query} */
export const rate = (metric, labels, legend) => ({
  expr: `sum by (${labels}) (rate(${metric}[$__rate_interval]))`,
  legend,
});

/**
 * The median and the 99th percentile of a histogram.
 * @param {string} metric @param {string} [labels] to compare, separated by commas
 * @returns {Query[]}
 */
export const quantiles = (metric, labels) =>
  [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le${labels ? `, ${labels}` : ''}) (rate(${metric}_bucket[$__rate_interval])))`,
    legend: `p${quantile * 100}${labels ? ` {{${labels}}}` : ''}`,
  }));

/** @param {string} metric @param {string} label @returns {Query[]} */
export const slowest = (metric, label) => [
  {
    expr: `topk(10, histogram_quantile(0.99, sum by (le, ${label}) (rate(${metric}_bucket[$__rate_interval]))) >= 0)`,
    legend: `{{${label}}}`,
  },
];
