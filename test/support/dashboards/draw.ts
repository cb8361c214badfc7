// Draws dashboards as Grafana lays them out, without Grafana: three panels in a row, a line for each series.
import type { Panel } from '../../../scripts/lib/dashboards/queries.mjs';
import { launchBrowser } from '../console/console.ts';
import type { Series } from '../services/prometheus.ts';

type Line = { readonly legend: string; readonly series: Series };
type DrawnPanel = { readonly panel: Panel; readonly lines: readonly Line[] };
export type Drawn = {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly DrawnPanel[];
};

const size = { width: 380, height: 120 };
const colours = [
  '#3b82f6',
  '#f59e0b',
  '#10b981',
  '#ef4444',
  '#8b5cf6',
  '#ec4899',
  '#14b8a6',
  '#84cc16',
];
const shownLines = 8;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const nameOf = ({ legend, series }: Line): string =>
  legend.replaceAll(/\{\{([^}]*)\}\}/g, (_whole, names: string) =>
    names
      .split(',')
      .map((name) => series.metric[name.trim()] ?? '')
      .join(' '),
  );

const pointsOf = ({ values }: Series): readonly (readonly [number, number])[] =>
  values
    .map(([at, value]) => [at, Number(value)] as const)
    .filter(([, value]) => Number.isFinite(value));

function formatValue(value: number, unit: string): string {
  if (unit === 'percentunit') return `${(100 * value).toFixed(1)} %`;
  if (unit === 'bytes') return `${(value / 2 ** 20).toFixed(1)} MiB`;
  if (unit === 's') return value < 1 ? `${(1_000 * value).toFixed(1)} ms` : `${value.toFixed(1)} s`;
  return Number(value.toPrecision(3)).toString();
}

function chartOf(lines: readonly Line[], unit: string): string {
  const all = lines.flatMap(({ series }) => pointsOf(series));
  const [from, to] = [Math.min(...all.map(([at]) => at)), Math.max(...all.map(([at]) => at))];
  const low = Math.min(0, ...all.map(([, value]) => value));
  const high = Math.max(...all.map(([, value]) => value), low + 1e-9);
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * size.width;
  const y = (value: number) => size.height - ((value - low) / (high - low)) * (size.height - 4) - 2;
  const paths = lines.map(({ series }, index) => {
    const points = pointsOf(series).map(
      ([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`,
    );
    return `<polyline points="${points.join(' ')}" stroke="${colours[index % colours.length]}"/>`;
  });
  const head = `<span>${formatValue(high, unit)}</span>`;
  return `${head}<svg viewBox="0 0 ${size.width} ${size.height}">${paths.join('')}</svg>`;
}

function panelHtml({ panel, lines }: DrawnPanel): string {
  const latest = ({ series }: Line) => pointsOf(series).at(-1)?.[1] ?? 0;
  const shown = lines.toSorted((a, b) => latest(b) - latest(a)).slice(0, shownLines);
  const [first] = shown;
  const body =
    panel.type === 'stat' && first
      ? `<b>${formatValue(latest(first), panel.unit)}</b>`
      : chartOf(shown, panel.unit);
  const names = shown.map(
    (line, index) =>
      `<i style="color:${colours[index % colours.length]}">${escape(nameOf(line))}</i>`,
  );
  return `<section><h2>${escape(panel.title)}</h2>${body}<p>${names.join(' ')}</p></section>`;
}

const pageOf = ({ title, panels }: Drawn): string => `<!doctype html><meta charset="utf-8"><style>
body { margin: 12px; width: 1230px; font: 12px sans-serif; background: #f4f5f7; color: #1f2937 }
h1 { font-size: 18px; margin: 0 0 10px } h2 { font-size: 13px; margin: 0 0 4px }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 10px }
section { background: #fff; border: 1px solid #e5e7eb; border-radius: 4px; padding: 8px }
svg { display: block; width: 100%; border-bottom: 1px solid #e5e7eb } polyline { fill: none; stroke-width: 1.5 }
span { color: #6b7280 } b { font-size: 34px; display: block; text-align: center; margin: 38px 0 }
p { margin: 4px 0 0 } i { font-style: normal; margin-right: 8px; white-space: nowrap; display: inline-block }
</style><h1>${escape(title)}</h1><main>${panels.map(panelHtml).join('')}</main>`;

/** Returns a PNG for each dashboard, named by its id. */
export async function drawDashboards(dashboards: readonly Drawn[]) {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1254, height: 800 } });
    const pictures: { name: string; picture: Buffer }[] = [];
    for (const dashboard of dashboards) {
      await page.setContent(pageOf(dashboard));
      pictures.push({ name: dashboard.uid, picture: await page.screenshot({ fullPage: true }) });
    }
    return pictures;
  } finally {
    await browser.close();
  }
}
