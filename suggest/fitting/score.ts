/** Counts the correct and wrong values of suggestions. */
import { compileMapping } from '../../src/mapping/language/compile.ts';
import type { Payload } from '../../src/domain/mappings/mapping.ts';
import { previewItems } from '../../src/mapping/evaluation/preview.ts';
import type { PreviewItem } from '../../src/mapping/evaluation/preview.ts';
import { suggestMapping } from '../suggest.ts';
import type { Verdict } from './corpus.ts';

export type VerdictCounts = Record<Verdict, number>;

export const noVerdicts = (): VerdictCounts => ({
  right: 0,
  wrong: 0,
  missing: 0,
  invented: 0,
  empty: 0,
});

export function addVerdicts(to: VerdictCounts, from: VerdictCounts): VerdictCounts {
  for (const verdict of Object.keys(to) as Verdict[]) to[verdict] += from[verdict];
  return to;
}

/** Returns the share of the true values that are right, and the share of the filled values that are wrong. */
export function sharesOf({ right, wrong, missing, invented }: VerdictCounts) {
  const [known, filled] = [right + wrong + missing, right + wrong + invented];
  return { right: right / Math.max(known, 1), wrong: (wrong + invented) / Math.max(filled, 1) };
}

/** Returns a function that gives the events that the mapping suggested from the samples reads in a payload. */
export function readerOf(
  samples: readonly Payload[],
  region: string,
): (payload: Payload) => PreviewItem[] {
  const compiled = compileMapping(suggestMapping(samples, { defaultRegion: region }).mapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return (payload) => [...previewItems(compiled.mapping, payload, { defaultRegion: region })];
}

export const readAsSuggested = (
  samples: readonly Payload[],
  payload: Payload,
  region: string,
): PreviewItem[] => readerOf(samples, region)(payload);

export function tableOf(title: string, rows: ReadonlyMap<string, VerdictCounts>): string {
  const total = [...rows.values()].reduce(addVerdicts, noVerdicts());
  const line = (name: string, tally: VerdictCounts) =>
    [
      name.padEnd(32),
      ...(['right', 'wrong', 'missing', 'invented'] as const).map((verdict) =>
        String(tally[verdict]).padStart(9),
      ),
      `${(sharesOf(tally).right * 100).toFixed(1)} %`.padStart(9),
    ].join('');
  const heading = `${title.padEnd(32)}    right    wrong  missing invented    right`;
  return [
    heading,
    ...[...rows].map(([name, tally]) => line(name, tally)),
    line('total', total),
  ].join('\n');
}
