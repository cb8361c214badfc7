/**
 * Describes a candidate by numbers, about 0 to 1, for the ranking model.
 *
 * A feature says where a value is, what is around it and what its name means, never the word itself: what is learned from one
 * sender must hold for others. `npm run suggest:score -- ablate` measures what each is worth on producers left out.
 */
import type { TargetName } from './candidates.ts';
import { matchName, type Candidate } from './candidate.ts';
import type { LeafIndex } from './leaf-index.ts';
import { nameWords, type Leaf } from './leaves/leaf.ts';
import { instantKind } from './leaves/value-shape.ts';
import { splitWords, type Concept } from './names/concepts.ts';

/** The person of a payload is chosen once: the object that the best name, phone number and e-mail address are in. */
const traits = ['contact.name', 'contact.phone', 'contact.email'] as const;
const minScore = 0.3;

/** Returns the path of the person's object; null when the payload has none. */
export function findPerson(found: ReadonlyMap<TargetName, readonly Candidate[]>): string | null {
  const sums = new Map<string, number>();
  for (const trait of traits) {
    const best = new Map<string, number>();
    for (const { leaf, score } of found.get(trait) ?? []) {
      if (leaf === null || score < minScore) continue;
      best.set(leaf.owner, Math.max(score, best.get(leaf.owner) ?? 0));
    }
    for (const [owner, score] of best) sums.set(owner, (sums.get(owner) ?? 0) + score);
  }
  let person: string | null = null;
  for (const [owner, sum] of sums) {
    if (person === null || sum > (sums.get(person) ?? 0)) person = owner;
  }
  return person;
}

/** Returns 1 for the object of the person, less for one inside or around it, 0 for others. */
function nearness(owner: string, person: string | null): number {
  if (person === null) return 0;
  if (owner === person) return 1;
  if (isInside(owner, person)) return 0.7;
  return owner !== '' && isInside(person, owner) ? 0.4 : 0;
}

const isInside = (inner: string, outer: string): boolean =>
  outer !== '' && inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length));

const targetConcepts: Readonly<Record<TargetName, readonly Concept[]>> = {
  eventId: ['eventId'],
  eventType: ['eventType'],
  eventDate: ['eventDate'],
  'contact.externalId': ['personId', 'id', 'submissionId'],
  'contact.name': ['fullName', 'name', 'firstName'],
  'contact.phone': ['phone', 'mobile'],
  'contact.email': ['email'],
  'contact.document': ['document'],
  'message.text': ['message'],
  'context.campaign': ['campaign'],
  'context.origin': ['origin'],
};

/** The input of the features that is the same for all candidates of a target. */
interface Situation {
  readonly target: TargetName;
  readonly candidates: readonly Candidate[];
  readonly index: LeafIndex;
  /** The object of the person; null when unknown. */
  readonly person: string | null;
  /** The words of the most probable event type. */
  readonly typeWords: ReadonlySet<string>;
  /** The highest score of a leaf for another target; 0 without one. */
  rivalOf(this: void, leaf: Leaf): number;
}

const clip = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);
const flag = (isTrue: boolean): number => (isTrue ? 1 : 0);

type Described = Candidate & { readonly text: string };

/** Features of the value and of the other candidates. */
const ofValue: Readonly<Record<string, (each: Described, situation: Situation) => number>> = {
  score: ({ score }) => clip(score, -1, 1.5),
  margin: ({ score, text }, { candidates }) => {
    const others = candidates.filter(({ example }) => String(example).trim() !== text);
    return clip(score - Math.max(0, ...others.map((each) => each.score)), -0.5, 0.5);
  },
  agreement: ({ text }, { candidates }) =>
    flag(candidates.filter(({ example }) => String(example).trim() === text).length > 1),
  only: ({ text }, { candidates }) =>
    flag(candidates.every(({ example }) => String(example).trim() === text)),
  zoned: ({ example }, { target }) =>
    flag(target === 'eventDate' && instantKind(example) === 'zoned'),
  noZoneOfSeveral: ({ example }, { target, candidates }) =>
    flag(
      target === 'eventDate' &&
        instantKind(example) === 'local' &&
        candidates.some((each) => instantKind(each.example) === 'zoned'),
    ),
  composed: ({ source }) => flag('join' in source),
  length: ({ text }) => Math.min(text.length, 200) / 200,
  spaces: ({ text }) => Math.min(text.split(/\s+/).length - 1, 10) / 10,
  oneWord: ({ text }) => flag(!/\s/.test(text)),
  dotted: ({ text }) => flag(/^[\w-]+(?:[._:/][\w-]+)+$/.test(text)),
  participle: ({ text }) =>
    flag(splitWords(text).some((word) => /(?:ed|ad[oa]|id[oa]|new|add|update)$/.test(word))),
  titled: ({ text }) => flag(text.split(/\s+/).every((word) => /^\p{Lu}\p{Ll}/u.test(word))),
};

const own =
  (concept: Concept) =>
  (leaf: Leaf): number =>
    leaf.names[0]?.reading.concepts.get(concept) ?? 0;
const outer =
  (concept: Concept) =>
  (leaf: Leaf): number =>
    leaf.trail.at(-1)?.concepts.get(concept) ?? 0;
const word =
  (shape: RegExp) =>
  (leaf: Leaf): number =>
    flag(
      nameWords(leaf)
        .split(' ')
        .some((each) => shape.test(each)),
    );

/** Features of the place and the name. They are 0 for a header. */
const ofPlace: Readonly<
  Record<string, (leaf: Leaf, situation: Situation, score: number) => number>
> = {
  named: (leaf, { target }) => matchName(leaf, targetConcepts[target]).weight,
  unknownWords: ({ names }) => Math.min(names[0]?.reading.unknown ?? 0, 3) / 3,
  ofContact: (leaf, { index }) => flag(index.ownership(leaf).score > 0),
  ofThing: (leaf, { index }) => flag(isBetween(index.ownership(leaf).score, -0.5, 0)),
  ofOther: (leaf, { index }) => flag(index.ownership(leaf).score <= -0.5),
  withPerson: ({ owner }, { person }) => nearness(owner, person),
  depth: ({ depth }) => Math.min(depth, 6) / 6,
  answer: ({ answer }) => flag(answer),
  siblingTraits: (leaf, { index }) => index.siblingTraitCount(leaf, null) / 3,
  besideLastName: (leaf, { target, index }) =>
    flag(target === 'contact.name' && isBesideLastName(leaf, index)),
  besideType: (leaf, { index }) => flag(isBesideType(leaf, index)),
  rival: (leaf, { rivalOf }, score) => clip(rivalOf(leaf) - score, -0.5, 0.5),
  inType: (leaf, situation) =>
    flag(situation.target === 'contact.externalId' && isInType(leaf, situation)),
  plainId: (leaf, { target }) => flag(target === 'contact.externalId' && nameWords(leaf) === 'id'),
  outerUnknown: ({ trail }, { target }) =>
    target === 'contact.externalId' ? Math.min(trail.at(-1)?.unknown ?? 0, 2) / 2 : 0,
  'word sent': word(
    /^(?:sent|send|emit|fired|trigger|occurr|receiv|submit|enviad|receb|timestamp|ts)/,
  ),
  'word planned': word(
    /^(?:start|end|due|expir|begin|inicio|fim|fin|venc|birth|nasc|deliver|valid|until|next)/,
  ),
  'word message': word(/^(?:messag|mensag|mensaj|msg|text|body|nachricht|bericht)/),
  'word note': word(/^(?:note|nota|obs|remar|bemerk|anmerk)/),
  'own person': own('person'),
  'own past': own('past'),
  'own actor': own('actor'),
  'own id': own('id'),
  'own personId': own('personId'),
  'own name': own('name'),
  'own firstName': own('firstName'),
  'own lastName': own('lastName'),
  'own fullName': own('fullName'),
  'own filler': own('filler'),
  'outer person': outer('person'),
  'outer matter': outer('matter'),
};

/** @internal The fitting names the weights by it. */
export const featureNames: readonly string[] = [...Object.keys(ofValue), ...Object.keys(ofPlace)];

/** Returns one number for each of `featureNames`. */
export function featuresOf(candidate: Candidate, situation: Situation): number[] {
  const { leaf, score } = candidate;
  const described = { ...candidate, text: String(candidate.example).trim() };
  return [
    ...Object.values(ofValue).map((feature) => feature(described, situation)),
    ...Object.values(ofPlace).map((feature) =>
      leaf === null ? 0 : feature(leaf, situation, score),
    ),
  ];
}

const isBetween = (value: number, above: number, below: number): boolean =>
  value > above && value < below;

/** Whether the object of a leaf has an event type: it is an event, and its id is not a person's. */
const isBesideType = (leaf: Leaf, index: LeafIndex): boolean =>
  index
    .siblings(leaf)
    .some((each) => each !== leaf && (each.names[0]?.reading.concepts.get('eventType') ?? 0) > 0.6);

/** Whether the last name stands in another field: a name beside it is a first name, or both are joined. */
const isBesideLastName = (leaf: Leaf, index: LeafIndex): boolean =>
  index
    .siblings(leaf)
    .some((each) => each !== leaf && (each.names[0]?.reading.concepts.get('lastName') ?? 0) > 0.5);

/** Whether the event type names the object of a leaf, or what its id is of: `customer.created` and `customer: { id }`. */
const isInType = (leaf: Leaf, { typeWords }: Situation): boolean =>
  [...nameWords(leaf).split(' '), ...(leaf.trail.at(-1)?.words ?? [])].some(
    (each) => each !== 'event' && typeWords.has(each.replace(/s$/, '')),
  );
