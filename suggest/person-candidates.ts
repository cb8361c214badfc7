/** Candidates for the contact's name, phone, e-mail address and document. */
import type { Source } from '../src/domain/mappings/mapping.ts';
import { parsePhone } from '../src/domain/people/phone.ts';
import { isPlaceholder } from '../src/domain/people/placeholder.ts';
import {
  nameEvidence,
  matchName,
  displayPath,
  sourceOfLeaf,
  createCandidate,
  type Candidate,
  type NameMatch,
} from './candidate.ts';
import { readName, hasConcept, type Concept } from './names/concepts.ts';
import type { LeafIndex } from './leaf-index.ts';
import { nameWords, textOf, type Leaf } from './leaves/leaf.ts';
import { isUserWord } from './ownership.ts';
import { nearestCountry } from './country.ts';
import {
  documentLikeness,
  firstListed,
  isEmail,
  isUnattended,
  nameLikeness,
} from './leaves/value-shape.ts';

const others: readonly Concept[] = ['actor', 'thing', 'form', 'past'];
const strictReservation: { against: readonly Concept[] } = { against: [...others, 'id'] };

export function phoneCandidates(index: LeafIndex): Candidate[] {
  const whole = index.leaves.flatMap((leaf) =>
    index.isOwnAddress(leaf) ? [] : phoneOf(leaf, index),
  );
  return [...whole, ...splitPhones(index)];
}

/** Of several values in one text the first is read. */
type Listed = Readonly<ReturnType<typeof firstListed>>;
const maxListLength = 400;

const listedIn = (leaf: Leaf, isOne: (part: string) => boolean): Listed =>
  textOf(leaf).length > maxListLength ? null : firstListed(textOf(leaf), isOne);

const stepsToFirst = (listed: Listed): NonNullable<Source['transforms']> =>
  listed === null ? [] : [{ split: { by: listed.by, pick: 0 } }];

/** Shows the value that is read. */
const withFirst = (candidate: Candidate, listed: Listed): Candidate =>
  listed === null ? candidate : { ...candidate, example: listed.first };

function phoneOf(leaf: Leaf, index: LeafIndex): Candidate[] {
  if (isMessengerAddress(leaf)) return [messengerPhone(leaf, index)];
  const listed = listedIn(leaf, (part) => index.phoneLikeness(part) > 0);
  const text = listed?.first ?? textOf(leaf);
  if (text.length > 40) return [];
  const mobile = matchName(leaf, ['mobile'], strictReservation);
  const plain = matchName(leaf, ['phone'], strictReservation);
  const likeness = index.phoneLikeness(text);
  const own =
    likeness === 1 ? matchName(leaf, ['personId', 'person'], { against: others }) : mobile;
  const [name = plain] = [mobile, plain, own].toSorted((a, b) => b.weight - a.weight);
  const isOpaque = likeness >= 0.9 && hasNoWords(leaf);
  if (likeness === 0) return [];
  // "From" alone may be anything, so its value must have a country code.
  const isNamed = name.weight >= 0.5 || likeness >= 0.9;
  if (!isNamed && (namesOther(leaf) || !isClearNumber(leaf, text, index))) return [];
  const parts = [
    [0.5 * name.weight, nameEvidence(name)],
    [0.25 * likeness, 'reads as a phone number'],
    [isOpaque ? 0.3 : 0, 'a field whose name says nothing'],
    [mobile.weight > 0.5 ? 0.08 : 0, 'a mobile'],
    [leaf.primary ? 0.1 : 0, 'said to be the main one'],
    [ownershipScore(leaf, index), index.ownership(leaf).reason],
    [0.05 * index.siblingTraitCount(leaf, 'phone'), 'beside a name or an e-mail address'],
  ] as const;
  const steps = [...stepsToFirst(listed), ...(phoneSteps(leaf, index) ?? [])];
  return [withFirst(createCandidate(leaf, parts, steps), listed)];
}

/** Whether a number that nothing names is written as a phone number, or stands beside a name or an address. */
const isClearNumber = (leaf: Leaf, text: string, index: LeafIndex): boolean =>
  index.phoneLikeness(text) >= 0.7 &&
  (text.replace(/\D/g, '').length >= 10 ||
    (/\d[ .-]\d/.test(text) && index.siblingTraitCount(leaf, 'phone') > 0));

/** Whether a number is named as that of something else than a person's phone. */
const namesOther = ({ names }: Leaf): boolean =>
  names.some(({ reading }) =>
    hasConcept(reading, 'id', 'personId', 'submissionId', 'eventId', 'document', 'eventDate'),
  );

/** `Field4`, `input_2`, `q3`. */
const hasNoWords = ({ names }: Leaf): boolean =>
  names.every(({ reading: { words } }) =>
    words.every((word) =>
      /^(?:field|input|text|question|answer|column|campo|pergunta)$/.test(word),
    ),
  );

/** Whether the text is a messenger address of a phone number with its country code: `5511…@gateway`. */
function isMessengerAddress(leaf: Leaf): boolean {
  const digits = /^(\d{12,15})@[\w.-]+$/.exec(textOf(leaf))?.[1];
  return (
    digits !== undefined &&
    isEmail(textOf(leaf)) &&
    matchName(leaf, ['email']).weight === 0 &&
    parsePhone(`+${digits}`, null) !== null
  );
}

function messengerPhone(leaf: Leaf, index: LeafIndex): Candidate {
  const name = matchName(leaf, ['phone', 'mobile'], strictReservation);
  const parts = [
    [0.3 + 0.3 * name.weight, "a messenger's address of a phone number"],
    [belongsToOther(leaf) ? -0.6 : 0, 'another person'],
    [ownershipScore(leaf, index), index.ownership(leaf).reason],
  ] as const;
  return createCandidate(leaf, parts, [
    { split: { by: '@', pick: 0 } },
    { template: { text: '+{{value}}' } },
  ]);
}

function phoneSteps(leaf: Leaf, index: LeafIndex): Source['transforms'] {
  const country = nearestCountry(leaf, index.countries);
  return country === null ? [] : [{ phone: { regionPath: country.path } }];
}

/** Phone numbers with the area code, and possibly the country code, in sibling fields. */
function splitPhones(index: LeafIndex): Candidate[] {
  return index.leaves.flatMap((leaf) => {
    const digits = textOf(leaf).replace(/[\s-]/g, '');
    const name = matchName(leaf, ['phone', 'mobile'], { against: ['actor', 'past', 'areaCode'] });
    if (!/^\d{7,9}$/.test(digits) || name.weight === 0) return [];
    const beside = index.siblings(leaf);
    const area = beside.find((each) => isCode(each, 'areaCode', /^0?\d{1,3}$/));
    if (area === undefined) return [];
    const country = beside.find(
      (each) => each !== area && isCode(each, 'countryCode', /^\+?\d{1,3}$/),
    );
    const leaves = country === undefined ? [area, leaf] : [country, area, leaf];
    const plus = country !== undefined && !textOf(country).startsWith('+') ? '+' : '';
    const number = plus + leaves.map(textOf).join('');
    if (parsePhone(number, index.region) === null) return [];
    const parts = leaves.map((each) => sourceOfLeaf(each));
    const source = { join: [...(plus === '' ? [] : [{ const: plus }]), ...parts], with: '' };
    const scored = createCandidate(leaf, [
      [0.5 * name.weight + 0.25, nameEvidence(name)],
      [0.05, 'with its area code in another field'],
      [ownershipScore(leaf, index), index.ownership(leaf).reason],
    ]);
    const path = leaves.map(displayPath).join(' + ');
    return [{ ...scored, source, path, example: number }];
  });
}

const isCode = (leaf: Leaf, concept: Concept, shape: RegExp): boolean =>
  matchName(leaf, [concept]).weight > 0 && shape.test(textOf(leaf));

export function emailCandidates(index: LeafIndex): Candidate[] {
  return index.leaves.flatMap((leaf) => {
    const listed = isEmail(textOf(leaf)) ? null : listedIn(leaf, isEmail);
    const text = listed?.first ?? textOf(leaf);
    if (!isEmail(text) || isMessengerAddress(leaf) || isUnattended(text)) return [];
    if (isPlaceholder(text, 'email')) return [];
    const name = matchName(leaf, ['email'], { against: ['actor', 'past'] });
    const person = matchName(leaf, ['person'], { against: others });
    const parts = [
      [0.3 * Math.max(name.weight, 0.7 * person.weight), nameEvidence(name)],
      [0.5, 'reads as an e-mail address'],
      [belongsToOther(leaf) || isOtherUser(leaf, index) ? -0.6 : 0, 'another person'],
      [leaf.primary ? 0.1 : 0, 'said to be the main one'],
      [ownershipScore(leaf, index), index.ownership(leaf).reason],
      [0.05 * index.siblingTraitCount(leaf, 'email'), 'beside a name or a phone number'],
    ] as const;
    return [withFirst(createCandidate(leaf, parts, stepsToFirst(listed)), listed)];
  });
}

/** `user: 'seller@…'`, when the payload has a person of its own. */
const isOtherUser = ({ names }: Leaf, index: LeafIndex): boolean =>
  index.hasPerson && isUserWord(names[0]?.reading.words ?? []);

const belongsToOther = ({ names: [own] }: Leaf): boolean =>
  hasConcept(own?.reading, 'actor', 'past') && !hasConcept(own?.reading, 'person');

export function documentCandidates(index: LeafIndex): Candidate[] {
  return index.leaves.flatMap((leaf) => {
    const name = matchName(leaf, ['document'], strictReservation);
    const likeness = documentLikeness(textOf(leaf), index.region);
    const isOpaque = likeness >= 0.8 && hasNoWords(leaf);
    if (likeness === 0 || (name.weight === 0 && likeness < 1 && !isOpaque)) return [];
    const parts = [
      [0.5 * name.weight, nameEvidence(name)],
      [name.weight === 0 ? 0.55 : 0.3 * likeness, 'its check digits are right'],
      [ownershipScore(leaf, index), index.ownership(leaf).reason],
    ] as const;
    return [createCandidate(leaf, parts, ['document'])];
  });
}

export function nameCandidates(index: LeafIndex): Candidate[] {
  const whole = index.leaves.flatMap((leaf) => wholeName(leaf, index));
  return [...whole, ...splitNames(index), ...namesInUnnamedFields(index)];
}

/** Two names in a row under names that say nothing, such as `Field1` and `Field2`. */
function namesInUnnamedFields(index: LeafIndex): Candidate[] {
  return index.leaves.flatMap((first, i) => {
    const last = index.leaves[i + 1];
    if (last === undefined || last.owner !== first.owner || ![first, last].every(isBareWord))
      return [];
    const scored = createCandidate(first, [
      [0.25, 'two names in fields whose names say nothing'],
      [ownershipScore(first, index), index.ownership(first).reason],
    ]);
    return [joinNames(scored, first, last)];
  });
}

const isBareWord = (leaf: Leaf): boolean =>
  hasNoWords(leaf) &&
  nameLikeness(textOf(leaf)) > 0 &&
  /^\p{L}[\p{L}\p{M}'’.-]*(?: \p{L}[\p{L}\p{M}'’.-]*){0,3}$/u.test(textOf(leaf));

const joinNames = (scored: Candidate, first: Leaf, last: Leaf): Candidate => ({
  ...scored,
  source: { join: [sourceOfLeaf(first), sourceOfLeaf(last)] },
  path: `${displayPath(first)} + ${displayPath(last)}`,
  example: `${textOf(first)} ${textOf(last)}`,
});

function wholeName(leaf: Leaf, index: LeafIndex): Candidate[] {
  const likeness = nameLikeness(textOf(leaf));
  if (likeness === 0 || isOfProgram(leaf, index) || isOfThing(leaf, index)) return [];
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
  const name = called.weight > 0 ? called : personAsName(leaf, likeness);
  if (name.weight > 0) return [scoreName(leaf, index, { name, likeness })];
  return isBesideAddress(leaf, index) ? [unnamedName(leaf, index)] : [];
}

/** Whether nothing says what the field is, and an address or a number of a person is beside it. */
const isBesideAddress = (leaf: Leaf, index: LeafIndex): boolean =>
  index.siblingTraitCount(leaf, 'name') > 0 &&
  !leaf.listed &&
  (leaf.names[0]?.reading.concepts.size ?? 0) === 0 &&
  textOf(leaf).split(/\s+/).length <= 5;

const unnamedName = (leaf: Leaf, index: LeafIndex): Candidate =>
  createCandidate(leaf, [
    [0.1, 'reads as a name, beside a phone number or an e-mail address'],
    [ownershipScore(leaf, index), index.ownership(leaf).reason],
  ]);

/** Whether the name is that of a program, by the address beside it. */
const isOfProgram = (leaf: Leaf, index: LeafIndex): boolean =>
  index.siblings(leaf).some((each) => isUnattended(textOf(each)));

/** Whether the value says that it names a thing, such as `Support Paris`, and no address of a person is beside it. */
function isOfThing(leaf: Leaf, index: LeafIndex): boolean {
  if (index.siblingTraitCount(leaf, 'name') > 0 || index.ownership(leaf).score > 0) return false;
  return hasConcept(readName(textOf(leaf)), 'thing', 'form', 'actor');
}

/** `Cliente: 'Ana Exemplo'`: a field named after a person that holds a full name. */
function personAsName(leaf: Leaf, likeness: number): NameMatch {
  const own = leaf.names.find(({ reading }) => reading.concepts.get('person') === 1);
  if (own === undefined || own.reading.concepts.size !== 1 || likeness === 0)
    return { weight: 0, text: '' };
  return { weight: own.reading.unknown === 0 ? 0.75 * likeness : 0.4, text: own.text };
}

function scoreName(
  leaf: Leaf,
  index: LeafIndex,
  { name, likeness }: { name: NameMatch; likeness: number },
): Candidate {
  const owned = matchName(leaf, ['person'], { against: others });
  return createCandidate(leaf, [
    [0.45 * name.weight, nameEvidence(name)],
    [0.1 * likeness, 'looks like the name of a person'],
    [owned.weight * 0.08, ''],
    [ownershipScore(leaf, index), index.ownership(leaf).reason],
    [0.1 * index.siblingTraitCount(leaf, 'name'), 'beside a phone number or an e-mail address'],
    [leaf.answer && name.weight > 0.7 ? 0.08 : 0, 'an answer to that question'],
    [index.isDeal(leaf) ? -0.4 : 0, ''],
  ]);
}

/** Names that are given as a first and a last name in the same object. */
function splitNames(index: LeafIndex): Candidate[] {
  return index.leaves.flatMap((first) => {
    const given = matchName(first, ['firstName'], { against: ['actor', 'past'] });
    const bare = matchName(first, ['name'], { against: [...others, 'lastName', 'fullName'] });
    const likeness = nameLikeness(textOf(first));
    if (likeness === 0 || (given.weight === 0 && bare.weight < 0.8)) return [];
    const last = nearestInName(
      first,
      index
        .siblings(first)
        .filter(
          (each) =>
            each !== first &&
            (isLastName(each) || (given.weight > 0 && isPlainLastName(each, first))),
        ),
    );
    if (given.weight === 0 && last === undefined) return [];
    if (last !== undefined && textOf(first).endsWith(textOf(last))) return [];
    if (last === undefined) {
      const alone = { name: { ...given, weight: given.weight * 0.75 }, likeness };
      return given.weight > 0 ? [scoreName(first, index, alone)] : [];
    }
    const weight = given.weight > 0 ? given : { ...bare, weight: 1 };
    const scored = scoreName(first, index, { name: weight, likeness: 1 });
    const evidence = [...scored.evidence, `joined with the last name beside it`];
    return [joinNames({ ...scored, evidence }, first, last)];
  });
}

/** Returns the leaf whose key begins most like that of another one: `billing_first` goes with `billing_last`. */
function nearestInName({ path }: Leaf, leaves: readonly Leaf[]): Leaf | undefined {
  const shared = (other: string): number => {
    let length = 0;
    while (length < path.length && path[length] === other[length]) length += 1;
    return length;
  };
  return leaves.toSorted((a, b) => shared(b.path) - shared(a.path))[0];
}

const isLastName = (leaf: Leaf): boolean =>
  matchName(leaf, ['lastName'], { against: ['actor', 'past', 'fullName'] }).weight > 0.5 &&
  (nameLikeness(textOf(leaf)) > 0 || /^\p{L}\.?$/u.test(textOf(leaf)));

/** Whether a plain `nom` or `name` beside a first name is the last name, as in `prenom` and `nom`. */
function isPlainLastName(leaf: Leaf, first: Leaf): boolean {
  const text = textOf(leaf);
  return (
    /^(?:nom|name)$/.test(nameWords(leaf)) &&
    nameLikeness(text) > 0 &&
    text.split(/\s+/).length <= 4 &&
    !text.toLowerCase().includes(textOf(first).toLowerCase())
  );
}

const ownershipScore = (leaf: Leaf, index: LeafIndex): number => index.ownership(leaf).score;
