/** Adds one leaf: its path, its names and its values. */
import type { Scalar } from '../../src/domain/mappings/mapping.ts';
import { isPlaceholder } from '../../src/domain/people/placeholder.ts';
import { readName, splitWords, type NameReading } from '../names/concepts.ts';
import { lastKey, parentPath } from './jmespath.ts';
import type { Leaf, LeafName } from './leaf.ts';

// Flags that are true when the receiver itself wrote the message.
const outgoingFlag = /^(?:from me|is outgoing|outgoing|is echo)$/;
// Flags that are true when the message is not in a chat with one person.
const groupFlag = /^(?:is )?(?:group|group msg|group message|newsletter|broadcast|status reply)$/;
// Each leaf is scored for each target. Real payloads have at most a few hundred.
const maxLeaves = 1_500;
const maxNamesPerLeaf = 6;
const maxValueLength = 20_000;
const maxValues = 20;

/** The state of a walk over the samples. */
export interface PayloadWalk {
  readonly leaves: Map<string, Leaf>;
  readonly titles: ReadonlyMap<string, string>;
  readonly outside: boolean;
  /** How many keys are around the samples. */
  readonly rootDepth: number;
  /** By path, the values of flags that mark outgoing messages, and those in groups. */
  readonly flags: Map<string, boolean[]>;
  nodes: number;
}

/** A position in a sample. */
export interface WalkPosition {
  readonly path: string;
  readonly keys: readonly string[];
  readonly trail: readonly NameReading[];
  readonly listed: boolean;
  readonly primary: boolean;
  readonly labels: readonly string[];
  /** The object that counts as the owner, when it is not the nearest one. */
  readonly owner: string | null;
  /** The path of the text that this was parsed from; null for the body itself. */
  readonly text: string | null;
}

const isZero = (value: Scalar | undefined): boolean => String(value).trim() === '0';

function markDirection(
  value: boolean,
  { path, keys, text }: WalkPosition,
  { flags }: PayloadWalk,
): void {
  const name = splitWords(keys.at(-1) ?? '').join(' ');
  if (text === null && (outgoingFlag.test(name) || groupFlag.test(name)))
    flags.set(path, [...(flags.get(path) ?? []), value]);
}

/** Whether the last key of a path names a flag of messages that are not in a chat with one person. */
export const isGroupFlag = (path: string): boolean =>
  groupFlag.test(splitWords(lastKey(path)).join(' '));

/** Whether a text stands for "no value". A zero may be an amount. */
const isNoValue = (value: Scalar): boolean =>
  typeof value === 'string' && !/\d/.test(value) && isPlaceholder(value, 'name');

/**
 * Adds a value to the leaf at its path. Booleans only count as flags; empty and very long texts are left out, and those that stand for
 * "no value". An id of 0 gives way to another value as the example.
 */
export function addLeaf(value: Scalar, position: WalkPosition, walk: PayloadWalk): void {
  if (typeof value === 'boolean') markDirection(value, position, walk);
  if (typeof value === 'boolean' || String(value).trim() === '') return;
  if (typeof value === 'string' && value.length > maxValueLength) return;
  if (isNoValue(value)) return;
  const path = position.path === '' ? '@' : position.path;
  const { keys, trail, labels, listed, primary, owner, text } = position;
  const unique = text === null ? path : `${text} → ${path}`;
  const known = walk.leaves.get(unique);
  if (known !== undefined) {
    if (known.values.length >= maxValues) return;
    if (isZero(known.values[0]) && !isZero(value)) known.values.unshift(value);
    else known.values.push(value);
    return;
  }
  if (walk.leaves.size >= maxLeaves) return;
  // The last key is the leaf's own name, not a container.
  const own = keys.length > 0 ? trail.slice(0, -1) : trail;
  walk.leaves.set(unique, {
    path,
    text,
    outside: walk.outside,
    names: namesOf(keys, labels),
    trail: own,
    owner: `${text === null ? '' : `${text} → `}${owner ?? parentPath(path)}`,
    values: [value],
    depth: Math.max(own.length - walk.rootDepth, 0),
    order: walk.leaves.size,
    answer: labels.length > 0 || isQuestion(keys.at(-1) ?? ''),
    listed,
    primary,
  });
}

// A key with a question mark or with several words is a question of a form.
const isQuestion = (key: string): boolean => /\?|\S\s+\S+\s+\S/.test(key);

const hasNoConcept = (key: string): boolean => readName(key).concepts.size === 0;

const generic = new Set(
  (
    'name nome nombre id codigo code type tipo title titulo value valor first last full date time label source campaign ' +
    'origem origen uuid description descricao descripcion timestamp stamp given family middle number numero full token'
  ).split(' '),
);

/** Whether `first` and `last`, or `given` and `family`, are parts of a name. */
const isPartOfName = (own: string, parent: string): boolean =>
  /^(?:first|last)$/i.test(own)
    ? readName(parent).concepts.has('fullName')
    : /^(?:given|family)$/i.test(own) && /^names?$/i.test(parent);

function namesOf(keys: readonly string[], labels: readonly string[]): LeafName[] {
  const names: LeafName[] = [];
  const add = (text: string, factor: number): void => {
    if (names.length < maxNamesPerLeaf) names.push({ reading: readName(text), factor, text });
  };
  for (const label of labels) add(label, 1);
  const own = keys.at(-1);
  const parent = keys.at(-2);
  if (own !== undefined) {
    add(own, 1);
    const { words } = readName(own);
    if (parent !== undefined && words.every((word) => generic.has(word)))
      add(isPartOfName(own, parent) ? `name ${own}` : `${parent} ${own}`, 1);
    if (parent !== undefined && words.length === 0) add(parent, 1);
    else if (
      parent !== undefined &&
      hasNoConcept(own) &&
      readName(parent).concepts.has('message')
    ) {
      add(parent, 0.8);
    }
  }
  return names;
}
