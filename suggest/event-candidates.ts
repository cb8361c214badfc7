/** Candidates for the event's date and type. */
import type { Source, Payload } from '../src/domain/mappings/mapping.ts';
import {
  nameEvidence,
  matchName,
  sourceOfLeaf,
  createCandidate,
  type Candidate,
  type NameMatch,
} from './candidate.ts';
import { exampleOf, nameWords, textOf, type Leaf } from './leaves/leaf.ts';
import { instantKind, typeLikeness } from './leaves/value-shape.ts';
import { matchEventTypeName, type LeafIndex } from './leaf-index.ts';
import { hasConcept, splitWords } from './names/concepts.ts';

export function eventDateCandidates(index: LeafIndex): Candidate[] {
  return index.leaves.flatMap((leaf) => {
    const moment = instantKind(exampleOf(leaf));
    if (moment === null || isNumberOfOther(leaf)) return [];
    const name = matchName(leaf, ['eventDate'], { against: ['past'] });
    const parts = [
      [0.65 * name.weight, nameEvidence(name)],
      [
        moment === 'zoned' ? 0.25 : 0.13,
        moment === 'zoned' ? 'a moment that says its zone' : 'a moment without a zone',
      ],
      [-0.05 * leaf.depth, ''],
      [leaf.outside ? -0.15 : 0, ''],
      [hasConcept(leaf.names[0]?.reading, 'person') ? -0.12 : 0, 'a date of the person'],
      [index.ownership(leaf).score === -1 ? -1 : 0, ''],
    ] as const;
    return [createCandidate(leaf, parts, ['date'])];
  });
}

/** Whether a number of ten or thirteen digits is an id or a phone number, and no timestamp. */
const isNumberOfOther = (leaf: Leaf): boolean =>
  /^\d+$/.test(textOf(leaf)) &&
  matchName(leaf, ['eventDate']).weight === 0 &&
  leaf.names.some(({ reading }) =>
    hasConcept(reading, 'id', 'personId', 'phone', 'mobile', 'document', 'eventId'),
  );

export const eventTypeCandidates = (index: LeafIndex): Candidate[] =>
  index.leaves.flatMap((leaf) => eventTypeOf(leaf, index));

function eventTypeOf(leaf: Leaf, index: LeafIndex): Candidate[] {
  const text = textOf(leaf);
  const named = matchEventTypeName(leaf);
  const name = named.weight > 0 ? named : statusOfSale(leaf, index);
  const likeness = typeLikeness(text);
  // An entry by its number, such as `answers: { 1: { type } }`, has the type of a field.
  const isEntry = leaf.trail.at(-1)?.words.length === 0;
  if (likeness === 0 || leaf.answer || isEntry) return [];
  if (name.weight === 0 && !weakType.test(nameWords(leaf))) return [];
  const isField = name.weight > 0 && name.weight <= 0.4;
  if (isField && !index.splits) return [];
  const entity = name.weight <= 0.7 && /^\w+$/.test(text) ? entityBeside(leaf, index) : undefined;
  const ownership = index.ownership(leaf);
  const candidate = createCandidate(leaf, [
    [0.6 * name.weight + (isField ? 0.25 : 0), nameEvidence(name)],
    [0.2 * likeness, 'looks like a kind of event'],
    [-0.05 * leaf.depth, ''],
    [ownership.score === 0 ? 0 : ownership.score > 0 ? -0.3 : ownership.score, ownership.reason],
    [entity === undefined ? 0 : 0.12, 'beside what it was done to'],
    [/^(?:person|contact|lead|text|page|list|object|company|deal)s?$/i.test(text) ? -0.15 : 0, ''],
  ]);
  return [entity === undefined ? candidate : withEntity(candidate, entity, leaf)];
}

/** Names that may say what happened. */
const weakType =
  /\b(?:event|evento|action|status|state|scope|situacao|estado|etat|statut|stato|kind|type|tipo|method|trigger)\b/;

/** A plain `status` beside a price: the state of a sale is what happened. */
function statusOfSale(leaf: Leaf, index: LeafIndex): NameMatch {
  const isOfSale =
    /^(?:status|situacao|estado)$/.test(nameWords(leaf)) &&
    /^\p{L}/u.test(textOf(leaf)) &&
    index.isBeside(leaf, price);
  return isOfSale ? { weight: 0.7, text: nameWords(leaf) } : { weight: 0, text: '' };
}

const price = /^(?:price|full price|total|total price|amount|valor|preco|precio|transaction)$/;

const entityBeside = (leaf: Leaf, index: LeafIndex): Leaf | undefined =>
  index.siblings(leaf).find((each) => each !== leaf && matchName(each, ['entity']).weight === 1);

/** Joins the entity and the action: `created` beside `lead` gives `lead.created`. */
function withEntity(candidate: Candidate, entity: Leaf, leaf: Leaf): Candidate {
  const source: Source = { join: [sourceOfLeaf(entity), sourceOfLeaf(leaf)], with: '.' };
  const path = `${entity.path} + ${leaf.path}`;
  return { ...candidate, source, path, example: `${textOf(entity)}.${textOf(leaf)}` };
}

const idEndings = [
  'delivery',
  'delivery id',
  'delivery uuid',
  'event id',
  'idempotency',
  'idempotency key',
  'submission id',
  'idempotency token',
  'invocation id',
  'notification id',
  'hook id',
];
const typeEndings = [
  'topic',
  'event',
  'event type',
  'event name',
  'event key',
  'event code',
  'ce type',
  'notification type',
  'webhook type',
  'hook type',
  'webhook event',
  'trigger',
];
/** Of Standard Webhooks, of Svix, and of CloudEvents in binary mode. */
const standardIds = new Set(['webhook-id', 'svix-id', 'ce-id']);

/** Uses only the headers that all samples have. */
export function headerCandidates(samples: readonly Payload[]) {
  const shared = Object.entries(samples[0]?.headers ?? {})
    .filter(([name]) => samples.every(({ headers }) => Object.hasOwn(headers, name)))
    .slice(0, 200);
  const ending = (endings: readonly string[], score: number): Candidate[] =>
    shared.flatMap(([name, value]) => {
      const words = splitWords(name.toLowerCase().replace(/^x-/, '')).slice(-3).join(' ');
      const known = endings.some((each) => words === each || words.endsWith(` ${each}`));
      if (!known || value.length > 200 || /[<>\s]/.test(value)) return [];
      return [headerCandidate(name, value, score)];
    });
  const standard = shared.filter(([name]) => standardIds.has(name.toLowerCase()));
  const types = ending(typeEndings, 0.8);
  return {
    eventId: [
      ...standard.map(([name, value]) => headerCandidate(name, value, 0.9)),
      ...ending(idEndings, 0.65).map((id) => withType(id, types[0])),
    ],
    eventType: types,
  };
}

const headerCandidate = (name: string, value: string, score: number): Candidate => ({
  source: { header: name },
  path: `header ${name}`,
  example: value,
  score,
  evidence: [`the header ${name}`],
  leaf: null,
});

// One action may give several events with the same id and different types, so the type is added.
function withType(id: Candidate, type: Candidate | undefined): Candidate {
  if (type === undefined || !id.path.toLowerCase().endsWith('event-id')) return id;
  return {
    ...id,
    source: { join: [id.source, type.source], with: ':' },
    path: `${id.path} + ${type.path}`,
    example: `${String(id.example)}:${String(type.example)}`,
    evidence: [...id.evidence, 'with the type, since one action may give several events'],
  };
}
