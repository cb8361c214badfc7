/** Scores suggestions on producers that the ranking model was not fitted to. */
import type { TargetName } from '../candidates.ts';
import { compileMapping } from '../../src/mapping/language/compile.ts';
import { previewItems } from '../../src/mapping/evaluation/preview.ts';
import { suggestMapping } from '../suggest.ts';
import type { RankingModel } from '../rank.ts';
import { sharesOf } from '../rank.ts';
import type { Verdict } from './corpus.ts';
import { blankCases } from './blank-values.ts';
import type { Case } from './cases.ts';
import { casesWithNotes } from './cases-with-notes.ts';
import { bestOf, examplesOf } from './examples.ts';
import type { Example } from './examples.ts';
import { fitModel } from './fit.ts';
import { splitIntoFolds } from './folds.ts';

const folds = 5;
const offered = 3;

/** What a suggestion makes of one target of one payload. */
export interface Score {
  readonly case: Case;
  readonly target: TargetName;
  readonly verdict: Verdict;
  /** Of the filled value; null when the target is empty. */
  readonly confidence: number | null;
  /** Whether a right value is among the first three that are offered; false when there is none. */
  readonly isOffered: boolean;
  readonly isKnown: boolean;
}

export interface CaseExamples {
  readonly case: Case;
  readonly producer: string;
  readonly examples: readonly Example[];
  /** Without a value of the person, or with a note beside the message: learned from, and not scored. */
  readonly variants: readonly Example[];
  /** False: only learned from. */
  readonly isScored?: boolean;
}

export const withExamples = (cases: readonly Case[]): CaseExamples[] =>
  cases.map((each, i) => ({
    case: each,
    producer: each.producer,
    examples: examplesOf(each),
    variants: [
      ...blankCases(each),
      ...casesWithNotes(each, i).map((noted) => ({ case: noted, target: 'message.text' })),
    ].flatMap((one) => examplesOf(one.case).filter(({ target }) => target === one.target)),
  }));

/** Cases, and a model that was fitted without their producers. */
interface FittedFold {
  readonly model: RankingModel;
  readonly test: readonly CaseExamples[];
}

export const fitFolds = (all: readonly CaseExamples[]): FittedFold[] =>
  splitIntoFolds(all, folds).map(({ train, test }) => ({
    model: fitModel(train),
    test: test.filter(({ isScored }) => isScored !== false),
  }));

/** Returns the scores of every case, or of what is made of it. */
export function crossValidate(
  fitted: readonly FittedFold[],
  variantsOf: (given: Case, order: number) => readonly Case[] = (given) => [given],
): Score[] {
  return fitted.flatMap(({ model, test }) =>
    test.flatMap((each, i) =>
      variantsOf(each.case, i).flatMap((variant) =>
        scoreCase(variant, { model, examples: variant === each.case ? each.examples : undefined }),
      ),
    ),
  );
}

interface Scoring {
  readonly model: RankingModel;
  readonly examples?: readonly Example[] | undefined;
}

function scoreCase(given: Case, { model, examples = examplesOf(given) }: Scoring): Score[] {
  const { payload, region, judge } = given;
  const { mapping, confidence } = suggestMapping([payload], { defaultRegion: region, model });
  const compiled = compileMapping(mapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const [event] = previewItems(compiled.mapping, payload, { defaultRegion: region });
  const verdicts = judge(event);
  return examples.map((example): Score => {
    const { target, features, isKnown } = example;
    const best = bestOf(example, sharesOf(features, model.weights[target] ?? []));
    return {
      case: given,
      target,
      verdict: verdicts.get(target) ?? 'empty',
      confidence: confidence[target] ?? null,
      isOffered: best.slice(0, offered).some(({ label }) => label === 'right'),
      isKnown,
    };
  });
}
