/** How much a field of a payload looks like one that is gone: by its name, its value and its place. */
import type { Scalar } from '../../src/domain/mappings/mapping.ts';
import {
  documentLikeness,
  instantKind,
  isEmail,
  isUrl,
  isUuid,
  nameLikeness,
  phoneLikeness,
} from '../leaves/value-shape.ts';
import type { LeafName } from '../leaves/leaf.ts';

type Evidence = 'name' | 'value' | 'place';

/** A field as it is compared. */
export type Field = {
  readonly names: readonly LeafName[];
  /** The keys of its path, the outermost first. */
  readonly keys: readonly string[];
  /** Undefined when no payload that worked is known. */
  readonly value: Scalar | undefined;
  readonly kind: ValueKind | undefined;
};

export type ValueKind =
  | 'email'
  | 'phone'
  | 'document'
  | 'uuid'
  | 'url'
  | 'date'
  | 'number'
  | 'boolean'
  | 'name'
  | 'text';

/** A value of one of these kinds is not taken for a value of another kind. */
const distinct = new Set<ValueKind>(['email', 'phone', 'uuid', 'url', 'date', 'boolean']);

export function kindOfValue(value: Scalar, region: string): ValueKind {
  const text = String(value).trim();
  if (typeof value === 'boolean') return 'boolean';
  if (isEmail(text)) return 'email';
  if (isUuid(text)) return 'uuid';
  if (isUrl(text)) return 'url';
  if (instantKind(value) !== null || /^\d{4}-\d{2}-\d{2}$/.test(text)) return 'date';
  if (documentLikeness(text, region) >= 0.8) return 'document';
  if (phoneLikeness(text, region) > 0) return 'phone';
  if (/^-?\d+(?:[.,]\d+)?$/.test(text)) return 'number';
  return nameLikeness(text) > 0 ? 'name' : 'text';
}

export const isDistinct = (kind: ValueKind): boolean => distinct.has(kind);

const weights: Readonly<Record<Evidence, number>> = { name: 0.5, value: 0.25, place: 0.25 };
/** An evidence below this part of its weight is not reported. */
const reportedFrom = 0.6;

type Similarity = { readonly score: number; readonly because: Evidence[] };

/** Returns a score from 0 to 1, or null when the value is of another kind. */
export function similarityOf(gone: Field, found: Field): Similarity | null {
  const value = valueSimilarity(gone, found);
  if (value === null) return null;
  const parts = {
    name: nameSimilarity(gone, found),
    value,
    place: placeSimilarity(gone.keys, found.keys),
  };
  const evidence = Object.keys(weights) as Evidence[];
  return {
    score: evidence.reduce((sum, name) => sum + weights[name] * parts[name], 0),
    because: evidence.filter((name) => parts[name] >= reportedFrom),
  };
}

function valueSimilarity(gone: Field, found: Field): number | null {
  const [before, now] = [gone.kind, found.kind];
  if (before === undefined || now === undefined) return 0;
  if (String(gone.value).trim() === String(found.value).trim()) return 1;
  if (before === now) return isDistinct(before) ? 0.9 : 0.7;
  return isDistinct(before) || isDistinct(now) ? null : 0.2;
}

function nameSimilarity(gone: Field, found: Field): number {
  const [before, now] = [gone.keys.at(-1) ?? '', found.keys.at(-1) ?? ''];
  if (before !== '' && plain(before) === plain(now)) return 1;
  let best = 0;
  for (const one of gone.names)
    for (const other of found.names) best = Math.max(best, sharedMeaning(one, other));
  return best;
}

const plain = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function sharedMeaning({ reading: one }: LeafName, { reading: other }: LeafName): number {
  let concept = 0;
  for (const [name, weight] of one.concepts)
    concept = Math.max(concept, Math.min(weight, other.concepts.get(name) ?? 0));
  const words = new Set([...one.words, ...other.words]);
  const shared = one.words.filter((word) => other.words.includes(word)).length;
  return Math.max(concept * 0.9, words.size === 0 ? 0 : (shared / words.size) * 0.8);
}

/** An object that moved as a whole, or that was put into another one, keeps the end of its path. */
function placeSimilarity(gone: readonly string[], found: readonly string[]): number {
  const [before, now] = [gone.slice(0, -1), found.slice(0, -1)];
  let shared = 0;
  while (
    shared < Math.min(before.length, now.length) &&
    before.at(-1 - shared) === now.at(-1 - shared)
  )
    shared += 1;
  if (shared === before.length && shared === now.length) return 1;
  const least = Math.min(before.length, now.length);
  return shared === least ? 0.8 : shared / Math.max(before.length, now.length, 1);
}

/** A path that is gone, and the one that replaces it. */
export type Replacement = {
  /** The targets that read the path. */
  targets: string[];
  /** The path that is gone. */
  readonly from: string;
  readonly path: string;
  readonly example: Scalar;
  /** From 0 to 1. */
  readonly similarity: number;
  because: Evidence[];
};
