// The dashboards for Grafana. `npm run docs` writes them to deploy/grafana.
import { dependencies } from './dependencies.mjs';
import { overview } from './overview.mjs';
import { processing } from './processing.mjs';
import { receiving } from './receiving.mjs';

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

export const dashboards = [overview, receiving, processing, dependencies];
