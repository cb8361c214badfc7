/** Maps JSON pointers to positions in the editor text, and positions to parts of the document. */
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { parsePointer } from '../../api/json-pointer.ts';
import type { JsonPath } from './schema-lookup.ts';

const values = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

const textAt = (state: EditorState, node: SyntaxNode): string => state.sliceDoc(node.from, node.to);

export function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild('PropertyName');
  const text = name ? textAt(state, name) : '""';
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replaceAll('"', '');
  }
}

function* partsOf(node: SyntaxNode): Iterable<SyntaxNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child;
}

const elementsOf = (list: SyntaxNode): SyntaxNode[] =>
  [...partsOf(list)].filter(({ name }) => values.has(name));

/** The path from the root to this node. */
export function pathTo(state: EditorState, node: SyntaxNode): JsonPath {
  const steps: (string | number)[] = [];
  for (let each: SyntaxNode | null = node; each; each = each.parent) {
    if (each.name === 'Property') steps.push(nameOf(state, each));
    else if (each.parent?.name === 'Array') {
      const { from } = each;
      steps.push(elementsOf(each.parent).filter((element) => element.to <= from).length);
    }
  }
  return steps.toReversed();
}

type Range = { readonly from: number; readonly to: number };

/** The nearest node of a JSON pointer: a missing part maps to its parent. */
export function rangeAt(state: EditorState, pointer: string): Range {
  let node = firstValue(syntaxTree(state).topNode);
  let range: Range = { from: 0, to: Math.min(1, state.doc.length) };
  for (const step of parsePointer(pointer)) {
    const found = node && partAt(state, node, step);
    if (!found) break;
    range = { from: found.from, to: found.to };
    node = firstValue(found);
  }
  return range;
}

const firstValue = (node: SyntaxNode): SyntaxNode | undefined =>
  values.has(node.name) ? node : elementsOf(node)[0];

function partAt(state: EditorState, node: SyntaxNode, step: string): SyntaxNode | undefined {
  if (node.name === 'Array') return elementsOf(node)[Number(step)];
  if (node.name !== 'Object') return undefined;
  return node.getChildren('Property').find((property) => nameOf(state, property) === step);
}

export type Cursor = {
  /** What is typed at the cursor: a property name or a value. */
  readonly kind: 'name' | 'value';
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
  /** The path of the object that gets the name, or of the value. */
  readonly steps: JsonPath;
  /** Names that the object already has. */
  readonly existingNames: readonly string[];
};

const containerOf = (node: SyntaxNode): SyntaxNode | null => {
  let each: SyntaxNode | null = node;
  while (each && each.name !== 'Object' && each.name !== 'Array') each = each.parent;
  return each;
};

/** Null when nothing can be typed here. */
export function cursorAt(state: EditorState, position: number): Cursor | null {
  const inner = syntaxTree(state).resolveInner(position, -1);
  const isQuoted = inner.name === 'String' || inner.name === 'PropertyName';
  const word = /[\w-]*$/.exec(state.sliceDoc(Math.max(0, position - 80), position))?.[0] ?? '';
  const from = isQuoted ? inner.from : position - word.length;
  const to = isQuoted ? inner.to : position;
  const sign = state.sliceDoc(0, from).trimEnd().at(-1);
  const around = isQuoted ? inner.parent : inner;
  const container = around && containerOf(around);
  if (!container) return null;
  const base = { from, to, isQuoted, existingNames: namesIn(state, container) };
  if (container.name === 'Array' && (sign === '[' || sign === ',')) {
    const before = elementsOf(container).filter((element) => element.to <= from).length;
    return { ...base, kind: 'value', steps: [...pathTo(state, container), before] };
  }
  if (container.name !== 'Object') return null;
  if (sign === '{' || sign === ',') {
    return { ...base, kind: 'name', steps: pathTo(state, container) };
  }
  const property = container.getChildren('Property').findLast((each) => each.from < from);
  if (sign !== ':' || !property) return null;
  return { ...base, kind: 'value', steps: [...pathTo(state, container), nameOf(state, property)] };
}

const namesIn = (state: EditorState, container: SyntaxNode): string[] =>
  container.getChildren('Property').map((property) => nameOf(state, property));
