/** The leaves of the samples, indexed by the object that contains them. */
import { matchName, type NameMatch } from './candidate.ts';
import { splitWords, hasConcept, type Concept } from './names/concepts.ts';
import { isUserWord, ownershipOf, type Ownership } from './ownership.ts';
import { textOf, nameWords, type Leaf } from './leaves/leaf.ts';
import { parentPath } from './leaves/jmespath.ts';
import { countryLeaves } from './country.ts';
import { findOwnAddresses } from './messenger-addresses.ts';
import { isEmail, nameLikeness, phoneLikeness } from './leaves/value-shape.ts';

// Siblings are searched for each leaf.
const maxBeside = 200;
// Parsing a phone number takes up to 50 µs.
const maxNumbers = 100;

type Trait = 'name' | 'phone' | 'email';

export type LeafIndex = ReturnType<typeof indexLeaves>;

export function indexLeaves(
  leaves: readonly Leaf[],
  { region, splits }: { region: string; splits: boolean },
) {
  const byOwner = groupByOwner(leaves);
  const likeness = cachePhoneLikeness(region);
  const traits = new Map([...byOwner].map(([owner, group]) => [owner, traitsOf(group, likeness)]));
  const atRoot = leaves.filter((leaf) => leaf.owner === '' && !leaf.outside);
  const types = atRoot.filter((leaf) => matchEventTypeName(leaf).weight > 0.6 && !leaf.answer);
  // The event of a test names the user who sends it.
  const hasPerson =
    types.some(isTest) ||
    (traits.get('@')?.size ?? 0) > 0 ||
    leaves.some((leaf) => ownershipOf(leaf, { hasPerson: false }).score > 0.1 && !isInUser(leaf));
  /** Returns the leaves of the same object or list. */
  const siblings = (leaf: Leaf): readonly Leaf[] => byOwner.get(ownerKey(leaf)) ?? [];
  const isOfRelative = relativesIn(leaves);
  const ownerships = new Map(
    leaves.map((leaf) => [leaf, isOfRelative(leaf) ? relative : ownershipOf(leaf, { hasPerson })]),
  );
  const deals = dealsIn(leaves);
  const ownAddresses = findOwnAddresses(leaves);
  const hasType = types.length > 0;
  const hasSubject = leaves.some((leaf) => leaf.depth > 0 && !leaf.outside);
  return {
    leaves,
    region,
    splits,
    /** Whether the root has an event type and carries its subject in an object. */
    isEnvelope: hasType && hasSubject,
    /** Whether the payload has a person other than a plain user. */
    hasPerson,
    /** Leaves that name a country. */
    countries: countryLeaves(leaves),
    ownership: (leaf: Leaf): Ownership => ownerships.get(leaf) ?? { score: 0, reason: '' },
    /** Returns how likely a text is a phone number: 0 to 1. */
    phoneLikeness: likeness,
    siblings,
    /** Whether a leaf holds the receiver's own number or address in a messenger. */
    isOwnAddress: (leaf: Leaf): boolean => ownAddresses.has(leaf),
    /** Whether a leaf of the same object or list has a name of this shape. */
    isBeside: (leaf: Leaf, shape: RegExp): boolean =>
      siblings(leaf).some((each) => shape.test(nameWords(each))),
    /** Returns how many other traits of a person are siblings of a leaf: 0 to 3. */
    siblingTraitCount: (leaf: Leaf, trait: Trait | null): number => {
      const around = traits.get(ownerKey(leaf)) ?? new Set<Trait>();
      return [...around].filter((each) => each !== trait).length;
    },
    /** Whether the leaf's object is a deal: it has a stage, a pipeline or an amount. */
    isDeal: (leaf: Leaf): boolean => deals.has(ownerKey(leaf)),
  };
}

const relative: Ownership = { score: -0.6, reason: 'a relative of the person' };

/** Returns whether a leaf is in an object that says what its person is to another one: `{ name, relationship: 'mother' }`. */
function relativesIn(leaves: readonly Leaf[]): (leaf: Leaf) => boolean {
  const owners = new Set(
    leaves.flatMap((leaf) => {
      if (hasConcept(leaf.names[0]?.reading, 'relation')) return [leaf.owner];
      return hasConcept(leaf.trail.at(-1), 'relation') ? [parentPath(leaf.owner)] : [];
    }),
  );
  owners.delete('');
  return ({ owner }) => [...owners].some((each) => owner === each || owner.startsWith(`${each}.`));
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

/** Returns how well the name of a leaf matches the type of the event, and not of something in it. */
export const matchEventTypeName = (leaf: Leaf): NameMatch =>
  matchName(leaf, ['eventType'], { against: noTypes });

// Leaves inside a user belong to that user.
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

function cachePhoneLikeness(region: string): Likeness {
  const known = new Map<string, number>();
  return (text) => {
    const cached = known.get(text);
    if (cached !== undefined || known.size >= maxNumbers) return cached ?? 0;
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

/** Returns the owner keys of objects that have a stage or a pipeline, as a value or as an object. */
function dealsIn(leaves: readonly Leaf[]): Set<string> {
  const deals = new Set<string>();
  for (const leaf of leaves) {
    if (matchName(leaf, ['deal']).weight > 0.9) deals.add(ownerKey(leaf));
    const around = { ...leaf, owner: parentPath(leaf.owner) };
    if (hasConcept(leaf.trail.at(-1), 'deal')) deals.add(ownerKey(around));
  }
  return deals;
}
