/** Candidates for the contact's id at the sender and for the event id. */
import {
  nameEvidence,
  matchName,
  sourceOfLeaf,
  createCandidate,
  type Candidate,
  type NameMatch,
} from './candidate.ts';
import { hasConcept, type Concept, type NameReading } from './names/concepts.ts';
import { nameWords, textOf, type Leaf } from './leaves/leaf.ts';
import { isIdentifier, isUnattended, isUrl, isUuid, instantKind } from './leaves/value-shape.ts';
import type { LeafIndex } from './leaf-index.ts';
import { isHiddenAddress, isNamedAsSender, isPersonAddress } from './messenger-addresses.ts';

const others: readonly Concept[] = ['actor', 'thing', 'form', 'past'];
// A plain id in a container named after one of these identifies that thing.
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

/** `phone` is the best candidate for the phone number. */
export function externalIdCandidates(index: LeafIndex, phone: Candidate | undefined): Candidate[] {
  const hasPersonId = index.leaves.some((leaf) => isIdOfPerson(leaf, index));
  const ids = index.leaves.flatMap((leaf) => {
    if (!isIdentifier(textOf(leaf)) || index.phoneLikeness(textOf(leaf)) === 1) return [];
    if (index.isOwnAddress(leaf) || leaf.trail.some(isHeaders)) return [];
    const named = externalIdOf(leaf, index, { hasPersonId });
    return named.length > 0 ? named : weakId(leaf, index);
  });
  return [...ids, ...addressesOfSender(index, phone)];
}

/** The headers of a request that a relay received. */
const isHeaders = ({ words }: NameReading): boolean => /^headers?$/.test(words.join(' '));

const weakNames =
  /(?:^|[\s])(?:id|ids|key|code|codigo|chave|hash|uuid|uid|ref|reference|referencia|number|numero|nr|nummer|identifier|identificador|response|lead|protocol|protocolo)$/;

/** An identifier whose name ends like that of an id, or whose value names its kind. */
function weakId(leaf: Leaf, index: LeafIndex): Candidate[] {
  const text = textOf(leaf);
  const isNamed = weakNames.test(nameWords(leaf)) && /\d/.test(text);
  if (leaf.answer || (!isNamed && !/^urn:\w/.test(text)) || instantKind(text) !== null) return [];
  if (index.phoneLikeness(text) >= 0.9 || isPartOfOther(leaf)) return [];
  return [
    createCandidate(leaf, [
      [0.15, `named "${leaf.names[0]?.text ?? ''}"`],
      [index.ownership(leaf).score / 2, index.ownership(leaf).reason],
    ]),
  ];
}

/** Whether a number is a part of a phone number, a document or an address. */
const isPartOfOther = ({ names }: Leaf): boolean =>
  hasConcept(names[0]?.reading, 'phone', 'mobile', 'areaCode', 'countryCode', 'document') ||
  /\b(?:address|endereco|direccion|street)\b/.test(names[0]?.reading.words.join(' ') ?? '');

const senderNames =
  /^(?:from|sender|phone|source|author|sender phone|sender id|chat id|remote jid|jid)$/;
const messengerSigns =
  /^(?:from me|is group|chat name|push name|sender name|sender phone|wa id|wamid)$/;

/** A messenger knows a person by a number or an address. The receiver's own number may be in the payload too. */
function addressesOfSender(index: LeafIndex, phone: Candidate | undefined): Candidate[] {
  const leaves = index.leaves.filter((leaf) => isAddressOfSender(leaf, index));
  if (leaves.length === 0) return [];
  const number = digitsOf(String(phone?.example ?? ''));
  return leaves
    .filter(
      (leaf) =>
        isHiddenAddress(textOf(leaf)) || (number !== '' && digitsOf(textOf(leaf)) === number),
    )
    .map((leaf) => {
      const { score, reason } = index.ownership(leaf);
      return createCandidate(leaf, [
        [isInMessenger(leaf, index) ? 0.6 : 0.3, 'the address of the sender in a messenger'],
        [Math.min(score, 0), reason],
      ]);
    });
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** A text message has an id, and its number is only a phone number. */
const isAddressOfSender = (leaf: Leaf, index: LeafIndex): boolean =>
  (senderNames.test(nameWords(leaf)) || (isPersonAddress(textOf(leaf)) && isNamedAsSender(leaf))) &&
  !index.isOwnAddress(leaf) &&
  !leaf.answer &&
  (index.phoneLikeness(textOf(leaf)) >= 0.7 || /^\d{8,15}@[\w.-]+$/.test(textOf(leaf))) &&
  !index.isBeside(leaf, /\bsms\b/);

const isInMessenger = (leaf: Leaf, index: LeafIndex): boolean =>
  index.isBeside(leaf, /^to$/) ||
  index.leaves.some(({ names }) =>
    names.some(({ reading }) => messengerSigns.test(reading.words.join(' '))),
  );

const isIdOfPerson = (leaf: Leaf, index: LeafIndex): boolean =>
  index.ownership(leaf).score > 0.1 && isIdentifier(textOf(leaf)) && personIdOf(leaf).weight > 0.9;

function externalIdOf(
  leaf: Leaf,
  index: LeafIndex,
  { hasPersonId }: { hasPersonId: boolean },
): Candidate[] {
  const text = textOf(leaf);
  if (isEventId(leaf, index) || isOfSubscriber(leaf, index)) return [];
  if (index.siblings(leaf).some((each) => isUnattended(textOf(each)))) return [];
  const isOwned =
    (hasConcept(leaf.trail.at(-1), ...owners) && !isOfRecord(leaf)) || isKey(leaf, index);
  const person = personIdOf(leaf);
  const submission = matchName(leaf, ['submissionId'], { against: ['actor', 'past'] });
  const plain = (isUrl(text) && !isGlobal(text)) || isOwned ? nothing : plainIdOf(leaf);
  const ownership = index.ownership(leaf);
  // A deal's id identifies its person only when the deal is the whole body, or its person has no id.
  const isBody = leaf.depth === 0 && !index.isEnvelope;
  const isDeal = index.isDeal(leaf) && plain.weight >= 1 && (isBody || !hasPersonId);
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
    // A payment contains the id of the person who pays.
    [isSubmission ? Math.max(ownership.score, 0) : ownership.score, ownership.reason],
    [leaf.listed ? -0.12 : 0, ''],
    [
      0.09 * index.siblingTraitCount(leaf, null),
      'beside a name, a phone number or an e-mail address',
    ],
    [isGlobal(text) ? 0.12 : 0, 'a global id, which names its kind'],
    [leaf.depth === 0 && isInEnvelope(leaf, index) && name === plain && !isDeal ? -0.3 : 0, ''],
  ] as const;
  return [createCandidate(leaf, parts)];
}

/** Whether the id names a record: in an envelope it identifies that record, not the event. */
const isOfRecord = (leaf: Leaf): boolean => /^(?:record|entity|object) ids?$/.test(nameWords(leaf));

/** Whether the user id belongs to the user who set up the webhook: it is beside the webhook's own id or URL. */
const isOfSubscriber = (leaf: Leaf, index: LeafIndex): boolean =>
  /^user id$/.test(nameWords(leaf)) &&
  index.isBeside(leaf, /^(?:webhook|hook|endpoint|callback) (?:id|url)$/);

const strongest = <Part>(
  parts: readonly (readonly [number, Part])[],
): readonly [number, Part | null] =>
  parts.reduce<readonly [number, Part | null]>(
    (best, part) => (part[0] > best[0] ? part : best),
    [0, null],
  );

const nothing: NameMatch = { weight: 0, text: '' };

function plainIdOf(leaf: Leaf): NameMatch {
  if (isGlobal(textOf(leaf))) return { weight: 1, text: leaf.names[0]?.text ?? '' };
  return matchName(leaf, ['id'], { against: [...others, 'matter', ...owners] });
}

// `key: { id }` identifies a message, and so does an id beside the address of its chat.
const isKey = (leaf: Leaf, index: LeafIndex): boolean =>
  leaf.trail.at(-1)?.words.join('') === 'key' ||
  index
    .siblings(leaf)
    .some((each) => chatNames.test(nameWords(each)) && isPersonAddress(textOf(each)));

const chatNames = /^(?:from|remote|remote jid|chat ?id|author|participant)$/;

const isGlobal = (text: string): boolean => text.startsWith('gid://');

/** `lead_id`, `lead: { id }`, `customer: 'cus_1'`. */
function personIdOf(leaf: Leaf) {
  const direct = matchName(leaf, ['personId'], { against: ['actor', 'past'] });
  if (direct.weight > 0) return direct;
  const own = leaf.names.find(
    ({ reading }) => hasConcept(reading, 'person') && !hasConcept(reading, ...ofOthers),
  );
  if (own === undefined) return direct;
  const { concepts, words } = own.reading;
  if (concepts.has('id'))
    return { weight: 0.95 * (concepts.get('person') ?? 0) ** 0.5, text: own.text };
  // A field named after a person that holds only an id.
  return words.length === 1 && /\d/.test(textOf(leaf)) ? { weight: 0.9, text: own.text } : direct;
}

const ofOthers: readonly Concept[] = [
  ...others,
  'email',
  'phone',
  'mobile',
  'name',
  'eventDate',
  'document',
];

export const eventIdCandidates = (index: LeafIndex): Candidate[] =>
  index.leaves.flatMap((leaf) => eventIdOf(leaf, index));

function eventIdOf(leaf: Leaf, index: LeafIndex): Candidate[] {
  const text = textOf(leaf);
  // An id outside of the items is the same for all of them, so all but one would be duplicates.
  if (!isIdentifier(text) || isUrl(text) || (index.splits && leaf.outside)) return [];
  if (instantKind(text) !== null && !/id$/i.test(leaf.path)) return [];
  // `event_id: 'client.created'`
  if (/^[a-z]+(?:[._][a-z]+)+$/i.test(text)) return [];
  if (isOfNamedEvent(leaf, index) || isIdOfMeeting(leaf, index)) return [];
  const name = matchName(leaf, ['eventId'], { against: ['actor', 'past'] });
  const plain = isEventId(leaf, index) || isSubmissionId(leaf, index);
  if (name.weight === 0 && !plain) return [];
  const parts = [
    [
      name.weight > 0 ? 0.85 * name.weight : 0.7,
      name.weight > 0 ? nameEvidence(name) : 'the id of the envelope or the submission',
    ],
    [isUuid(text) ? 0.06 : 0, 'a UUID'],
    [Math.min(index.ownership(leaf).score, 0), index.ownership(leaf).reason],
  ] as const;
  return [addScope(createCandidate(leaf, parts), leaf, index)];
}

/** Whether the event is something that takes place, such as `event: { id: 55, name: 'A fair' }`, and not a notification. */
const isOfNamedEvent = (leaf: Leaf, index: LeafIndex): boolean =>
  hasConcept(leaf.trail.at(-1), 'eventType') &&
  !isUuid(textOf(leaf)) &&
  index.isBeside(leaf, /^(?:name|nome|nombre|nom|title|titulo|starts?(?: at| date| time)?|venue)$/);

const meetingId = /^(?:event|evento) (?:id|uuid)$|^id (?:do )?evento$/;
const meetingField =
  /^(?:event|evento) (?:title|titulo|start|starts|begin|inicio|location|local|venue|place|city|cidade)\b/;
/** Words for those who come to something that takes place, and for what they need. */
const visitors = new Set(
  (
    'webinar registrant registrants attendee attendees invitee invitees guest guests rsvp venue tickets ingresso ingressos ' +
    'inscrito inscritos convidado convidados entrada entradas speaker'
  ).split(' '),
);

/**
 * Whether an `event_id` is that of a fair, a webinar or a meeting: all who come to it have the same. In an envelope with a type
 * a UUID is that of the notification.
 */
function isIdOfMeeting(leaf: Leaf, index: LeafIndex): boolean {
  if (!meetingId.test(nameWords(leaf))) return false;
  const isUnique = isUuid(textOf(leaf));
  const isTitle = (each: Leaf): boolean =>
    /^(?:event name|nome (?:do )?evento)$/.test(nameWords(each)) && /\s/.test(textOf(each));
  if (index.isBeside(leaf, meetingField)) return true;
  if (!isUnique && index.siblings(leaf).some(isTitle)) return true;
  if (leaf.owner === '' && index.isEnvelope && isUnique) return false;
  return index.leaves.some(({ trail, names }) =>
    [...trail.flatMap(({ words }) => words), ...(names[0]?.reading.words ?? [])].some((word) =>
      visitors.has(word),
    ),
  );
}

/** What a deal, an order or a payment has, and an envelope does not. All notifications of a record have its id. */
const recordField =
  /^(?:status|situacao|estado|stage|etapa|total|amount|price|valor|preco|precio|currency|moeda|quantity|quantidade)$/;

/** Whether an `id` is that of an envelope, which has a type and carries its subject in an object. */
function isEventId(leaf: Leaf, index: LeafIndex): boolean {
  const own = leaf.names[0];
  if (own === undefined || own.reading.words.join('') !== 'id' || leaf.answer) return false;
  if (/^\d{1,15}$/.test(textOf(leaf))) return false;
  if (leaf.names.some(({ reading }) => hasConcept(reading, 'eventId'))) return true;
  const isMeta = /(?:^|\.)meta$/.test(leaf.owner);
  if (isMeta && isUuid(textOf(leaf))) return true;
  return leaf.owner === '' && isInEnvelope(leaf, index) && !index.isBeside(leaf, recordField);
}

/** Whether a leaf at the root is of an envelope, and not of a person whose fields are beside it. */
const isInEnvelope = (leaf: Leaf, index: LeafIndex): boolean =>
  index.isEnvelope && index.siblingTraitCount(leaf, null) === 0;

/** Whether an `id` is that of a form submission. */
const isSubmissionId = (leaf: Leaf, index: LeafIndex): boolean =>
  leaf.names[0]?.reading.words.join('') === 'id' &&
  !leaf.answer &&
  index.siblings(leaf).some(({ names }) => names[0]?.reading.words[0] === 'submitted');

const numeric = /^\d{1,15}$/;

/** Adds the account and the date to a plain number of a batch item, which is unique within one subscription at most. */
function addScope(candidate: Candidate, leaf: Leaf, index: LeafIndex): Candidate {
  if (!index.splits || !numeric.test(textOf(leaf))) return candidate;
  const beside = index.siblings(leaf).filter((each) => each !== leaf);
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
