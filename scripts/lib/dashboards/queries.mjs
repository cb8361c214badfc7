// What dashboards consist of, and the queries that several panels have.

/**
 * @typedef {object} Query
 * @property {string} expr of PromQL, with `$__rate_interval` as in Grafana
 * @property {string} legend a text, or labels in double braces
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} unit of Grafana
 * @property {string} [description]
 * @property {'timeseries' | 'stat'} [type] default: timeseries
 * @property {Query[]} queries
 *
 * @typedef {{ title: string, panels: Panel[] }} Row
 * @typedef {{ uid: string, title: string, rows: Row[] }} Dashboard
 */

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
