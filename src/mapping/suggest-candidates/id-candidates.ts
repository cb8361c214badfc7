/** What stands for the contact at the sender, and what tells one event from another. */
import {
  compareByScore,
  nameEvidence,
  matchName,
  sourceOfLeaf,
  createCandidate,
} from './candidate.ts';
import type { Candidate, NameMatch } from './candidate.ts';
import type { Concept } from '../suggest-names/concepts.ts';
import { nameWords, textOf } from '../suggest-leaves/leaf.ts';
import type { Leaf } from '../suggest-leaves/leaf.ts';
import { isIdentifier, isUrl, isUuid, instantKind } from './value-shape.ts';
import type { LeafIndex } from './leaf-index.ts';
import { splitWords } from '../suggest-names/split-words.ts';

const others: readonly Concept[] = ['actor', 'thing', 'form', 'past'];
// An id beside these is theirs.
const owners: readonly Concept[] = [
  'origin',
  'campaign',
  'eventType',
  'phone',
  'mobile',
  'email',
  'document',
  'message',
];

export function externalIdCandidates(survey: LeafIndex): Candidate[] {
  const hasPersonId = survey.leaves.some((leaf) => isIdOfPerson(leaf, survey));
  return survey.leaves
    .flatMap((leaf) => (isIdentifier(textOf(leaf)) ? externalIdOf(leaf, survey, hasPersonId) : []))
    .toSorted(compareByScore);
}

const isIdOfPerson = (leaf: Leaf, survey: LeafIndex): boolean =>
  survey.ownership(leaf).score > 0.1 && isIdentifier(textOf(leaf)) && personIdOf(leaf).weight > 0.9;

function externalIdOf(leaf: Leaf, survey: LeafIndex, hasPersonId: boolean): Candidate[] {
  const text = textOf(leaf);
  if (isEventId(leaf, survey) || isNameOfOwner(leaf) || isOfSubscriber(leaf, survey)) return [];
  const around = leaf.trail.at(-1)?.concepts;
  const isOwned =
    (owners.some((concept) => around?.has(concept)) && !isOfRecord(leaf)) || isKey(leaf);
  const person = personIdOf(leaf);
  const submission = matchName(leaf, ['submissionId'], { against: ['actor', 'past'] });
  const plain =
    (isUrl(text) && !isGlobal(text)) || isOwned ? addressOf(leaf, survey) : plainIdOf(leaf);
  const kin = survey.ownership(leaf);
  // A deal stands for its person only where it is the whole body, or where its person has no id.
  const isBody = leaf.depth === 0 && !survey.isEnvelope;
  const isDeal = survey.isDeal(leaf) && plain.weight >= 1 && (isBody || !hasPersonId);
  const [score, name] = strongest([
    [isDeal ? 0.95 : 0, plain],
    [0.75 * person.weight, person],
    [0.5 * plain.weight, plain],
    [0.5 * submission.weight, submission],
  ]);
  if (score === 0) return [];
  const isSubmission = name === submission;
  const parts = [
    [score, name === null ? '' : nameEvidence(name)],
    // Whoever pays a payment is named inside of it.
    [
      isSubmission || (isNamed(leaf, person) && kin.score > -0.5)
        ? Math.max(kin.score, 0)
        : kin.score,
      kin.why,
    ],
    [leaf.listed ? -0.12 : 0, ''],
    [
      0.09 * survey.siblingTraitCount(leaf, null),
      'beside a name, a phone number or an e-mail address',
    ],
    [isGlobal(text) ? 0.12 : 0, 'a global id, which names its kind'],
    [
      leaf.depth === 0 && survey.isEnvelope && name === plain && !isDeal && !isList(leaf)
        ? -0.3
        : 0,
      '',
    ],
  ] as const;
  return [createCandidate(leaf, parts)];
}

/** An envelope that names the record by its id means that record, not the event. */
const isOfRecord = (leaf: Leaf): boolean => /^(?:record|entity|object) ids?$/.test(nameWords(leaf));

/** The user who is named beside the webhook's own address is the one who set it up. */
const isOfSubscriber = (leaf: Leaf, survey: LeafIndex): boolean =>
  /^user id$/.test(nameWords(leaf)) &&
  survey
    .siblings(leaf)
    .some((each) => /^(?:webhook|hook|endpoint|callback) (?:id|url)$/.test(nameWords(each)));

const strongest = <Part>(
  parts: readonly (readonly [number, Part])[],
): readonly [number, Part | null] =>
  parts.reduce<readonly [number, Part | null]>(
    (best, part) => (part[0] > best[0] ? part : best),
    [0, null],
  );

/** `customer: 'cus_1'` */
const isNamed = ({ names }: Leaf, { weight, text }: NameMatch): boolean =>
  weight > 0 && names[0]?.text === text && names[0].reading.words.length === 1;

const nothing: NameMatch = { weight: 0, text: '' };

function plainIdOf(leaf: Leaf): NameMatch {
  if (isGlobal(textOf(leaf))) return { weight: 1, text: leaf.names[0]?.text ?? '' };
  return matchName(leaf, ['id'], { against: [...others, 'matter', ...owners] });
}

/** The address of a person's record serves as an id. */
function addressOf(leaf: Leaf, survey: LeafIndex): NameMatch {
  const isUri = leaf.names[0]?.text === 'uri' && survey.siblingTraitCount(leaf, null) > 0;
  return isUri ? { weight: 0.8, text: 'uri' } : nothing;
}

const isList = (leaf: Leaf): boolean => nameWords(leaf) === 'ids';

// `key: { id }` is what a message is found by.
const isKey = ({ trail }: Leaf): boolean => trail.at(-1)?.words.join('') === 'key';

/** An id that only repeats what its object is called stands for nothing. */
const isNameOfOwner = (leaf: Leaf): boolean =>
  !/\d/.test(textOf(leaf)) &&
  leaf.trail.at(-1)?.words.join('') === splitWords(textOf(leaf)).join('');

const isGlobal = (text: string): boolean => text.startsWith('gid://');

/** `lead_id`, `lead: { id }`, `customer: 'cus_1'`. */
function personIdOf(leaf: Leaf) {
  const direct = matchName(leaf, ['personId'], { against: ['actor', 'past'] });
  if (direct.weight > 0) return direct;
  const own = leaf.names.find(
    ({ reading }) => reading.concepts.has('person') && !isOther(reading.concepts),
  );
  if (own === undefined) return direct;
  const { concepts, words } = own.reading;
  if (concepts.has('id'))
    return { weight: 0.95 * (concepts.get('person') ?? 0) ** 0.5, text: own.text };
  // A person given by nothing but an id.
  return words.length === 1 && /\d/.test(textOf(leaf)) ? { weight: 0.9, text: own.text } : direct;
}

const isOther = (concepts: ReadonlyMap<Concept, number>): boolean =>
  others.some((concept) => concepts.has(concept)) ||
  ['email', 'phone', 'mobile', 'name', 'eventDate', 'document'].some((each) =>
    concepts.has(each as Concept),
  );

export function eventIdCandidates(survey: LeafIndex): Candidate[] {
  return survey.leaves.flatMap((leaf) => eventIdOf(leaf, survey)).toSorted(compareByScore);
}

function eventIdOf(leaf: Leaf, survey: LeafIndex): Candidate[] {
  const text = textOf(leaf);
  // Outside of the items an id is one for all of them, and all but one would be taken for repetitions.
  if (!isIdentifier(text) || isUrl(text) || (survey.splits && leaf.outside)) return [];
  if (instantKind(text) !== null && !/id$/i.test(leaf.path)) return [];
  if (isOfHappening(leaf, survey)) return [];
  const name = matchName(leaf, ['eventId'], { against: ['actor', 'past'] });
  const plain = isEventId(leaf, survey) || isSubmissionId(leaf, survey);
  if (name.weight === 0 && !plain) return [];
  const parts = [
    [
      name.weight > 0 ? 0.85 * name.weight : 0.7,
      name.weight > 0 ? nameEvidence(name) : 'the id of the envelope or the submission',
    ],
    [isUuid(text) ? 0.06 : 0, 'a UUID'],
    [Math.min(survey.ownership(leaf).score, 0), survey.ownership(leaf).why],
  ] as const;
  return [compose(createCandidate(leaf, parts), leaf, survey)];
}

/** `event: { id: 55, name: 'A fair' }`: what has a name is held once and told of many times. */
const isOfHappening = (leaf: Leaf, survey: LeafIndex): boolean =>
  leaf.trail.at(-1)?.concepts.has('eventType') === true &&
  !isUuid(textOf(leaf)) &&
  survey
    .siblings(leaf)
    .some((each) => /^(?:name|nome|nombre|nom|title|titulo)$/.test(nameWords(each)));

/** Whether an `id` is the envelope's, which has a type and carries the subject in another object. */
function isEventId(leaf: Leaf, survey: LeafIndex): boolean {
  const own = leaf.names[0];
  if (own === undefined || own.reading.words.join('') !== 'id' || leaf.answer) return false;
  if (/^\d{1,15}$/.test(textOf(leaf))) return false;
  if (leaf.names.some(({ reading }) => reading.concepts.has('eventId'))) return true;
  const isMeta = /(?:^|\.)meta$/.test(leaf.owner);
  return (isMeta && isUuid(textOf(leaf))) || (leaf.owner === '' && survey.isEnvelope);
}

/** What is sent once has the id of its submission. */
const isSubmissionId = (leaf: Leaf, survey: LeafIndex): boolean =>
  leaf.names[0]?.reading.words.join('') === 'id' &&
  !leaf.answer &&
  survey.siblings(leaf).some(({ names }) => names[0]?.reading.words[0] === 'submitted');

const numeric = /^\d{1,15}$/;

/** A bare number of one item of a batch is unique within a subscription at most: what it belongs to is added. */
function compose(candidate: Candidate, leaf: Leaf, survey: LeafIndex): Candidate {
  if (!survey.splits || !numeric.test(textOf(leaf))) return candidate;
  const beside = survey.siblings(leaf).filter((each) => each !== leaf);
  const scopes = beside.filter((each) =>
    /^(?:account|portal|subscription|store|app|webhook) id$/.test(nameWords(each)),
  );
  const moment = beside.find(
    (each) => matchName(each, ['eventDate']).weight > 0.9 && instantKind(textOf(each)) !== null,
  );
  const parts = [...scopes, leaf, ...(moment === undefined ? [] : [moment])];
  if (parts.length === 1) return candidate;
  return {
    ...candidate,
    source: { join: parts.map((each) => sourceOfLeaf(each)), with: ':' },
    path: parts.map(({ path }) => path).join(' + '),
    example: parts.map(textOf).join(':'),
    evidence: [...candidate.evidence, 'a bare number, so what it belongs to is added'],
  };
}
