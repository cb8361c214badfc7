/** The fields of payloads, as the repair compares them. */
import { collectLeaves } from '../leaves/collect-leaves.ts';
import type { PayloadWalk } from '../leaves/add-leaf.ts';
import type { Leaf, LeafName } from '../leaves/leaf.ts';
import { titlesById } from '../leaves/titles-by-id.ts';
import { readName } from '../names/concepts.ts';
import { pruneSample } from '../prune.ts';

/** Items of a split body that are read. */
const maxItems = 20;

/** Returns the texts and numbers of the items, which are the body itself when it is not split. */
export function leavesOf(body: unknown, items: readonly unknown[]): readonly Leaf[] {
  const walk: PayloadWalk = {
    leaves: new Map(),
    flags: new Map(),
    titles: titlesById(pruneSample(body)),
    outside: false,
    rootDepth: 0,
    nodes: 0,
  };
  for (const item of items.slice(0, maxItems)) collectLeaves(pruneSample(item), [], walk);
  return [...walk.leaves.values()];
}

const key = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([A-Za-z_]\w*)/g;

/** Returns the keys and the names of elements in a path, the outermost first. */
export const keysOf = (path: string): string[] =>
  [...path.matchAll(key)].map(([, quoted, text, plain]) => quoted ?? text ?? plain ?? '');

export const namesOfKey = (name: string): readonly LeafName[] => [
  { reading: readName(name), factor: 1, text: name },
];
