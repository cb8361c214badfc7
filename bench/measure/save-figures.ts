/** Keeps the latest figures of each part in bench/results.json, and draws those with a target in docs/performance.svg. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawRatios, type Ratio } from './draw-ratios.ts';
import { printTable } from './print-table.ts';
import { median } from './statistics.ts';

/** From dist/bench/measure to the sources. */
const repository = join(import.meta.dirname, '../../..');
const resultsFile = join(repository, 'bench/results.json');
const pictureFile = join(repository, 'docs/performance.svg');

export const fairnessFigure = 'ten events behind 5,000 of another webhook ÷ the 5,000';

const targets: readonly Pick<Ratio, 'name' | 'target' | 'isGreaterBetter'>[] = [
  { name: 'server CPU for a request ÷ empty Express', target: 1.5 },
  { name: 'accepted a second ÷ empty Express', target: 0.5, isGreaterBetter: true },
  { name: 'p99 at half load ÷ empty Express', target: 2.5 },
  { name: 'as they come ÷ Express, BullMQ and one insert', target: 1.3, isGreaterBetter: true },
  { name: 'time of an event of a returning person ÷ of a new one', target: 1 },
  { name: fairnessFigure, target: 0.015 },
  { name: 'MongoDB CPU from claim to finish, µs', target: 450 },
  { name: 'worker CPU for an event, µs', target: 200 },
  { name: 'worker CPU for an event after 5,000 others, µs', target: 200 },
  { name: 'MongoDB CPU to accept an event, 1000000 stored ÷ 50000', target: 1.15 },
  { name: 'MongoDB CPU to process an event, 1000000 stored ÷ 50000', target: 1.1 },
  { name: 'memory of the server, MB', target: 200 },
  { name: 'memory of the server after 1000000 events ÷ after a tenth', target: 1.1 },
  { name: 'memory of the worker after 1000000 events ÷ after a tenth', target: 1.1 },
];

/** The values of one round by the names of the figures. */
export type Figures = Readonly<Record<string, number>>;

type Result = {
  readonly name: string;
  readonly rounds: number;
  readonly median: number;
  readonly from: number;
  readonly to: number;
};

const rounded = (value: number): number => +value.toPrecision(3);

function resultOf(name: string, values: readonly number[]): Result {
  return {
    name,
    rounds: values.length,
    median: rounded(median(values)),
    from: rounded(Math.min(...values)),
    to: rounded(Math.max(...values)),
  };
}

/** Prints the medians with their ranges, and saves them. */
export function saveFigures(title: string, ran: readonly Figures[]): void {
  const results = storeFigures(ran);
  printTable(title, [
    ['', 'median', 'from', 'to'],
    ...results.map((one) => [one.name, `${one.median}`, `${one.from}`, `${one.to}`]),
  ]);
}

/** Saves the medians with their ranges in place of earlier figures of the same names. Returns those of this run. */
export function storeFigures(ran: readonly Figures[]): Result[] {
  const names = [...new Set(ran.flatMap((figures) => Object.keys(figures)))];
  const results = names.map((name) =>
    resultOf(
      name,
      ran.flatMap((figures) => figures[name] ?? []),
    ),
  );
  const saved = JSON.parse(readFileSync(resultsFile, 'utf8')) as { readonly figures: Result[] };
  const others = saved.figures.filter(({ name }) => !names.includes(name));
  const figures = [...results, ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(resultsFile, `${JSON.stringify({ figures }, null, 2)}\n`);
  const ratios = targets.flatMap((target) =>
    figures.flatMap((one) => (one.name === target.name ? [{ ...one, ...target }] : [])),
  );
  writeFileSync(pictureFile, drawRatios(ratios));
  return results;
}
