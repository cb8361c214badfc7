/** Draws ratios beside their targets as SVG. A bar that ends left of the line has reached its target. */

export type Ratio = {
  readonly name: string;
  readonly median: number;
  readonly from: number;
  readonly to: number;
  readonly target: number;
  /** Whether greater values are better. Default: smaller ones. */
  readonly isGreaterBetter?: boolean;
};

const width = 1_060;
const barsFrom = 430;
const targetAt = 600;
/** Bars end here, however far the value is from its target. */
const barsEnd = 780;
const rowHeight = 30;
const top = 44;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const shown = (value: number): string => String(+value.toPrecision(3));

/** The distance from the target: 1 is the target, less is better. */
const distance = ({ target, isGreaterBetter }: Ratio, value: number): number =>
  isGreaterBetter ? target / value : value / target;

const positionOf = (ratio: Ratio, value: number): number =>
  Math.min(barsFrom + distance(ratio, value) * (targetAt - barsFrom), barsEnd);

function rowOf(ratio: Ratio, index: number): string {
  const { name, median, from, to, target, isGreaterBetter } = ratio;
  const y = top + index * rowHeight;
  const end = positionOf(ratio, median);
  const color = distance(ratio, median) <= 1 ? '#1a7f37' : '#bc4c00';
  const [low, high] = [positionOf(ratio, from), positionOf(ratio, to)];
  const values = `${shown(median)} (${shown(from)}–${shown(to)}), target ${isGreaterBetter ? '≥' : '≤'} ${target}`;
  return `  <text x="${barsFrom - 10}" y="${y + 13}" text-anchor="end">${escaped(name)}</text>
  <rect x="${barsFrom}" y="${y + 2}" width="${(end - barsFrom).toFixed(1)}" height="14" fill="${color}"/>
  <line x1="${low.toFixed(1)}" x2="${high.toFixed(1)}" y1="${y + 9}" y2="${y + 9}" stroke="#57606a" stroke-width="2"/>
  <text x="${barsEnd + 8}" y="${y + 13}">${escaped(values)}</text>`;
}

export function drawRatios(ratios: readonly Ratio[]): string {
  const height = top + ratios.length * rowHeight + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#57606a">
  <title>Ratios beside their targets</title>
  <text x="${targetAt}" y="20" text-anchor="middle">target</text>
${ratios.map(rowOf).join('\n')}
  <line x1="${targetAt}" x2="${targetAt}" y1="28" y2="${height - 8}" stroke="#57606a" stroke-dasharray="4 3"/>
</svg>
`;
}
