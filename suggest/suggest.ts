/**
 * Suggests a mapping for sample payloads.
 *
 * Every text and number of the samples is scored for every target: by its name (in some twenty languages),
 * by the form of its value, and by whom it belongs to. The suggestion has the evidence and the
 * alternatives of each target. A target without a clear best candidate stays empty.
 * Promises: deterministic and bounded; the mapping compiles and reads the samples.
 * Must never: throw, other than WorkBudgetExceeded, or read anything but its arguments.
 */
import type { MappingDocument, Payload, Scalar } from '../src/domain/mappings/mapping.ts';
import { createWorkBudget, type WorkBudget } from '../src/mapping/expressions/work-budget.ts';
import { chargeStep } from './charge-step.ts';
import { assembleMapping, pathsIn } from './assemble.ts';
import { composeMessageTemplate } from './message-template.ts';
import { proposeCandidates, type CandidatesByTarget, type TargetName } from './candidates.ts';
import { rankCandidates, type RankedCandidate, type RankingModel } from './rank.ts';
import { rankingModel } from './weights.ts';
import { readName } from './names/concepts.ts';
import { findSplit, type ItemSplit } from './leaves/find-split.ts';
import { findRoot, pathAtRoot, readAtRoot, templateAtRoot } from './root.ts';
import { indexLeaves, type LeafIndex } from './leaf-index.ts';
import { titlesById } from './leaves/titles-by-id.ts';
import { samplesOfPeople, withTypeFilter } from './record-types.ts';
import { readAllSamples } from './several-samples.ts';
import { readInWrappers, unwrapSamples } from './wrappers.ts';
import { valueAt, verifyMapping } from './verify.ts';
import { collectLeaves } from './leaves/collect-leaves.ts';
import type { PayloadWalk } from './leaves/add-leaf.ts';
import type { Leaf } from './leaves/leaf.ts';

interface Alternative {
  path: string;
  example: Scalar;
  /** 0 to 1 */
  confidence: number;
}

export interface Suggestion {
  mapping: MappingDocument;
  /** By target, for every target that the mapping fills; 0 to 1. */
  confidence: Record<string, number>;
  /** By target, up to five, the best first. */
  alternatives: Record<string, Alternative[]>;
  /** By target, the reasons in English. */
  evidence: Record<string, string[]>;
  /** A template for the message with the facts of an order or the answers of a form; null for other payloads. */
  messageTemplate: string | null;
}

interface SuggestOptions {
  /** Two-letter region of phone numbers without a country code. Used only to recognise them. */
  defaultRegion?: string;
  /** Another ranking than that of the release, for measuring. */
  model?: RankingModel;
  /** That of the request. Default: no bound. */
  budget?: WorkBudget;
}

const maxPayloads = 20;
// Extra fields keep their own names, so they are not scored.
const fieldConfidence = 0.6;
const maxAlternatives = 5;
const minConfidence = 0.005;
const maxExampleLength = 120;

/** Suggests a mapping from the first 20 payloads of one webhook. Throws only WorkBudgetExceeded. */
export function suggestMapping(
  given: readonly Payload[],
  {
    defaultRegion = 'BR',
    model = rankingModel,
    budget = createWorkBudget(Infinity),
  }: SuggestOptions = {},
): Suggestion {
  const root = findRoot(given.slice(0, maxPayloads));
  chargeStep(budget);
  const { samples: payloads, filter } = samplesOfPeople(root.samples);
  chargeStep(budget);
  const unwrapped = unwrapSamples(payloads);
  chargeStep(budget);
  const options = { defaultRegion, model, budget, keys: root.keys };
  const inside = suggestForAll(unwrapped.samples, options);
  // The items of a split are found also in a wrapper.
  const isSplit = inside.mapping.split !== undefined && unwrapped.wrappers.length > 0;
  const whole = isSplit ? suggestForAll(payloads, options) : inside;
  const { samples, index, ranked } = whole;
  const confidences = new Map([...ranked].map(([target, [best]]) => [target, best]));
  function suggestAlone(sample: Payload): MappingDocument {
    const alone = suggestForAll([sample], { ...options, whole: index });
    for (const [target, [best]] of alone.ranked) {
      const known = confidences.get(target);
      if (best !== undefined && best.confidence > (known?.confidence ?? 0))
        confidences.set(target, best);
    }
    return alone.mapping;
  }
  const read = readAllSamples(whole.mapping, samples, {
    suggestAlone,
    defaultRegion,
    budget,
  });
  const everywhere = readInWrappers(read, isSplit ? [] : unwrapped.wrappers);
  const mapping = withTypeFilter(everywhere, filter);
  const used = pathsIn({ ...mapping, contact: { ...mapping.contact, fields: {} }, message: {} });
  const template = composeMessageTemplate(index, { message: mapping.message?.text, used });
  const hasItems = mapping.split !== undefined;
  const shown = (each: RankedCandidate): RankedCandidate => ({
    ...each,
    path: pathAtRoot(each.path, hasItems && each.leaf?.outside === false, root),
  });
  const found = new Map([...ranked].map(([target, all]) => [target, all.map(shown)] as const));
  return {
    mapping: readAtRoot(mapping, root),
    ...explain(found, { mapping, confidences }),
    messageTemplate: hasItems ? template : templateAtRoot(template, root),
  };
}

interface Ranked {
  readonly samples: readonly Payload[];
  readonly index: LeafIndex;
  readonly ranked: ReadonlyMap<TargetName, readonly RankedCandidate[]>;
  readonly mapping: MappingDocument;
}

function suggestForAll(
  payloads: readonly Payload[],
  { defaultRegion, model, budget, keys, whole }: Required<SuggestOptions> & Analyzing,
): Ranked {
  const { samples, split, flags, index, found } = analyze(payloads, defaultRegion, {
    keys,
    budget,
    ...(whole && { whole }),
  });
  const ranked = rankCandidates(found, index, model);
  chargeStep(budget);
  const proposed = assembleMapping(ranked, { index, split: split?.path ?? null, flags, model });
  chargeStep(budget);
  const mapping = verifyMapping(proposed, samples, { defaultRegion, budget });
  return { samples, index, ranked, mapping };
}

/** What is known of the samples before a choice is made. */
interface Analysis {
  readonly samples: readonly Payload[];
  readonly split: ItemSplit | null;
  readonly flags: PayloadWalk['flags'];
  readonly index: LeafIndex;
  readonly found: CandidatesByTarget;
}

interface Analyzing {
  /** The keys of the objects around the samples. */
  readonly keys: readonly string[];
  readonly budget: WorkBudget;
  /** Of all samples, when these are some of them. */
  readonly whole?: LeafIndex;
}

/** Reads the samples and proposes candidates for every target. */
export function analyze(
  payloads: readonly Payload[],
  defaultRegion: string,
  { keys, budget, whole }: Analyzing,
): Analysis {
  const samples = payloads.slice(0, maxPayloads);
  const splits: (ItemSplit | null)[] = [];
  for (const { body } of samples) {
    splits.push(findSplit(body));
    chargeStep(budget);
  }
  const split = commonSplit(splits);
  const { leaves, flags } = collectAll(samples, split, { keys, budget });
  const index = indexLeaves(leaves, { region: defaultRegion, splits: split !== null });
  chargeStep(budget);
  const found = proposeCandidates(index, samples, whole);
  chargeStep(budget);
  return { samples, split, flags, index, found };
}

const maxSplits = 4;

/** Returns the split of all samples, or null. Lists in different places are joined: `leads.add || leads.update`. */
function commonSplit(splits: readonly (ItemSplit | null)[]): ItemSplit | null {
  const all = splits.filter((each) => each !== null);
  const [first] = all;
  if (first === undefined || all.length < splits.length) return null;
  // A body that is not a list is also the value of `@`.
  const paths = [...new Set(all.map(({ path }) => path))].toSorted(
    (a, b) => Number(a === '@') - Number(b === '@'),
  );
  if (paths.length > maxSplits) return null;
  return { ...first, path: paths.join(' || '), items: all.flatMap(({ items }) => items) };
}

type CollectedLeaves = { leaves: Leaf[]; flags: PayloadWalk['flags'] };

function collectAll(
  samples: readonly Payload[],
  split: ItemSplit | null,
  { keys: rootKeys, budget }: Analyzing,
): CollectedLeaves {
  const titles = titlesById(samples[0]?.body);
  const start = ({ outside }: { readonly outside: boolean }): PayloadWalk => ({
    leaves: new Map(),
    flags: new Map(),
    titles,
    outside,
    rootDepth: rootKeys.length,
    nodes: 0,
  });
  const walk = start({ outside: false });
  if (split === null) {
    for (const { body } of samples) {
      collectLeaves(body, rootKeys, walk);
      chargeStep(budget);
    }
    return { leaves: [...walk.leaves.values()], flags: walk.flags };
  }
  // The items are what the event is about, also in a list named as one of things, such as `items`.
  const keys = split.keys.filter((key) => !readName(key).concepts.has('thing'));
  for (const item of split.items.slice(0, maxPayloads)) {
    collectLeaves(item, [...rootKeys, ...keys], walk);
    chargeStep(budget);
  }
  const around = start({ outside: true });
  for (const { body } of samples) {
    if (!Array.isArray(body)) collectLeaves(body, rootKeys, around);
    chargeStep(budget);
  }
  const outside = [...around.leaves.values()].filter(({ path }) =>
    isOutsideItems(path, split.path),
  );
  return { leaves: [...walk.leaves.values(), ...outside], flags: walk.flags };
}

/** Whether a path does not lead into the items. */
const isOutsideItems = (path: string, split: string): boolean => {
  const lists = split.split(' || ').map((each) => each.split('[]')[0] ?? each);
  return !lists.some((list) => path.startsWith(list) || path.includes(`, ${list}`));
};

interface Chosen {
  readonly mapping: MappingDocument;
  /** By target, the candidate that the mapping reads if it fills the target. */
  readonly confidences: ReadonlyMap<TargetName, RankedCandidate | undefined>;
}

function explain(
  found: ReadonlyMap<TargetName, readonly RankedCandidate[]>,
  { mapping, confidences }: Chosen,
): Omit<Suggestion, 'mapping' | 'messageTemplate'> {
  const confidence: Record<string, number> = Object.create(null);
  const alternatives: Record<string, Alternative[]> = Object.create(null);
  const evidence: Record<string, string[]> = Object.create(null);
  for (const [target, candidates] of found) {
    const best = confidences.get(target);
    if (best === undefined) continue;
    const isChosen = valueAt(mapping, target.split('.')) !== undefined;
    if (isChosen) {
      confidence[target] = confidenceOf(best);
      evidence[target] = [...best.evidence];
    }
    const rest = alternativesTo(isChosen ? best : null, candidates);
    if (rest.length > 0) alternatives[target] = rest.map(alternativeOf);
  }
  for (const [section, fields] of [
    ['contact', mapping.contact?.fields],
    ['context', mapping.context?.fields],
  ] as const) {
    for (const name of Object.keys(fields ?? {})) {
      confidence[`${section}.fields.${name}`] = fieldConfidence;
      evidence[`${section}.fields.${name}`] = [`named "${name}"`];
    }
  }
  return { confidence, alternatives, evidence };
}

/** Returns the best candidate of each other value. */
function alternativesTo(
  chosen: RankedCandidate | null,
  candidates: readonly RankedCandidate[],
): RankedCandidate[] {
  const values = new Set(chosen === null ? [] : [String(chosen.example)]);
  const others = candidates.filter(({ example, confidence }) => {
    const isNew = !values.has(String(example));
    values.add(String(example));
    return isNew && confidence >= minConfidence;
  });
  return others.slice(0, maxAlternatives);
}

const confidenceOf = ({ confidence }: RankedCandidate): number =>
  Math.round(Math.min(Math.max(confidence, 0.01), 0.99) * 100) / 100;

const alternativeOf = (candidate: RankedCandidate): Alternative => ({
  path: candidate.path,
  example:
    typeof candidate.example === 'string'
      ? candidate.example.slice(0, maxExampleLength)
      : candidate.example,
  confidence: confidenceOf(candidate),
});
