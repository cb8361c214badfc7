/** Candidates: sources that may fill a target, each with a score and its evidence. */
import type { Scalar, Source } from '../src/domain/mappings/mapping.ts';
import type { Concept } from './names/concepts.ts';
import { exampleOf, type Leaf } from './leaves/leaf.ts';

export interface Candidate {
  readonly source: Source;
  /** The source as shown to users. */
  readonly path: string;
  readonly example: Scalar;
  readonly score: number;
  readonly evidence: readonly string[];
  readonly leaf: Leaf | null;
}

/** How well a leaf's name matches some concepts: 0 to 1, and the name that matched. */
export interface NameMatch {
  readonly weight: number;
  readonly text: string;
}

const none: NameMatch = { weight: 0, text: '' };

interface Reservation {
  /** Concepts that lower the weight of a name: a company's phone is not the contact's. */
  readonly against: readonly Concept[];
}

/** Returns how well the best name of a leaf matches one of the concepts. */
export function matchName(
  leaf: Leaf,
  concepts: readonly Concept[],
  { against }: Reservation = { against: [] },
): NameMatch {
  let best = none;
  for (const { reading, factor, text } of leaf.names) {
    if (reading.concepts.size === 0) continue;
    let weight = 0;
    for (const concept of concepts) weight = Math.max(weight, reading.concepts.get(concept) ?? 0);
    if (weight === 0) continue;
    // Unknown words change the meaning of a short name more than that of a question.
    weight *= factor * (reading.words.length >= 4 ? 0.96 : 0.75) ** reading.unknown;
    if (against.some((concept) => reading.concepts.has(concept))) weight *= 0.3;
    if (weight > best.weight) best = { weight, text };
  }
  return best;
}

/** Returns the source of a leaf. A leaf inside JSON text gets the `json` transform. */
export function sourceOfLeaf(leaf: Leaf, transforms: Source['transforms'] = []): Source {
  const { path, outside, text } = leaf;
  const steps = text === null ? transforms : [{ json: { path } }, ...transforms];
  return {
    path: text ?? path,
    ...(outside && { root: true }),
    ...(steps.length > 0 && { transforms: steps }),
  };
}

export const displayPath = ({ text, path }: Leaf): string =>
  text === null ? path : `${text} → ${path}`;

/** Creates a candidate whose score is the sum of the parts. Each part has its reason; '' hides it. */
export function createCandidate(
  leaf: Leaf,
  parts: readonly (readonly [score: number, reason: string])[],
  transforms: Source['transforms'] = [],
): Candidate {
  const score =
    parts.reduce((sum, [part]) => sum + part, 0) -
    leaf.depth * 0.008 -
    (leaf.listed ? 0.04 : 0) -
    (leaf.outside ? 0.06 : 0);
  return {
    source: sourceOfLeaf(leaf, transforms),
    path: displayPath(leaf),
    example: exampleOf(leaf),
    score,
    evidence: parts
      .filter(([part, reason]) => part !== 0 && reason !== '')
      .map(([, reason]) => reason),
    leaf,
  };
}

export const compareByScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.leaf?.order ?? 0) - (b.leaf?.order ?? 0);

export const nameEvidence = ({ text }: NameMatch): string =>
  text === '' ? '' : `named "${text.trim()}"`;
