/** Finds the list of items again when the split of a mapping reads none in a payload. */
import { isJsonObject } from '../../src/base/json/json-values.ts';
import type { Payload } from '../../src/domain/mappings/mapping.ts';
import { compileExpression } from '../../src/mapping/expressions/expression.ts';
import { evaluate } from '../../src/mapping/expressions/interpreter.ts';
import type { WorkBudget } from '../../src/mapping/expressions/work-budget.ts';
import { childPath } from '../leaves/jmespath.ts';
import { keysOf } from './leaves.ts';
import type { Replacement } from './similarity.ts';

type RepairedSplit = {
  /** The items that are compared. Without a split the body is the only one. */
  readonly worked: readonly unknown[];
  readonly failed: readonly unknown[];
  /** The new split, when it differs. */
  readonly path: string | undefined;
  readonly replacements: readonly Replacement[];
};

type Bodies = {
  readonly worked: Payload | null;
  readonly failed: Payload;
  readonly budget: WorkBudget;
};

/** Reads an object as a list of one, and the elements of a list. */
const eachOfList = '[@][]';
const maxDepth = 6;
const maxLists = 100;

export function repairSplit(
  split: string | undefined,
  { worked, failed, budget }: Bodies,
): RepairedSplit {
  if (split === undefined) return withoutSplit(worked, failed);
  const read = (text: string, body: unknown): unknown[] => {
    const compiled = compileExpression(text);
    const items = compiled.ok ? evaluate(compiled.node, body, budget) : null;
    return Array.isArray(items) ? items : [];
  };
  const before = worked ? read(split, worked.body) : [];
  const now = read(split, failed.body);
  if (now.length > 0) return { worked: before, failed: now, path: undefined, replacements: [] };
  const list = likeliestList(failed.body, { split, items: before });
  if (list === null) return { worked: before, failed: [], path: undefined, replacements: [] };
  return {
    worked: before,
    failed: list.items,
    path: `${list.path} || ${split}`,
    replacements: [replacementOf(split, list.path, list.similarity)],
  };
}

function withoutSplit(worked: Payload | null, failed: Payload): RepairedSplit {
  const before = worked ? [worked.body] : [];
  const { body } = failed;
  const isNewList = Array.isArray(body) && body.length > 0 && !Array.isArray(worked?.body);
  if (!isNewList) return { worked: before, failed: [body], path: undefined, replacements: [] };
  return {
    worked: before,
    failed: body as readonly unknown[],
    path: eachOfList,
    replacements: [replacementOf('@', eachOfList, 0.9)],
  };
}

const replacementOf = (from: string, path: string, similarity: number): Replacement => ({
  targets: ['split'],
  from,
  path,
  example: '',
  similarity,
  because: ['value'],
});

type Split = { readonly split: string; readonly items: readonly unknown[] };
type List = {
  readonly path: string;
  readonly items: readonly unknown[];
  readonly similarity: number;
};

/** Returns the list of objects whose name or keys look like those of the items before, or null. */
function likeliestList(body: unknown, { split, items }: Split): List | null {
  const keys = new Set(items.slice(0, 20).flatMap(keysOfObject));
  const name = keysOf(split).at(-1)?.toLowerCase();
  let best: List | null = null;
  for (const { path, list } of listsIn(body)) {
    const own = new Set(list.slice(0, 20).flatMap(keysOfObject));
    const shared = [...own].filter((one) => keys.has(one)).length;
    const all = new Set([...own, ...keys]).size;
    const isNamed = name !== undefined && keysOf(path).at(-1)?.toLowerCase() === name;
    const similarity = (all === 0 ? 0 : 0.6 * (shared / all)) + (isNamed ? 0.39 : 0);
    if (similarity > Math.max(0.35, best?.similarity ?? 0))
      best = { path, items: list, similarity };
  }
  return best && { ...best, similarity: Math.round(best.similarity * 100) / 100 };
}

const keysOfObject = (value: unknown): string[] => (isJsonObject(value) ? Object.keys(value) : []);

function listsIn(body: unknown): { path: string; list: readonly unknown[] }[] {
  const found: { path: string; list: readonly unknown[] }[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (found.length >= maxLists || depth > maxDepth) return;
    if (Array.isArray(value)) {
      if (value.some(isJsonObject)) found.push({ path: path === '' ? '@' : path, list: value });
    } else if (isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value))
        visit(inner, childPath(path, name), depth + 1);
    }
  };
  visit(body, '', 0);
  return found;
}
