/** One leaf of a walk: where it is, what it is called, what it holds. */
import type { Scalar } from '../../domain/mappings/mapping.ts';
import { readName as reading } from '../suggest-names/concepts.ts';
import type { NameReading } from '../suggest-names/concepts.ts';
import { isOutgoingFlag } from '../suggest/direction-filter.ts';
import type { Leaf, LeafName } from './leaf.ts';
import { parentPath } from './jmespath.ts';

// Each leaf is weighed for each target; real payloads have at most some hundreds.
const maxLeaves = 1_500;
const maxNamesPerLeaf = 6;
const maxValueLength = 20_000;

/** What is known while walking: the leaves so far, and what ids stand for. */
export interface PayloadWalk {
  readonly leaves: Map<string, Leaf>;
  readonly titles: ReadonlyMap<string, string>;
  readonly outside: boolean;
  /** What says who wrote, by its path. */
  readonly flags: Map<string, boolean[]>;
  nodes: number;
}

export interface WalkPosition {
  readonly path: string;
  readonly keys: readonly string[];
  readonly trail: readonly NameReading[];
  readonly listed: boolean;
  readonly primary: boolean;
  readonly labels: readonly string[];
  /** The object that counts as holding it, where that is not the nearest. */
  readonly owner: string | null;
  /** Where the text is that this was parsed from. */
  readonly text: string | null;
}

function markDirection(
  value: boolean,
  { path, keys, text }: WalkPosition,
  { flags }: PayloadWalk,
): void {
  if (text === null && isOutgoingFlag(keys.at(-1) ?? ''))
    flags.set(path, [...(flags.get(path) ?? []), value]);
}

export function addLeaf(value: Scalar, place: WalkPosition, walk: PayloadWalk): void {
  if (typeof value === 'boolean') markDirection(value, place, walk);
  if (typeof value === 'boolean' || String(value).trim() === '') return;
  if (typeof value === 'string' && value.length > maxValueLength) return;
  const path = place.path === '' ? '@' : place.path;
  const { keys, trail, labels, listed, primary, owner, text } = place;
  const unique = text === null ? path : `${text} → ${path}`;
  const known = walk.leaves.get(unique);
  if (known !== undefined) {
    if (known.values.length < 20) known.values.push(value);
    return;
  }
  if (walk.leaves.size >= maxLeaves) return;
  // A key is part of the trail until it turns out to be the leaf's own.
  const own = keys.length > 0 ? trail.slice(0, -1) : trail;
  walk.leaves.set(unique, {
    path,
    text,
    outside: walk.outside,
    names: namesOf(keys, labels),
    trail: own,
    owner: `${text === null ? '' : `${text} → `}${owner ?? parentPath(path)}`,
    values: [value],
    depth: own.length,
    order: walk.leaves.size,
    answer: labels.length > 0 || isQuestion(keys.at(-1) ?? ''),
    listed,
    primary,
  });
}

// What people ask is written as people write.
const isQuestion = (key: string): boolean => /\?|\S\s+\S+\s+\S/.test(key);

const isSilent = (key: string): boolean => reading(key).concepts.size === 0;

const generic = new Set(
  (
    'name nome nombre id codigo code type tipo title titulo value valor first last full date time label source campaign ' +
    'origem origen uuid description descricao descripcion timestamp stamp given family middle number numero full token'
  ).split(' '),
);

/** The `first` of a `fullName` is a first name. */
const isPartOfName = (own: string, parent: string): boolean =>
  /^(?:first|last)$/i.test(own) && reading(parent).concepts.has('fullName');

function namesOf(keys: readonly string[], labels: readonly string[]): LeafName[] {
  const names: LeafName[] = [];
  const add = (text: string, factor: number): void => {
    if (names.length < maxNamesPerLeaf) names.push({ reading: reading(text), factor, text });
  };
  for (const label of labels) add(label, 1);
  const own = keys.at(-1);
  const parent = keys.at(-2);
  if (own !== undefined) {
    add(own, 1);
    const { words } = reading(own);
    if (parent !== undefined && words.every((word) => generic.has(word)))
      add(isPartOfName(own, parent) ? `name ${own}` : `${parent} ${own}`, 1);
    if (parent !== undefined && words.length === 0) add(parent, 1);
    else if (parent !== undefined && isSilent(own) && reading(parent).concepts.has('message')) {
      add(parent, 0.8);
    }
  }
  return names;
}
