/** Candidates for the message, the campaign and the origin. */
import { nameEvidence, matchName, createCandidate, type Candidate } from './candidate.ts';
import { hasConcept, type Concept } from './names/concepts.ts';
import { textOf, type Leaf } from './leaves/leaf.ts';
import { instantKind, isShortText, proseLikeness } from './leaves/value-shape.ts';
import type { LeafIndex } from './leaf-index.ts';

const noMessages: readonly Concept[] = [
  'actor',
  'form',
  'past',
  'id',
  'eventType',
  'name',
  'origin',
];

export function messageCandidates(index: LeafIndex): Candidate[] {
  // What the decoder shows has also what the texts beside it leave out.
  const shown = index.leaves.filter((leaf) => isShownText(leaf));
  return (shown.length > 0 ? shown : index.leaves).flatMap((leaf) => {
    const likeness = proseLikeness(textOf(leaf));
    if (likeness === 0) return [];
    const isNoted = leaf.names.some(({ reading }) => hasConcept(reading, 'matter'));
    const name = matchName(leaf, ['message'], {
      against: [...(isNoted ? [] : (['thing'] as const)), ...noMessages],
    });
    if ((leaf.trail.at(-1)?.concepts.get('eventType') ?? 0) >= 1) return [];
    if (name.weight > 0) return [namedMessage(leaf, index, name)];
    const answer = answerOfQuestion(leaf, index);
    return answer.length > 0 ? answer : unnamedText(leaf, index);
  });
}

function namedMessage(
  leaf: Leaf,
  index: LeafIndex,
  name: { weight: number; text: string },
): Candidate {
  const likeness = proseLikeness(textOf(leaf));
  const ownership = index.ownership(leaf);
  // A subject or an interest is a message only as the answer to a question.
  const isWeak = name.weight < 0.8 && !leaf.answer;
  const parts = [
    [0.65 * name.weight, nameEvidence(name)],
    [0.2 * likeness, likeness === 1 ? 'a text' : ''],
    [isOfMatter(leaf) || isCaption(leaf) ? 0 : Math.min(ownership.score, 0), ownership.reason],
    [isWeak ? -0.25 : 0, ''],
    [leaf.answer ? 0.05 : 0, 'an answer'],
  ] as const;
  return createCandidate(leaf, parts, isMarkup(textOf(leaf)) ? ['stripHtml'] : []);
}

/** Whether the container is a deal, an order or a booking. Other targets treat these as things. */
const isOfMatter = ({ trail }: Leaf): boolean => hasConcept(trail.at(-1), 'matter');

/** The decoder of a messenger makes a text of each kind of message. */
const isShownText = ({ trail, names }: Leaf): boolean =>
  trail.at(-1)?.words.join(' ') === 'messenger' && names[0]?.reading.words.join(' ') === 'text';

/** A caption of an image is written by the person who sends it. */
const isCaption = ({ names }: Leaf): boolean =>
  names[0]?.reading.words.at(-1) === 'caption' || names[0]?.reading.words.at(-1) === 'legenda';

const isMarkup = (text: string): boolean => /<\/?[a-z][^<>]{0,200}>/i.test(text);

const otherConcepts: readonly Concept[] = [
  'name',
  'fullName',
  'firstName',
  'lastName',
  'phone',
  'mobile',
  'email',
  'document',
  'campaign',
  'origin',
  'id',
  'personId',
  'actor',
  'thing',
  'form',
  'eventDate',
  'extra',
  'past',
  'areaCode',
  'countryCode',
  'eventType',
];

/** The answer to a question that matches no other target. */
function answerOfQuestion(leaf: Leaf, index: LeafIndex): Candidate[] {
  const known = leaf.names.some(
    ({ reading }) => reading.words.join() !== 'field' && hasConcept(reading, ...otherConcepts),
  );
  const question =
    leaf.names.find(({ text, reading }) => isQuestion(text, reading.words.length)) ??
    (isSentence(textOf(leaf)) ? leaf.names[0] : undefined);
  if (known || question === undefined || index.ownership(leaf).score < 0) return [];
  return [
    createCandidate(leaf, [
      [0.5, `answers "${question.text.slice(0, 80)}"`],
      [/\?/.test(question.text) ? 0.06 : 0, ''],
      [Math.min(textOf(leaf).length, 100) / 2_000, ''],
    ]),
  ];
}

/** What a name may say that says nothing of its value. */
const silent: readonly Concept[] = ['filler', 'holder', 'form', 'thing', 'extra'];

/** A text of several words under a name that says nothing. */
function unnamedText(leaf: Leaf, index: LeafIndex): Candidate[] {
  const words = textOf(leaf).split(/\s+/).length;
  const own = leaf.names[0]?.reading;
  if (words < 3 || own === undefined || leaf.outside) return [];
  if ([...own.concepts.keys()].some((each) => !silent.includes(each))) return [];
  return [
    createCandidate(leaf, [
      [0.1, 'a text of several words'],
      [Math.min(words, 20) / 100, ''],
      [Math.min(index.ownership(leaf).score, 0), index.ownership(leaf).reason],
    ]),
  ];
}

/** Whether a text is written by a person: several words that end like a sentence. */
const isSentence = (text: string): boolean =>
  text.split(/\s+/).length >= 6 && /[.!?…]$/u.test(text) && !/https?:/.test(text);

const isQuestion = (text: string, words: number): boolean =>
  (/\?/.test(text) && words > 1) || (words >= 3 && /\s/.test(text.trim()));

export function campaignCandidates(index: LeafIndex): Candidate[] {
  return captions(index, 'campaign', ['actor', 'past', 'origin', 'eventDate', 'email', 'phone']);
}

export function originCandidates(index: LeafIndex): Candidate[] {
  return captions(index, 'origin', [
    'actor',
    'past',
    'id',
    'eventDate',
    'email',
    'phone',
    'eventType',
  ]);
}

const isCaptionText = (text: string): boolean =>
  isShortText(text) && !/::|[a-z]-\d+\.\d+$/i.test(text) && instantKind(text) === null;

/** A country, an IP address or a number says nothing of where a person came from, and a number below 1,000 is no campaign. */
const isSuited = (concept: 'campaign' | 'origin', text: string): boolean =>
  concept === 'origin'
    ? !/^(?:[A-Z]{2}|-?\d+|(?:\d{1,3}\.){3}\d{1,3}|[\da-f:]*:[\da-f:]+)$/i.test(text) ||
      /^(?:fb|ig|yt|li|tt|tw|wa)$/i.test(text)
    : !/^-?\d{1,3}$/.test(text);

function captions(
  index: LeafIndex,
  concept: 'campaign' | 'origin',
  against: readonly Concept[],
): Candidate[] {
  return index.leaves.flatMap((leaf) => {
    const name = matchName(leaf, [concept], { against });
    const text = textOf(leaf);
    if (name.weight === 0 || !isCaptionText(text) || !isSuited(concept, text)) return [];
    // The source of a messenger is the number of the sender.
    if (concept === 'origin' && index.phoneLikeness(text) > 0) return [];
    const ownership = index.ownership(leaf);
    const isTracking = leaf.names.some(({ text: key }) => /utm/i.test(key));
    return [
      createCandidate(leaf, [
        [0.75 * name.weight, nameEvidence(name)],
        [isTracking ? 0.1 : 0, 'a tracking parameter'],
        [ownerScore(ownership.score, isTracking), ownership.reason],
      ]),
    ];
  });
}

/** Tracking parameters are not penalised for their owner. */
function ownerScore(score: number, isExempt: boolean): number {
  if (score > 0) return score / 2;
  return isExempt && score > -1 ? 0 : score;
}
