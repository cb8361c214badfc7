// Dashboards as JSON for Grafana 10 and newer, with the data source as a variable.

/** @typedef {import('./queries.mjs').Dashboard} Dashboard */
/** @typedef {import('./queries.mjs').Panel} Panel */

const datasource = { type: 'prometheus', uid: '${datasource}' };
/** Of the grid's 24 columns, for three panels in a row. */
const width = 8;
const height = 7;

/** @param {Dashboard} dashboard @returns {string} the text of its file */
export function grafanaFileOf({ uid, title, rows }) {
  let y = 0;
  let id = 0;
  const panels = rows.flatMap((row) => {
    const head = {
      id: (id += 1),
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: 24, h: 1 },
      panels: [],
    };
    y += 1;
    const own = row.panels.map((panel, index) => {
      const place = { x: (index % 3) * width, y: y + Math.floor(index / 3) * height };
      return panelOf(panel, { id: (id += 1), ...place });
    });
    y += Math.ceil(row.panels.length / 3) * height;
    return [head, ...own];
  });
  const dashboard = {
    uid,
    title,
    tags: ['inlet'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

/** @param {Panel} panel @param {{ id: number, x: number, y: number }} place */
function panelOf({ title, unit, description = '', type = 'timeseries', queries }, { id, x, y }) {
  return {
    id,
    type,
    title,
    description,
    datasource,
    gridPos: { x, y, w: width, h: height },
    fieldConfig: { defaults: { unit }, overrides: [] },
    options: type === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : {},
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}
