/** Who the event is about: name, phone, e-mail, document. */
import type { Source } from '../../domain/mapping.ts';
import { readPhone } from '../../domain/phone.ts';
import { byScore, calledSo, named, pathOf, sourceOf, weigh } from './candidate.ts';
import type { Candidate, Weight } from './candidate.ts';
import type { Concept } from './concepts.ts';
import type { Survey } from './survey.ts';
import { ownWords, textOf } from './leaf.ts';
import type { Leaf } from './leaf.ts';
import { isUser } from './kin.ts';
import { countryBeside } from './region.ts';
import { documentLikeness, isEmail, nameLikeness } from './shape.ts';

const others: readonly Concept[] = ['actor', 'thing', 'form', 'past'];
const strictly = { against: [...others, 'id'] as Concept[] };

export function phoneCandidates(survey: Survey): Candidate[] {
  const whole = survey.leaves.flatMap((leaf) => phoneOf(leaf, survey));
  return [...whole, ...dividedPhones(survey)].toSorted(byScore);
}

function phoneOf(leaf: Leaf, survey: Survey): Candidate[] {
  const text = textOf(leaf);
  if (isAddressOfNumber(leaf)) return [addressedNumber(leaf, survey)];
  if (text.length > 40) return [];
  const mobile = named(leaf, ['mobile'], strictly);
  const plain = named(leaf, ['phone'], strictly);
  const name = mobile.weight >= plain.weight ? mobile : plain;
  const likeness = survey.phoneLikeness(text);
  const isOpaque = likeness >= 0.9 && isWordless(leaf);
  if (likeness === 0 || (name.weight === 0 && likeness < 1 && !isOpaque)) return [];
  // "From" alone may be anything; a number with its country code is no accident.
  if (name.weight <= 0.7 && likeness < 0.9 && name.weight < 0.5) return [];
  const parts = [
    [0.5 * name.weight, calledSo(name)],
    [0.25 * likeness, 'reads as a phone number'],
    [isOpaque ? 0.3 : 0, 'a field whose name says nothing'],
    [mobile.weight > 0.5 ? 0.08 : 0, 'a mobile'],
    [leaf.primary ? 0.1 : 0, 'said to be the main one'],
    [kinScore(leaf, survey), survey.kin(leaf).why],
    [0.05 * survey.company(leaf, 'phone'), 'beside a name or an e-mail address'],
  ] as const;
  return [weigh(leaf, parts, phoneSteps(leaf, survey))];
}

const isWordless = ({ names }: Leaf): boolean =>
  names.every(({ reading }) => reading.words.length === 0);

/** A messenger's address of a number, with its country code, whatever the messenger: `5511…@gateway`. */
function isAddressOfNumber(leaf: Leaf): boolean {
  const digits = /^(\d{12,15})@[\w.-]+$/.exec(textOf(leaf))?.[1];
  return (
    digits !== undefined &&
    isEmail(textOf(leaf)) &&
    named(leaf, ['email']).weight === 0 &&
    readPhone(`+${digits}`, null) !== null
  );
}

function addressedNumber(leaf: Leaf, survey: Survey): Candidate {
  const name = named(leaf, ['phone', 'mobile'], strictly);
  const parts = [
    [0.3 + 0.3 * name.weight, "a messenger's address of a phone number"],
    [isElsewhere(leaf) ? -0.6 : 0, 'somebody else'],
    [kinScore(leaf, survey), survey.kin(leaf).why],
  ] as const;
  return weigh(leaf, parts, [
    { split: { by: '@', pick: 0 } },
    { template: { text: '+{{value}}' } },
  ]);
}

function phoneSteps(leaf: Leaf, survey: Survey): Source['transforms'] {
  const country = countryBeside(leaf, survey);
  return country === null ? [] : [{ phone: { regionPath: country.path } }];
}

/** A number whose area code, and perhaps country code, stand beside it. */
function dividedPhones(survey: Survey): Candidate[] {
  return survey.leaves.flatMap((leaf) => {
    const digits = textOf(leaf).replace(/[\s-]/g, '');
    const name = named(leaf, ['phone', 'mobile'], { against: ['actor', 'past', 'areaCode'] });
    if (!/^\d{7,9}$/.test(digits) || name.weight === 0) return [];
    const beside = survey.beside(leaf);
    const area = beside.find((each) => isCode(each, 'areaCode', /^0?\d{1,3}$/));
    if (area === undefined) return [];
    const country = beside.find(
      (each) => each !== area && isCode(each, 'countryCode', /^\+?\d{1,3}$/),
    );
    const leaves = country === undefined ? [area, leaf] : [country, area, leaf];
    const plus = country !== undefined && !textOf(country).startsWith('+') ? '+' : '';
    const number = plus + leaves.map(textOf).join('');
    if (readPhone(number, survey.region) === null) return [];
    const parts = leaves.map((each) => sourceOf(each));
    const source = { join: [...(plus === '' ? [] : [{ const: plus }]), ...parts], with: '' };
    const weighed = weigh(leaf, [
      [0.5 * name.weight + 0.25, calledSo(name)],
      [0.05, 'its area code stands beside it'],
      [kinScore(leaf, survey), survey.kin(leaf).why],
    ]);
    const path = leaves.map(pathOf).join(' + ');
    return [{ ...weighed, source, path, example: number }];
  });
}

const isCode = (leaf: Leaf, concept: Concept, shape: RegExp): boolean =>
  named(leaf, [concept]).weight > 0 && shape.test(textOf(leaf));

export function emailCandidates(survey: Survey): Candidate[] {
  return survey.leaves
    .flatMap((leaf) => {
      if (!isEmail(textOf(leaf)) || isAddressOfNumber(leaf)) return [];
      const name = named(leaf, ['email'], { against: ['actor', 'past'] });
      const person = named(leaf, ['person'], { against: others });
      const parts = [
        [0.3 * Math.max(name.weight, 0.7 * person.weight), calledSo(name)],
        [0.5, 'reads as an e-mail address'],
        [isElsewhere(leaf) || isUserBeside(leaf, survey) ? -0.6 : 0, 'somebody else'],
        [leaf.primary ? 0.1 : 0, 'said to be the main one'],
        [kinScore(leaf, survey), survey.kin(leaf).why],
        [0.05 * survey.company(leaf, 'email'), 'beside a name or a phone number'],
      ] as const;
      return [weigh(leaf, parts)];
    })
    .toSorted(byScore);
}

/** `user: 'seller@…'`, where the person of the event is known otherwise. */
const isUserBeside = ({ names }: Leaf, survey: Survey): boolean =>
  survey.hasPerson && isUser(names[0]?.reading.words ?? []);

const isElsewhere = ({ names }: Leaf): boolean => {
  const own = names[0]?.reading.concepts;
  return own !== undefined && (own.has('actor') || own.has('past')) && !own.has('person');
};

export function documentCandidates(survey: Survey): Candidate[] {
  return survey.leaves
    .flatMap((leaf) => {
      const name = named(leaf, ['document'], strictly);
      const likeness = documentLikeness(textOf(leaf));
      if (likeness === 0 || (name.weight === 0 && likeness < 1)) return [];
      const parts = [
        [0.5 * name.weight, calledSo(name)],
        [name.weight === 0 ? 0.55 : 0.3 * likeness, 'its check digits are right'],
        [kinScore(leaf, survey), survey.kin(leaf).why],
      ] as const;
      return [weigh(leaf, parts, ['document'])];
    })
    .toSorted(byScore);
}

export function nameCandidates(survey: Survey): Candidate[] {
  const whole = survey.leaves.flatMap((leaf) => wholeName(leaf, survey));
  return [...whole, ...dividedNames(survey)].toSorted(byScore);
}

function wholeName(leaf: Leaf, survey: Survey): Candidate[] {
  const likeness = nameLikeness(textOf(leaf));
  if (likeness === 0) return [];
  const full = named(leaf, ['fullName'], { against: others });
  const plain = named(leaf, ['name'], {
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
function calledPerson(leaf: Leaf, likeness: number): Weight {
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
  survey: Survey,
  { name, likeness }: { name: Weight; likeness: number },
): Candidate {
  const owned = named(leaf, ['person'], { against: others });
  return weigh(leaf, [
    [0.45 * name.weight, calledSo(name)],
    [0.1 * likeness, 'looks like the name of a person'],
    [owned.weight * 0.08, ''],
    [kinScore(leaf, survey), survey.kin(leaf).why],
    [0.1 * survey.company(leaf, 'name'), 'beside a phone number or an e-mail address'],
    [leaf.answer && name.weight > 0.7 ? 0.08 : 0, 'an answer to that question'],
  ]);
}

/** First and last name of one owner. */
function dividedNames(survey: Survey): Candidate[] {
  return survey.leaves.flatMap((first) => {
    const given = named(first, ['firstName'], { against: ['actor', 'past'] });
    const bare = named(first, ['name'], { against: [...others, 'lastName', 'fullName'] });
    const likeness = nameLikeness(textOf(first));
    if (likeness === 0 || (given.weight === 0 && bare.weight < 0.8)) return [];
    const last = survey
      .beside(first)
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
    const parts = [sourceOf(first), sourceOf(last)];
    return [
      {
        ...weighed,
        source: { join: parts },
        path: `${pathOf(first)} + ${pathOf(last)}`,
        example: `${textOf(first)} ${textOf(last)}`,
        evidence: [...weighed.evidence, `joined with the last name beside it`],
      },
    ];
  });
}

/** A bare name is the first one where a last name, and no other first name, stands beside it. */
const isGiven = (leaf: Leaf, survey: Survey): boolean =>
  !survey.beside(leaf).some((each) => named(each, ['firstName', 'fullName']).weight > 0.5);

const isLastName = (leaf: Leaf): boolean =>
  named(leaf, ['lastName'], { against: ['actor', 'past', 'fullName'] }).weight > 0.5 &&
  nameLikeness(textOf(leaf)) > 0;

/** `prenom` and `nom`, `Vorname` and `Name`: beside a first name, a name without it is the last one. */
function isBareLast(leaf: Leaf, first: Leaf): boolean {
  const text = textOf(leaf);
  return (
    /^(?:nom|name)$/.test(ownWords(leaf)) &&
    nameLikeness(text) > 0 &&
    text.split(/\s+/).length <= 2 &&
    !text.toLowerCase().includes(textOf(first).toLowerCase())
  );
}

function kinScore(leaf: Leaf, survey: Survey): number {
  return survey.kin(leaf).score;
}
