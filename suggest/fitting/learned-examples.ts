/** What the model learns from: every payload as it is, and once with other values, because those of the corpora are too much alike. */
import { readCases, readVariedCases, type Case } from './cases.ts';
import { withExamples, type CaseExamples } from './cross-validate.ts';

/** More variants would outweigh the payloads as they are. */
const learnedVariation = 0;
const scoredVariations = [1, 2];

/** The variants are learned from, and not scored. */
export const learnedExamples = (): CaseExamples[] => [
  ...withExamples(readCases()),
  ...withExamples(readVariedCases(learnedVariation)).map((each) => ({ ...each, isScored: false })),
];

const keyOf = ({ set, name }: Case): string => `${set}/${name}`;
let known: readonly ReadonlyMap<string, Case>[] | undefined;

/** Returns other variants of a case than the learned one. */
export function scoredVariants(given: Case): readonly Case[] {
  known ??= scoredVariations.map(
    (number) => new Map(readVariedCases(number).map((each) => [keyOf(each), each])),
  );
  return known.flatMap((variation) => variation.get(keyOf(given)) ?? []);
}
