/**
 * What is read where a payload lacks the best phone number or address: others of the same person.
 *
 * Must never: read what is somebody else's. An empty field is noticed; a seller who gets the customer's message is not.
 */
import type { Source } from '../../domain/mappings/mapping.ts';
import { matchName } from '../suggest-candidates/candidate.ts';
import type { Candidate } from '../suggest-candidates/candidate.ts';
import { textOf } from '../suggest-leaves/leaf.ts';
import type { Leaf } from '../suggest-leaves/leaf.ts';
import { parentPath } from '../suggest-leaves/jmespath.ts';
import type { LeafIndex } from '../suggest-candidates/leaf-index.ts';

const maxFallbacks = 3;
const maxDepth = 24;

type Trait = 'phone' | 'email';

/** The best of the candidates and up to three that stand in for it. `name` is what the person is called, if known. */
export function selectWithFallbacks(
  candidates: readonly Candidate[],
  { trait, threshold, name }: { trait: Trait; threshold: number; name: string | null },
  survey: LeafIndex,
): Source | undefined {
  const [best, ...rest] = candidates;
  if (best === undefined || best.score < threshold) return undefined;
  const isOwn = ({ leaf }: Candidate): boolean =>
    leaf === null || isOfPerson(leaf, { trait, name }, survey);
  const others = rest
    .filter(({ score }) => score >= Math.max(threshold + 0.1, best.score - 0.25))
    .filter(isOwn)
    .map(({ source }) => source)
    .slice(0, maxFallbacks);
  return others.length === 0 ? best.source : { first: [best.source, ...others] };
}

function isOfPerson(
  leaf: Leaf,
  { trait, name }: { trait: Trait; name: string | null },
  survey: LeafIndex,
): boolean {
  return (
    survey.ownership(leaf).score >= 0 &&
    isCalled(leaf, trait) &&
    !isNamedOtherwise(leaf, name, survey)
  );
}

/** A candidate in an object of which no more is known than that it has another name is likely somebody else's. */
export function penalizeOtherName(
  candidate: Candidate,
  name: string | null,
  survey: LeafIndex,
): Candidate {
  const { leaf, score, evidence } = candidate;
  if (leaf === null || survey.ownership(leaf).score > 0 || !isNamedOtherwise(leaf, name, survey)) {
    return candidate;
  }
  return { ...candidate, score: score - 0.4, evidence: [...evidence, 'beside another name'] };
}

function isNamedOtherwise(leaf: Leaf, name: string | null, survey: LeafIndex): boolean {
  if (name === null) return false;
  const around = namesAround(leaf, survey);
  return around.length > 0 && !around.some((each) => areAlike(each, name));
}

/** By its own name or by that of what it is in: a `user` that holds an address is a user. */
const isCalled = ({ names, trail }: Leaf, trait: Trait): boolean =>
  [...names.map(({ reading }) => reading), ...trail.slice(-1)].some(({ concepts }) =>
    trait === 'email' ? concepts.has('email') : concepts.has('phone') || concepts.has('mobile'),
  );

/** What the nearest object around a leaf that has a name calls itself. */
function namesAround(leaf: Leaf, survey: LeafIndex): string[] {
  let owner = leaf.owner;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const found = survey
      .siblings({ ...leaf, owner })
      .filter(isName)
      .map(textOf);
    const outer = parentPath(owner);
    if (found.length > 0 || owner === '' || outer === owner) return found;
    owner = outer;
  }
  return [];
}

const isName = (leaf: Leaf): boolean =>
  matchName(leaf, ['name', 'fullName', 'firstName']).weight > 0.8;

/** `Ana` and `Ana Exemplo` are one person. */
function areAlike(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => text.trim().toLowerCase());
  return one !== undefined && other !== undefined && (one.includes(other) || other.includes(one));
}
