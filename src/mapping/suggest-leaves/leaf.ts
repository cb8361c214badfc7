import type { Scalar } from '../../domain/mappings/mapping.ts';
import type { NameReading } from '../suggest-names/concepts.ts';

/** One way to read what a leaf is called: its key, its label, the key of what it is in. */
export interface LeafName {
  readonly reading: NameReading;
  /** How far this way is to be believed. */
  readonly factor: number;
  readonly text: string;
}

/** A place in the payloads that holds a text, a number or a truth value. */
export interface Leaf {
  /** JMESPath over the item, or over the body when it stands outside. */
  readonly path: string;
  /** Where the text is, if the leaf is in JSON that is a text; `path` then reads what was parsed. */
  readonly text: string | null;
  readonly outside: boolean;
  readonly names: readonly LeafName[];
  /** What the containers are called, the outermost first. */
  readonly trail: readonly NameReading[];
  /** The object that holds it. */
  readonly owner: string;
  /** Values of all samples that have one. */
  readonly values: Scalar[];
  readonly depth: number;
  /** Its place in the payload: what comes first wins where all else is equal. */
  readonly order: number;
  /** An answer to somebody's question, rather than a field that a program names. */
  readonly answer: boolean;
  /** The first of a list that may have more. */
  readonly listed: boolean;
  /** Said to be the main one of several. */
  readonly primary: boolean;
}

/** The words of what it is called first; none where it has no name. */
export const nameWords = ({ names }: Leaf): string => names[0]?.reading.words.join(' ') ?? '';

export const exampleOf = (leaf: Leaf): Scalar => leaf.values[0] ?? '';

export const textOf = (leaf: Leaf): string => String(exampleOf(leaf)).trim();
