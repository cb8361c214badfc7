/** The leaves of the samples, and what stands beside what. */
import { matchName } from './candidate.ts';
import type { NameMatch } from './candidate.ts';
import type { Concept } from '../suggest-names/concepts.ts';
import { isUserWord, ownershipOf } from './ownership.ts';
import type { Ownership } from './ownership.ts';
import { textOf } from '../suggest-leaves/leaf.ts';
import type { Leaf } from '../suggest-leaves/leaf.ts';
import { parentPath } from '../suggest-leaves/jmespath.ts';
import { countryLeaves } from './country.ts';
import { isEmail, nameLikeness, phoneLikeness } from './value-shape.ts';
import { splitWords } from '../suggest-names/split-words.ts';

// What stands beside a leaf is looked through for each leaf.
const maxBeside = 200;
// Reading a number takes up to 50 µs.
const maxNumbers = 100;

type Trait = 'name' | 'phone' | 'email';

export interface LeafIndex {
  readonly leaves: readonly Leaf[];
  readonly region: string;
  readonly splits: boolean;
  /** Whether the root has a type and carries its subject in an object. */
  readonly isEnvelope: boolean;
  /** Whether somebody other than a bare user is in the payload. */
  readonly hasPerson: boolean;
  /** Leaves that name a country. */
  readonly countries: readonly Leaf[];
  ownership(this: void, leaf: Leaf): Ownership;
  /** How surely a text is a phone number: 0 to 1. */
  phoneLikeness(this: void, text: string): number;
  /** Leaves of the same object or list. */
  siblings(this: void, leaf: Leaf): readonly Leaf[];
  /** How many other traits of a person stand beside a leaf, 0 to 2. */
  siblingTraitCount(this: void, leaf: Leaf, trait: Trait | null): number;
  /** Whether the leaf's object is a deal: it has a stage, a pipeline or an amount. */
  isDeal(this: void, leaf: Leaf): boolean;
}

export function indexLeaves(
  leaves: readonly Leaf[],
  { region, splits }: { region: string; splits: boolean },
): LeafIndex {
  const byOwner = groupByOwner(leaves);
  const likeness = rememberLikeness(region);
  const traits = new Map([...byOwner].map(([owner, group]) => [owner, traitsOf(group, likeness)]));
  const atRoot = leaves.filter((leaf) => leaf.owner === '' && !leaf.outside);
  const types = atRoot.filter((leaf) => matchEventTypeName(leaf).weight > 0.6 && !leaf.answer);
  // Who tests a webhook is a user too.
  const hasPerson =
    types.some(isTest) ||
    (traits.get('@')?.size ?? 0) > 0 ||
    leaves.some((leaf) => ownershipOf(leaf).score > 0.1 && !isInUser(leaf));
  const kins = new Map(leaves.map((leaf) => [leaf, ownershipOf(leaf, hasPerson)]));
  const deals = dealsIn(leaves);
  const hasType = types.length > 0;
  const hasSubject = leaves.some((leaf) => leaf.depth > 0 && !leaf.outside);
  return {
    leaves,
    hasPerson,
    isEnvelope: hasType && hasSubject,
    region,
    countries: countryLeaves(leaves),
    phoneLikeness: likeness,
    splits,
    ownership: (leaf) => kins.get(leaf) ?? { score: 0, why: '' },
    siblings: (leaf) => byOwner.get(ownerKey(leaf)) ?? [],
    siblingTraitCount: (leaf, trait) => {
      const around = traits.get(ownerKey(leaf)) ?? new Set<Trait>();
      return [...around].filter((each) => each !== trait).length;
    },
    isDeal: (leaf) => deals.has(ownerKey(leaf)) && !isReached(traits.get(ownerKey(leaf))),
  };
}

const noTypes: readonly Concept[] = [
  'actor',
  'past',
  'id',
  'name',
  'eventDate',
  'phone',
  'email',
  'thing',
  'form',
  'message',
  'person',
];

/** How surely a leaf is called the type of the event, rather than that of somebody or something in it. */
export const matchEventTypeName = (leaf: Leaf): NameMatch =>
  matchName(leaf, ['eventType'], { against: noTypes });

// Contacts of a user are the user's own.
const isInUser = ({ trail }: Leaf): boolean => trail.some(({ words }) => isUserWord(words));

const isTest = (leaf: Leaf): boolean =>
  splitWords(textOf(leaf)).some((word) => /^(?:test|teste|prueba|ping)$/.test(word));

function groupByOwner(leaves: readonly Leaf[]): Map<string, Leaf[]> {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const group = groups.get(ownerKey(leaf));
    if (group === undefined) groups.set(ownerKey(leaf), [leaf]);
    else if (group.length < maxBeside) group.push(leaf);
  }
  return groups;
}

const ownerKey = ({ owner, outside }: Leaf): string => `${outside ? '$' : '@'}${owner}`;

type Likeness = (text: string) => number;

function rememberLikeness(region: string): Likeness {
  const known = new Map<string, number>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined || known.size >= maxNumbers) return remembered ?? 0;
    const likeness = phoneLikeness(text, region);
    if (likeness > 0) known.set(text, likeness);
    return likeness;
  };
}

function traitsOf(group: readonly Leaf[], likeness: Likeness): Set<Trait> {
  const traits = new Set<Trait>();
  for (const leaf of group) {
    const text = textOf(leaf);
    if (isEmail(text)) traits.add('email');
    else if (matchName(leaf, ['phone', 'mobile']).weight > 0.6 && likeness(text) > 0)
      traits.add('phone');
    else if (matchName(leaf, ['firstName', 'fullName']).weight > 0.6 && nameLikeness(text) > 0)
      traits.add('name');
  }
  return traits;
}

/** Objects that have a stage or a pipeline, as a value or as an object of its own. */
function dealsIn(leaves: readonly Leaf[]): Set<string> {
  const deals = new Set<string>();
  for (const leaf of leaves) {
    if (matchName(leaf, ['deal']).weight > 0.9) deals.add(ownerKey(leaf));
    const around = { ...leaf, owner: parentPath(leaf.owner) };
    if (leaf.trail.at(-1)?.concepts.has('deal')) deals.add(ownerKey(around));
  }
  return deals;
}

/** Whoever can be reached is a person, whatever stage they are in. */
const isReached = (traits: ReadonlySet<Trait> = new Set()): boolean =>
  traits.has('phone') || traits.has('email');
