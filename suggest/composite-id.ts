/**
 * An event id that is composed, for payloads that name none: the id of the record with what happened to it and when. Without an event id each
 * resend is a second message.
 *
 * Must never: give two events of one record the same id. Where nothing tells two updates apart, there is no id.
 */
import { matchName, sourceOfLeaf, type Candidate } from './candidate.ts';
import { hasConcept, splitWords, type Concept } from './names/concepts.ts';
import type { LeafIndex } from './leaf-index.ts';
import { nameWords, textOf, type Leaf } from './leaves/leaf.ts';
import { instantKind, isIdentifier, isUrl } from './leaves/value-shape.ts';

/** Above the level from which on an event id is filled, and below every id that a sender names. */
const score = 0.62;
const minTypeScore = 0.5;

interface Found {
  readonly types: readonly Candidate[];
  readonly dates: readonly Candidate[];
}

/** Returns one candidate, or none. */
export function compositeEventIds(index: LeafIndex, { types, dates }: Found): Candidate[] {
  const record = recordOf(index);
  if (record === undefined) return [];
  const { leaf, isOfPerson } = record;
  const event = index.splits ? eventAround(index) : undefined;
  if (event !== undefined) return [compose([fromLeaf(event), fromLeaf(leaf)])];
  const type = types.find((each) => each.score >= minTypeScore && each.leaf !== leaf);
  const state = index.siblings(leaf).find(isState);
  const kind = type ?? (state === undefined ? undefined : fromLeaf(state));
  const moment = momentOf(index, dates);
  if (!areTold({ record, type, state, moment })) return [];
  if (isOfPerson && kind === undefined) return [];
  return [compose([fromLeaf(leaf), kind, moment].filter((part) => part !== undefined))];
}

type Part = Pick<Candidate, 'source' | 'path' | 'example'>;

interface Parts {
  readonly record: RecordId;
  readonly type: Candidate | undefined;
  readonly state: Leaf | undefined;
  readonly moment: Part | undefined;
}

/** Whether the parts tell two events of the record apart. */
function areTold({ record, type, state, moment }: Parts): boolean {
  if (moment !== undefined) return true;
  const { leaf, isOfPerson } = record;
  if (type !== undefined) return isOnce(type) && (!isOfPerson || isOfItself(type, leaf));
  // An order has several events.
  if (matchName(leaf, ['submissionId']).weight > 0.88) return true;
  return state !== undefined && hasConcept(leaf.trail.at(-1), 'matter');
}

const fromLeaf = (leaf: Leaf): Part => ({
  source: sourceOfLeaf(leaf),
  path: leaf.path,
  example: textOf(leaf),
});

function compose(parts: readonly Part[]): Candidate {
  const [only] = parts;
  return {
    source:
      parts.length === 1 && only !== undefined
        ? only.source
        : { join: parts.map(({ source }) => asWritten(source)), with: ':' },
    path: parts.map(({ path }) => path).join(' + '),
    example: parts.map(({ example }) => String(example)).join(':'),
    score,
    evidence: ['the id of the record, with what happened to it and when'],
    leaf: null,
  };
}

/** A date is as good a part as it is written. */
function asWritten(source: Part['source']): Part['source'] {
  if (!('path' in source)) return source;
  const { path, root, transforms } = source;
  const json = transforms?.filter((each) => typeof each === 'object' && 'json' in each) ?? [];
  return { path, ...(root && { root }), ...(json.length > 0 && { transforms: json }) };
}

interface RecordId {
  readonly leaf: Leaf;
  /** Whether the record is the person, to whom more than one thing happens. */
  readonly isOfPerson: boolean;
}

/** Returns the id of what happened: of a submission or an order, of the record at the root, or of the person. */
function recordOf(index: LeafIndex): RecordId | undefined {
  const [best] = index.leaves
    .filter((leaf) => !leaf.outside && !leaf.answer && !leaf.listed && isId(leaf, index))
    .map((leaf) => ({ leaf, rank: rankOf(leaf, index) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank);
  return best && { leaf: best.leaf, isOfPerson: best.rank <= 1 };
}

function isId(leaf: Leaf, index: LeafIndex): boolean {
  const text = textOf(leaf);
  if (!isIdentifier(text) || !/\d/.test(text) || isUrl(text)) return false;
  return instantKind(text) === null && !index.isOwnAddress(leaf) && index.phoneLikeness(text) < 0.9;
}

const others: readonly Concept[] = ['actor', 'thing', 'form', 'past', 'relation'];
const plainId = /^(?:id|oid|uid|uuid|guid|entity id|object id|record id)$/;
const plainCode = /^(?:codigo|code)$/;

function rankOf(leaf: Leaf, index: LeafIndex): number {
  const words = nameWords(leaf);
  const container = leaf.trail.at(-1);
  const submission = matchName(leaf, ['submissionId'], { against: ['actor', 'past'] }).weight;
  const { score: ownership } = index.ownership(leaf);
  const isMatter =
    hasConcept(container, 'matter') &&
    !hasConcept(container, 'origin', 'campaign', 'actor', 'past', 'person', 'deal');
  // All who come to a session have its id.
  const isShared = /\bsession\b/.test(words);
  if (submission > 0.8 && !isShared && (ownership >= 0 || isMatter)) return 3 - leaf.depth / 10;
  const isAtRoot = leaf.depth === 0 || isMatter;
  if (plainId.test(words) && isAtRoot) return 2.5 - leaf.depth / 10;
  if (plainCode.test(words) && isAtRoot && textOf(leaf).length > 3) return 2.3 - leaf.depth / 10;
  const person = matchName(leaf, ['personId'], { against: others }).weight;
  const isOfPerson = plainId.test(words) ? ownership > 0 : person > 0.8 && ownership >= 0;
  return isOfPerson ? 1 - leaf.depth / 20 : 0;
}

/** Returns the id of the event around the items, which all of them have. */
const eventAround = (index: LeafIndex): Leaf | undefined =>
  index.leaves.find(
    (leaf) => leaf.outside && matchName(leaf, ['eventId']).weight > 0.8 && isId(leaf, index),
  );

const isState = (leaf: Leaf): boolean =>
  /^(?:status|situacao|estado|state|stage|etapa|statut|stato|durum)$/.test(nameWords(leaf)) &&
  /^[\p{L}\d][\p{L}\d _.-]{0,60}$/u.test(textOf(leaf));

/** What happens to a record once. */
const isOnceWord = (word: string): boolean =>
  /^(?:creat|new|nov[oa]$|nuev|submi|regist|signup|add(?:ed)?$|placed|inscri|cadastr|insert|criad|cread|enrol|paid|pag[oa]|pagad|approv|aprov|aprob|cancel|refund|reembols|conclu|confirm|fulfil|won$|ganh|lost$|perdid)/.test(
    word,
  );
const isOnce = ({ example }: Part): boolean => splitWords(String(example)).some(isOnceWord);

/** Whether what happened is that the record itself came to be: `contact.created`, and not `message.created` beside a contact. */
function isOfItself({ example }: Part, leaf: Leaf): boolean {
  const own = new Set([...nameWords(leaf).split(' '), ...(leaf.trail.at(-1)?.words ?? [])]);
  const rest = splitWords(String(example)).filter((word) => !isOnceWord(word));
  return rest.every((word) => own.has(word) || own.has(word.replace(/s$/, '')));
}

const updated =
  /\b(?:updated?|modified|changed|atualizad[oa]|atualizacao|actualizad[oa]|actualizacion|alterad[oa]|modification|geandert|aktualisiert|last update)\b/;
/** Dates of the record that are the same in its next event. */
const stays =
  /\b(?:creat\w*|criad[oa]|criacao|cread[oa]|creacion|birth\w*|nasc\w*|due|start\w*|end\w*|inicio|fim|regist\w*|cadastr\w*|subscribed|signup|joined|first|arrival|departure|datetime|erstellt|cree)\b/;

function momentOf(index: LeafIndex, dates: readonly Candidate[]): Part | undefined {
  const last = index.leaves.find(
    (leaf) =>
      !leaf.outside &&
      updated.test(nameWords(leaf)) &&
      instantKind(textOf(leaf)) !== null &&
      index.ownership(leaf).score > -0.5,
  );
  if (last !== undefined) return fromLeaf(last);
  return dates.find(
    ({ leaf, score: sure }) =>
      leaf !== null && !leaf.outside && sure >= minTypeScore && !stays.test(nameWords(leaf)),
  );
}
