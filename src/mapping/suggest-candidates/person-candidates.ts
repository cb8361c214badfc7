/** Who the event is about: name, phone, e-mail, document. */
import type { Source } from '../../domain/mappings/mapping.ts';
import { parsePhone } from '../../domain/people/phone.ts';
import {
  compareByScore,
  nameEvidence,
  matchName,
  displayPath,
  sourceOfLeaf,
  createCandidate,
} from './candidate.ts';
import type { Candidate, NameMatch } from './candidate.ts';
import type { Concept } from '../suggest-names/concepts.ts';
import type { LeafIndex } from './leaf-index.ts';
import { nameWords, textOf } from '../suggest-leaves/leaf.ts';
import type { Leaf } from '../suggest-leaves/leaf.ts';
import { isUserWord } from './ownership.ts';
import { nearestCountry } from './country.ts';
import { documentLikeness, isEmail, nameLikeness } from './value-shape.ts';

const others: readonly Concept[] = ['actor', 'thing', 'form', 'past'];
const strictly = { against: [...others, 'id'] as Concept[] };

export function phoneCandidates(survey: LeafIndex): Candidate[] {
  const whole = survey.leaves.flatMap((leaf) => phoneOf(leaf, survey));
  return [...whole, ...dividedPhones(survey)].toSorted(compareByScore);
}

function phoneOf(leaf: Leaf, survey: LeafIndex): Candidate[] {
  const text = textOf(leaf);
  if (isAddressOfNumber(leaf)) return [addressedNumber(leaf, survey)];
  if (text.length > 40) return [];
  const mobile = matchName(leaf, ['mobile'], strictly);
  const plain = matchName(leaf, ['phone'], strictly);
  const name = mobile.weight >= plain.weight ? mobile : plain;
  const likeness = survey.phoneLikeness(text);
  const isOpaque = likeness >= 0.9 && isWordless(leaf);
  if (likeness === 0 || (name.weight === 0 && likeness < 1 && !isOpaque)) return [];
  // "From" alone may be anything; a number with its country code is no accident.
  if (name.weight <= 0.7 && likeness < 0.9 && name.weight < 0.5) return [];
  const parts = [
    [0.5 * name.weight, nameEvidence(name)],
    [0.25 * likeness, 'reads as a phone number'],
    [isOpaque ? 0.3 : 0, 'a field whose name says nothing'],
    [mobile.weight > 0.5 ? 0.08 : 0, 'a mobile'],
    [leaf.primary ? 0.1 : 0, 'said to be the main one'],
    [kinScore(leaf, survey), survey.ownership(leaf).why],
    [0.05 * survey.siblingTraitCount(leaf, 'phone'), 'beside a name or an e-mail address'],
  ] as const;
  return [createCandidate(leaf, parts, phoneSteps(leaf, survey))];
}

const isWordless = ({ names }: Leaf): boolean =>
  names.every(({ reading }) => reading.words.length === 0);

/** A messenger's address of a number, with its country code, whatever the messenger: `5511…@gateway`. */
function isAddressOfNumber(leaf: Leaf): boolean {
  const digits = /^(\d{12,15})@[\w.-]+$/.exec(textOf(leaf))?.[1];
  return (
    digits !== undefined &&
    isEmail(textOf(leaf)) &&
    matchName(leaf, ['email']).weight === 0 &&
    parsePhone(`+${digits}`, null) !== null
  );
}

function addressedNumber(leaf: Leaf, survey: LeafIndex): Candidate {
  const name = matchName(leaf, ['phone', 'mobile'], strictly);
  const parts = [
    [0.3 + 0.3 * name.weight, "a messenger's address of a phone number"],
    [isElsewhere(leaf) ? -0.6 : 0, 'somebody else'],
    [kinScore(leaf, survey), survey.ownership(leaf).why],
  ] as const;
  return createCandidate(leaf, parts, [
    { split: { by: '@', pick: 0 } },
    { template: { text: '+{{value}}' } },
  ]);
}

function phoneSteps(leaf: Leaf, survey: LeafIndex): Source['transforms'] {
  const country = nearestCountry(leaf, survey);
  return country === null ? [] : [{ phone: { regionPath: country.path } }];
}

/** A number whose area code, and perhaps country code, stand beside it. */
function dividedPhones(survey: LeafIndex): Candidate[] {
  return survey.leaves.flatMap((leaf) => {
    const digits = textOf(leaf).replace(/[\s-]/g, '');
    const name = matchName(leaf, ['phone', 'mobile'], { against: ['actor', 'past', 'areaCode'] });
    if (!/^\d{7,9}$/.test(digits) || name.weight === 0) return [];
    const beside = survey.siblings(leaf);
    const area = beside.find((each) => isCode(each, 'areaCode', /^0?\d{1,3}$/));
    if (area === undefined) return [];
    const country = beside.find(
      (each) => each !== area && isCode(each, 'countryCode', /^\+?\d{1,3}$/),
    );
    const leaves = country === undefined ? [area, leaf] : [country, area, leaf];
    const plus = country !== undefined && !textOf(country).startsWith('+') ? '+' : '';
    const number = plus + leaves.map(textOf).join('');
    if (parsePhone(number, survey.region) === null) return [];
    const parts = leaves.map((each) => sourceOfLeaf(each));
    const source = { join: [...(plus === '' ? [] : [{ const: plus }]), ...parts], with: '' };
    const weighed = createCandidate(leaf, [
      [0.5 * name.weight + 0.25, nameEvidence(name)],
      [0.05, 'its area code stands beside it'],
      [kinScore(leaf, survey), survey.ownership(leaf).why],
    ]);
    const path = leaves.map(displayPath).join(' + ');
    return [{ ...weighed, source, path, example: number }];
  });
}

const isCode = (leaf: Leaf, concept: Concept, shape: RegExp): boolean =>
  matchName(leaf, [concept]).weight > 0 && shape.test(textOf(leaf));

export function emailCandidates(survey: LeafIndex): Candidate[] {
  return survey.leaves
    .flatMap((leaf) => {
      if (!isEmail(textOf(leaf)) || isAddressOfNumber(leaf)) return [];
      const name = matchName(leaf, ['email'], { against: ['actor', 'past'] });
      const person = matchName(leaf, ['person'], { against: others });
      const parts = [
        [0.3 * Math.max(name.weight, 0.7 * person.weight), nameEvidence(name)],
        [0.5, 'reads as an e-mail address'],
        [isElsewhere(leaf) || isUserBeside(leaf, survey) ? -0.6 : 0, 'somebody else'],
        [leaf.primary ? 0.1 : 0, 'said to be the main one'],
        [kinScore(leaf, survey), survey.ownership(leaf).why],
        [0.05 * survey.siblingTraitCount(leaf, 'email'), 'beside a name or a phone number'],
      ] as const;
      return [createCandidate(leaf, parts)];
    })
    .toSorted(compareByScore);
}

/** `user: 'seller@…'`, where the person of the event is known otherwise. */
const isUserBeside = ({ names }: Leaf, survey: LeafIndex): boolean =>
  survey.hasPerson && isUserWord(names[0]?.reading.words ?? []);

const isElsewhere = ({ names }: Leaf): boolean => {
  const own = names[0]?.reading.concepts;
  return own !== undefined && (own.has('actor') || own.has('past')) && !own.has('person');
};

export function documentCandidates(survey: LeafIndex): Candidate[] {
  return survey.leaves
    .flatMap((leaf) => {
      const name = matchName(leaf, ['document'], strictly);
      const likeness = documentLikeness(textOf(leaf));
      if (likeness === 0 || (name.weight === 0 && likeness < 1)) return [];
      const parts = [
        [0.5 * name.weight, nameEvidence(name)],
        [name.weight === 0 ? 0.55 : 0.3 * likeness, 'its check digits are right'],
        [kinScore(leaf, survey), survey.ownership(leaf).why],
      ] as const;
      return [createCandidate(leaf, parts, ['document'])];
    })
    .toSorted(compareByScore);
}

export function nameCandidates(survey: LeafIndex): Candidate[] {
  const whole = survey.leaves.flatMap((leaf) => wholeName(leaf, survey));
  return [...whole, ...dividedNames(survey)].toSorted(compareByScore);
}

function wholeName(leaf: Leaf, survey: LeafIndex): Candidate[] {
  const likeness = nameLikeness(textOf(leaf));
  if (likeness === 0) return [];
  const full = matchName(leaf, ['fullName'], { against: others });
  const plain = matchName(leaf, ['name'], {
    against: [
      ...others,
      'firstName',
      'lastName',
      'campaign',
      'origin',
      'eventType',
      'message',
      'entity',
    ],
  });
  const called = full.weight >= plain.weight ? full : plain;
  const name = called.weight > 0 ? called : calledPerson(leaf, likeness);
  if (name.weight === 0 || survey.isDeal(leaf) || isOfLabel(leaf)) return [];
  return [weighName(leaf, survey, { name, likeness })];
}

/** `Cliente: 'Ana Exemplo'`: a person given by nothing but a whole name. */
function calledPerson(leaf: Leaf, likeness: number): NameMatch {
  const own = leaf.names.find(({ reading }) => reading.concepts.get('person') === 1);
  const isAlone = own !== undefined && own.reading.concepts.size === 1 && own.reading.unknown === 0;
  return isAlone && likeness === 1 ? { weight: 0.75, text: own.text } : { weight: 0, text: '' };
}

/** An origin, a channel and a stage have names too. */
const isOfLabel = ({ trail }: Leaf): boolean => {
  const around = trail.at(-1)?.concepts;
  return (['origin', 'campaign', 'eventType', 'deal'] as const).some((each) => around?.has(each));
};

function weighName(
  leaf: Leaf,
  survey: LeafIndex,
  { name, likeness }: { name: NameMatch; likeness: number },
): Candidate {
  const owned = matchName(leaf, ['person'], { against: others });
  return createCandidate(leaf, [
    [0.45 * name.weight, nameEvidence(name)],
    [0.1 * likeness, 'looks like the name of a person'],
    [owned.weight * 0.08, ''],
    [kinScore(leaf, survey), survey.ownership(leaf).why],
    [0.1 * survey.siblingTraitCount(leaf, 'name'), 'beside a phone number or an e-mail address'],
    [leaf.answer && name.weight > 0.7 ? 0.08 : 0, 'an answer to that question'],
  ]);
}

/** First and last name of one owner. */
function dividedNames(survey: LeafIndex): Candidate[] {
  return survey.leaves.flatMap((first) => {
    const given = matchName(first, ['firstName'], { against: ['actor', 'past'] });
    const bare = matchName(first, ['name'], { against: [...others, 'lastName', 'fullName'] });
    const likeness = nameLikeness(textOf(first));
    if (likeness === 0 || (given.weight === 0 && bare.weight < 0.8)) return [];
    const last = survey
      .siblings(first)
      .find(
        (each) =>
          each !== first && (isLastName(each) || (given.weight > 0 && isBareLast(each, first))),
      );
    if (given.weight === 0 && (last === undefined || !isGiven(first, survey))) return [];
    if (last !== undefined && textOf(first).endsWith(textOf(last))) return [];
    if (last === undefined) {
      const alone = { name: { ...given, weight: given.weight * 0.75 }, likeness };
      return given.weight > 0 ? [weighName(first, survey, alone)] : [];
    }
    const weight = given.weight > 0 ? given : { ...bare, weight: 1 };
    const weighed = weighName(first, survey, { name: weight, likeness: 1 });
    const parts = [sourceOfLeaf(first), sourceOfLeaf(last)];
    return [
      {
        ...weighed,
        source: { join: parts },
        path: `${displayPath(first)} + ${displayPath(last)}`,
        example: `${textOf(first)} ${textOf(last)}`,
        evidence: [...weighed.evidence, `joined with the last name beside it`],
      },
    ];
  });
}

/** A bare name is the first one where a last name, and no other first name, stands beside it. */
const isGiven = (leaf: Leaf, survey: LeafIndex): boolean =>
  !survey.siblings(leaf).some((each) => matchName(each, ['firstName', 'fullName']).weight > 0.5);

const isLastName = (leaf: Leaf): boolean =>
  matchName(leaf, ['lastName'], { against: ['actor', 'past', 'fullName'] }).weight > 0.5 &&
  nameLikeness(textOf(leaf)) > 0;

/** `prenom` and `nom`, `Vorname` and `Name`: beside a first name, a name without it is the last one. */
function isBareLast(leaf: Leaf, first: Leaf): boolean {
  const text = textOf(leaf);
  return (
    /^(?:nom|name)$/.test(nameWords(leaf)) &&
    nameLikeness(text) > 0 &&
    text.split(/\s+/).length <= 2 &&
    !text.toLowerCase().includes(textOf(first).toLowerCase())
  );
}

function kinScore(leaf: Leaf, survey: LeafIndex): number {
  return survey.ownership(leaf).score;
}
