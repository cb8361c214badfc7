/**
 * Fallbacks for payloads that lack the best phone number or e-mail address: others of the same contact.
 *
 * Must never: read a value of another person. An empty field is noticed; a message to the wrong person is not.
 */
import type { Source } from '../src/domain/mappings/mapping.ts';
import { matchName, type Candidate } from './candidate.ts';
import { textOf, type Leaf } from './leaves/leaf.ts';
import { parentPath } from './leaves/jmespath.ts';
import type { LeafIndex } from './leaf-index.ts';
import { hasConcept } from './names/concepts.ts';

const maxFallbacks = 3;
/** The score of the rules that another address of the contact needs. */
const minScore = 0.56;
const maxDepth = 24;

type Trait = 'phone' | 'email';

/** Returns the best candidate with up to three fallbacks. `name` is the name of the contact, null when unknown. */
export function selectWithFallbacks(
  [best, ...rest]: readonly [Candidate, ...Candidate[]],
  { trait, name }: { trait: Trait; name: string | null },
  index: LeafIndex,
): Source {
  const isOfContact = ({ leaf }: Candidate): boolean =>
    leaf === null || isOfPerson(leaf, { trait, name }, index);
  const others = rest
    .filter(({ score }) => score >= Math.max(minScore, best.score - 0.25))
    .filter(isOfContact)
    .map(({ source }) => source)
    .slice(0, maxFallbacks);
  return others.length === 0 ? best.source : { first: [best.source, ...others] };
}

function isOfPerson(
  leaf: Leaf,
  { trait, name }: { trait: Trait; name: string | null },
  index: LeafIndex,
): boolean {
  return (
    index.ownership(leaf).score >= 0 &&
    isNamedAfter(leaf, trait) &&
    !hasOtherName(leaf, name, index)
  );
}

/** Lowers the score of a candidate whose object has another name than the contact, unless it belongs to the contact. */
export function penalizeOtherName(
  candidate: Candidate,
  name: string | null,
  index: LeafIndex,
): Candidate {
  const { leaf, score, evidence } = candidate;
  if (leaf === null || index.ownership(leaf).score > 0 || !hasOtherName(leaf, name, index)) {
    return candidate;
  }
  return { ...candidate, score: score - 0.4, evidence: [...evidence, 'beside another name'] };
}

function hasOtherName(leaf: Leaf, name: string | null, index: LeafIndex): boolean {
  if (name === null) return false;
  const around = namesAround(leaf, index);
  return around.length > 0 && !around.some((each) => areAlike(each, name));
}

/** Whether the leaf or its container is named after the trait. */
const isNamedAfter = ({ names, trail }: Leaf, trait: Trait): boolean =>
  [...names.map(({ reading }) => reading), ...trail.slice(-1)].some((reading) =>
    trait === 'email' ? hasConcept(reading, 'email') : hasConcept(reading, 'phone', 'mobile'),
  );

/** Returns the names in the nearest object around a leaf that has one. */
function namesAround(leaf: Leaf, index: LeafIndex): string[] {
  let owner = leaf.owner;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const found = index
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

/** `Ana` and `Ana Exemplo` are the same person. */
function areAlike(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => text.trim().toLowerCase());
  return one !== undefined && other !== undefined && (one.includes(other) || other.includes(one));
}
