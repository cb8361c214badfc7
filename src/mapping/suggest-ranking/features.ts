/**
 * Describes a candidate by numbers, about 0 to 1, for the ranking model.
 *
 * A feature says where a value is, what is around it and what its name means, never the word itself: what is learned from one
 * sender must hold for others.
 */
import type { TargetName } from '../suggest/candidates.ts';
import { matchName } from '../suggest-candidates/candidate.ts';
import type { Candidate } from '../suggest-candidates/candidate.ts';
import type { LeafIndex } from '../suggest-candidates/leaf-index.ts';
import { instantKind, isUrl, isUuid } from '../suggest-candidates/value-shape.ts';
import { nameWords } from '../suggest-leaves/leaf.ts';
import type { Leaf } from '../suggest-leaves/leaf.ts';
import type { Concept } from '../suggest-names/concepts.ts';
import { splitWords } from '../suggest-names/split-words.ts';
import { secondsOf } from './moments.ts';
import { nearness } from './person.ts';

/** What names of the field and of its container may say. */
const ownConcepts = [
  'person',
  'actor',
  'thing',
  'form',
  'matter',
  'past',
  'id',
  'personId',
  'submissionId',
  'name',
  'fullName',
  'phone',
  'email',
  'message',
  'campaign',
  'origin',
  'eventType',
  'eventDate',
  'filler',
] as const satisfies readonly Concept[];
const outerConcepts = [
  'person',
  'actor',
  'thing',
  'form',
  'matter',
  'past',
  'holder',
  'eventType',
  'campaign',
  'origin',
  'message',
  'phone',
  'email',
] as const satisfies readonly Concept[];

const words = {
  created: /^(?:creat|cread|criad|crea|cadastr|adicion|ajout|added|insert|inser|generat|regist)/,
  updated: /^(?:updat|modif|chang|edit|atualiz|actualiz|alter|last)/,
  sent: /^(?:sent|send|emit|fired|trigger|occurr|receiv|submit|enviad|receb|timestamp|ts)/,
  done: /^(?:paid|pago|pagad|approv|aprov|confirm|complet|finaliz|clos|sign|sold|purchas|applied|sale)/,
  planned: /^(?:start|end|due|expir|begin|inicio|fim|fin|venc|birth|nasc|deliver|valid|until|next)/,
  status: /^(?:status|state|situac|estado|etat|statut|stato)/,
  message: /^(?:messag|mensag|mensaj|msg|text|body|nachricht|bericht)/,
  note: /^(?:note|nota|obs|remar|bemerk|anmerk)/,
} as const;

export const featureNames: readonly string[] = [
  'score',
  'margin',
  'named',
  'ownNamed',
  'unknownWords',
  'agreement',
  'ofContact',
  'ofThing',
  'ofOther',
  'ofPast',
  'withPerson',
  'depth',
  'root',
  'listed',
  'answer',
  'outside',
  'primary',
  'composed',
  'header',
  'siblingTraits',
  'besideType',
  'phoneLike',
  'rival',
  'crowd',
  'only',
  'order',
  'length',
  'spaces',
  'digits',
  'numeric',
  'uuid',
  'url',
  'dotted',
  'participle',
  'titled',
  'oneWord',
  'capitals',
  'zoned',
  'latest',
  'earliest',
  'future',
  ...Object.keys(words).map((each) => `word ${each}`),
  ...ownConcepts.map((each) => `own ${each}`),
  ...outerConcepts.map((each) => `outer ${each}`),
];

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

/** What the features of all candidates of a target share. */
export interface Situation {
  readonly target: TargetName;
  readonly candidates: readonly Candidate[];
  readonly index: LeafIndex;
  /** The object of the person; null when unknown. */
  readonly person: string | null;
  /** The highest score of a leaf for another target; 0 without one. */
  rivalOf(this: void, leaf: Leaf): number;
}

const clip = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);
const flag = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** Returns one number for each of `featureNames`. */
export function featuresOf(candidate: Candidate, situation: Situation): number[] {
  const { leaf } = candidate;
  return [
    ...scoreFeatures(candidate, situation),
    ...(leaf === null ? noPlace : placeFeatures(leaf, situation)),
    ...valueFeatures(candidate, situation),
    ...nameFeatures(leaf),
  ];
}

function scoreFeatures(candidate: Candidate, { target, candidates }: Situation): number[] {
  const { leaf, score, example } = candidate;
  const others = candidates.filter((each) => String(each.example) !== String(example));
  const best = Math.max(0, ...others.map((each) => each.score));
  const concepts = targetConcepts[target];
  const own = leaf?.names[0]?.reading;
  return [
    clip(score, -1, 1.5),
    clip(score - best, -0.5, 0.5),
    leaf === null ? 1 : matchName(leaf, concepts).weight,
    own === undefined ? 0 : Math.max(0, ...concepts.map((each) => own.concepts.get(each) ?? 0)),
    own === undefined ? 0 : Math.min(own.unknown, 3) / 3,
    flag(candidates.length - others.length > 1),
  ];
}

const noPlace: readonly number[] = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];

function placeFeatures(leaf: Leaf, { index, person }: Situation): number[] {
  const { score } = index.ownership(leaf);
  return [
    flag(score > 0),
    flag(score < 0 && score > -0.5),
    flag(score <= -0.5 && score > -1),
    flag(score <= -1),
    nearness(leaf.owner, person),
    Math.min(leaf.depth, 6) / 6,
    flag(leaf.depth === 0),
    flag(leaf.listed),
    flag(leaf.answer),
    flag(leaf.outside),
    flag(leaf.primary),
  ];
}

function valueFeatures(candidate: Candidate, situation: Situation): number[] {
  const { leaf, source, example, score } = candidate;
  const { target, candidates, index, rivalOf } = situation;
  const text = String(example).trim();
  const different = new Set(candidates.map((each) => String(each.example))).size;
  return [
    flag('join' in source),
    flag('header' in source),
    leaf === null ? 0 : index.siblingTraitCount(leaf, null) / 3,
    flag(leaf !== null && isBesideType(leaf, index)),
    flag(target === 'contact.externalId' && index.phoneLikeness(text) >= 0.9),
    leaf === null ? 0 : clip(rivalOf(leaf) - score, -0.5, 0.5),
    Math.min(different, 8) / 8,
    flag(different === 1),
    leaf === null ? 0 : leaf.order / Math.max(index.leaves.length, 1),
    Math.min(text.length, 200) / 200,
    Math.min(text.split(/\s+/).length - 1, 10) / 10,
    flag(/\d/.test(text)),
    flag(/^\d+$/.test(text)),
    flag(isUuid(text)),
    flag(isUrl(text)),
    flag(/^[\w-]+(?:[._:/][\w-]+)+$/.test(text)),
    flag(splitWords(text).some((word) => /(?:ed|ad[oa]|id[oa]|new|add|update)$/.test(word))),
    flag(text.split(/\s+/).every((word) => /^\p{Lu}\p{Ll}/u.test(word))),
    flag(!/\s/.test(text)),
    flag(/^[\p{Lu}\d_. -]+$/u.test(text)),
    ...momentFeatures(candidate, situation),
  ];
}

/** Whether the object of a leaf has an event type: it is an event, and its id is not a person's. */
const isBesideType = (leaf: Leaf, index: LeafIndex): boolean =>
  index
    .siblings(leaf)
    .some((each) => each !== leaf && (each.names[0]?.reading.concepts.get('eventType') ?? 0) > 0.6);

function momentFeatures({ example }: Candidate, { target, candidates }: Situation): number[] {
  if (target !== 'eventDate') return [0, 0, 0, 0];
  const moment = secondsOf(example);
  const moments = candidates.map((each) => secondsOf(each.example)).filter((each) => each !== null);
  return [
    flag(instantKind(example) === 'zoned'),
    flag(moment !== null && moments.every((each) => each <= moment + 60)),
    flag(moment !== null && moments.every((each) => each >= moment - 60)),
    flag(moment !== null && moments.some((each) => each < moment - 86_400)),
  ];
}

function nameFeatures(leaf: Leaf | null): number[] {
  const own = leaf?.names[0]?.reading.concepts;
  const outer = leaf?.trail.at(-1)?.concepts;
  const spoken = leaf === null ? [] : nameWords(leaf).split(' ');
  return [
    ...Object.values(words).map((word) => flag(spoken.some((each) => word.test(each)))),
    ...ownConcepts.map((each) => own?.get(each) ?? 0),
    ...outerConcepts.map((each) => outer?.get(each) ?? 0),
  ];
}
