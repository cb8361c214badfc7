import type { Scalar } from '../../src/domain/mappings/mapping.ts';
import type { NameReading } from '../names/concepts.ts';

/** One name of a leaf: its key, its label, or its key together with the key of its container. */
export interface LeafName {
  readonly reading: NameReading;
  /** How much this name counts: 0 to 1. */
  readonly factor: number;
  readonly text: string;
}

/** A path in the samples that holds a text or a number. */
export interface Leaf {
  /** JMESPath over the item, or over the body when the leaf is outside of the items. */
  readonly path: string;
  /** The path of the JSON text that contains the leaf, null otherwise. `path` then applies to the parsed text. */
  readonly text: string | null;
  readonly outside: boolean;
  readonly names: readonly LeafName[];
  /** The names of the containers, the outermost first. */
  readonly trail: readonly NameReading[];
  /** The path of the object that contains the leaf. */
  readonly owner: string;
  /** The values in the samples, at most 20. */
  readonly values: Scalar[];
  readonly depth: number;
  /** The position in the payload. Of candidates with the same score, the first wins. */
  readonly order: number;
  /** Whether the leaf is the answer of a form. */
  readonly answer: boolean;
  /** Whether the leaf is in the first element of a list. */
  readonly listed: boolean;
  /** Whether a flag marks it as the main one of several. */
  readonly primary: boolean;
}

/** Returns the words of the first name; '' when there is none. */
export const nameWords = ({ names }: Leaf): string => names[0]?.reading.words.join(' ') ?? '';

export const exampleOf = (leaf: Leaf): Scalar => leaf.values[0] ?? '';

export const textOf = (leaf: Leaf): string => String(exampleOf(leaf)).trim();
