/** What a model learns from: the candidates of each target, their features and whether their values are right. */
import type { MappingDocument, Source } from '../../src/domain/mappings/mapping.ts';
import { previewItems } from '../../src/mapping/evaluation/preview.ts';
import type { PreviewItem } from '../../src/mapping/evaluation/preview.ts';
import { createWorkBudget } from '../../src/mapping/expressions/work-budget.ts';
import { compileMapping } from '../../src/mapping/language/compile.ts';
import type { TargetName } from '../candidates.ts';
import { analyze } from '../suggest.ts';
import { findRoot } from '../root.ts';
import { describeCandidates } from '../rank.ts';
import type { Case } from './cases.ts';
import { scoredTargets } from './cases.ts';

/** `neutral` counts neither way, `none` reads no value. */
type Label = 'right' | 'wrong' | 'neutral' | 'none';

export interface Example {
  readonly target: TargetName;
  readonly features: readonly (readonly number[])[];
  readonly labels: readonly Label[];
  /** The values of the candidates as texts, to count equal ones together. */
  readonly values: readonly string[];
  /** Whether the target has a true value. */
  readonly isKnown: boolean;
}

const known = new WeakMap<Case, Example[]>();

/** Returns one example for each target that has candidates or a true value; those of a case are found once. */
export function examplesOf(given: Case): Example[] {
  const examples = known.get(given) ?? findExamples(given);
  known.set(given, examples);
  return examples;
}

function findExamples({ payload: given, region, judge }: Case): Example[] {
  const { samples, keys } = findRoot([given]);
  const [payload = given] = samples;
  const { index, found, split } = analyze([payload], region, {
    keys,
    budget: createWorkBudget(Infinity),
  });
  const features = describeCandidates(found, index);
  const count = Math.max(0, ...scoredTargets.map((target) => found.get(target)?.length ?? 0));
  const unread = judge(undefined);
  const verdicts = Array.from({ length: count }, (_, i) => {
    const sources = scoredTargets.flatMap((target) => {
      const source = found.get(target)?.[i]?.source;
      return source === undefined ? [] : [[target, source] as const];
    });
    const event = read(documentOf(sources, split?.path), { payload, region });
    return judge(event);
  });
  return scoredTargets.map((target): Example => {
    const candidates = found.get(target) ?? [];
    return {
      target,
      features: features.get(target) ?? [],
      labels: candidates.map((_, i) => labelOf(verdicts[i]?.get(target))),
      values: candidates.map(({ example }) => String(example).trim()),
      isKnown: unread.get(target) === 'missing',
    };
  });
}

function labelOf(verdict: string | undefined): Label {
  if (verdict === 'right') return 'right';
  if (verdict === 'wrong' || verdict === 'invented') return 'wrong';
  return verdict === 'empty' ? 'neutral' : 'none';
}

function documentOf(
  sources: readonly (readonly [TargetName, Source])[],
  split: string | undefined,
): MappingDocument {
  const document: Record<string, unknown> = split === undefined ? {} : { split };
  for (const [target, source] of sources) {
    const [first = '', second] = target.split('.');
    if (second === undefined) document[first] = source;
    else document[first] = { ...(document[first] as object | undefined), [second]: source };
  }
  return document;
}

function read(
  document: MappingDocument,
  { payload, region }: Pick<Case, 'payload' | 'region'>,
): PreviewItem | undefined {
  const compiled = compileMapping(document);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return [...previewItems(compiled.mapping, payload, { defaultRegion: region })][0];
}

interface Best {
  readonly value: string;
  readonly share: number;
  readonly label: Label;
}

/** Returns the candidates with the shares of their values, the best first and each value once, as a suggestion offers them. */
export function bestOf({ values, labels }: Example, shares: readonly number[]): Best[] {
  const sums = new Map<string, number>();
  for (const [i, value] of values.entries())
    sums.set(value, (sums.get(value) ?? 0) + (shares[i] ?? 0));
  const order = values
    .map((value, i) => ({
      value,
      share: sums.get(value) ?? 0,
      label: labels[i] ?? 'none',
      own: shares[i] ?? 0,
    }))
    .toSorted((a, b) => b.share - a.share || b.own - a.own);
  return order.filter(({ value }, i) => order.findIndex((each) => each.value === value) === i);
}
