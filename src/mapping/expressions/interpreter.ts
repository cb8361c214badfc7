/**
 * Evaluates JMESPath with the library's interpreter, under a meter.
 *
 * The library has no limit of its own: nested `$` over 2,000 items took 1.6 s. Every step passes `visit`, so that is
 * where the work is counted; what costs more than a step is charged for more. Fields are read as own properties only.
 * Evaluation is synchronous and not re-entrant, so one interpreter serves all; its state is set by every search.
 */
import { TreeInterpreter } from '@jmespath-community/jmespath';
import type { JSONValue, compile } from '@jmespath-community/jmespath';
import { chargeCall } from './functions.ts';
import type { WorkBudget } from './work-budget.ts';
import { charge, createWorkBudget } from './work-budget.ts';

export type Node = ReturnType<typeof compile>;

type Visit = (typeof TreeInterpreter)['visit'];
type NodeOf<Type extends string> = Extract<Node, { type: Type }>;

// The class itself is not exported. An own instance keeps the shared one as the library made it.
const Interpreter = TreeInterpreter.constructor as new () => typeof TreeInterpreter;
const interpreter = new Interpreter();
const visitPlainly: Visit = interpreter.visit.bind(interpreter);
const callPlainly = interpreter.runtime.callFunction.bind(interpreter.runtime);

let meter: WorkBudget = createWorkBudget();
// sort_by reads its keys again at every comparison and compares them code point by code point.
let sorting = false;
let emptiness = new WeakMap<object, boolean>();

/** The value of an expression. Throws what the library throws, and WorkExceeded. */
export function evaluate(node: Node, value: unknown, available: WorkBudget): unknown {
  meter = available;
  sorting = false;
  emptiness = new WeakMap();
  return interpreter.search(node, value as JSONValue) ?? null;
}

interpreter.visit = (node, value) => {
  charge(meter, 1);
  const result = visitMetered(node, value as JSONValue) as ReturnType<Visit>;
  if (sorting && typeof result === 'string') charge(meter, result.length);
  return result;
};

interpreter.runtime.callFunction = (name, args) => {
  chargeCall(meter, name, args);
  const outer = sorting;
  sorting = name === 'sort_by';
  try {
    const result = callPlainly(name, args);
    if (Array.isArray(result)) charge(meter, result.length);
    return result;
  } finally {
    sorting = outer;
  }
};

function visitMetered(node: Node, value: JSONValue): unknown {
  switch (node.type) {
    case 'Field':
      return ownField(value, node.name);
    case 'Comparator':
      return compare(node, value);
    case 'MultiSelectHash':
      return selectHash(node, value);
    case 'FilterProjection':
      return filter(node, value);
    case 'OrExpression': {
      const left = read(node.left, value);
      return isFalseLike(left) ? read(node.right, value) : left;
    }
    case 'AndExpression': {
      const left = read(node.left, value);
      return isFalseLike(left) ? left : read(node.right, value);
    }
    case 'NotExpression':
      return isFalseLike(read(node.child, value));
    case 'Ternary':
      return read(isFalseLike(read(node.condition, value)) ? node.falseExpr : node.trueExpr, value);
    case 'Slice':
      if (typeof value === 'string') charge(meter, value.length);
      return visitPlainly(node, value);
    case 'Flatten':
      return charged(visitPlainly(node, value));
    default:
      return visitPlainly(node, value);
  }
}

const read = (node: Node, value: JSONValue): JSONValue =>
  interpreter.visit(node, value) as JSONValue;

function charged(result: unknown): unknown {
  if (Array.isArray(result)) charge(meter, result.length);
  return result;
}

function ownField(value: JSONValue, name: string): JSONValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function compare(node: NodeOf<'Comparator'>, value: JSONValue): unknown {
  if (node.name !== 'EQ' && node.name !== 'NE') return visitPlainly(node, value);
  const same = isSame(read(node.left, value), read(node.right, value));
  return node.name === 'EQ' ? same : !same;
}

/** Deep equality, charged by the key. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false;
  const [keys, others] = [Object.keys(left), Object.keys(right)];
  charge(meter, 1 + 2 * (keys.length + others.length));
  const rightFields = right as Record<string, unknown>;
  return (
    keys.length === others.length &&
    Object.entries(left).every(
      ([key, inner]) => Object.hasOwn(right, key) && isSame(inner, rightFields[key]),
    )
  );
}

function selectHash(node: NodeOf<'MultiSelectHash'>, value: JSONValue): unknown {
  const selected: Record<string, unknown> = Object.create(null);
  for (const child of node.children) selected[child.name] = read(child.value, value);
  return selected;
}

function filter(node: NodeOf<'FilterProjection'>, value: JSONValue): unknown {
  const base = read(node.left, value);
  if (!Array.isArray(base)) return null;
  const kept: unknown[] = [];
  for (const each of base) {
    if (isFalseLike(read(node.condition, each))) continue;
    const result = read(node.right, each);
    if (result !== null) kept.push(result);
  }
  return kept;
}

/** JMESPath's idea of false: null, false, and what is empty. */
export function isFalseLike(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  // Remembered, because asking an object of 50,000 keys takes milliseconds.
  const known = emptiness.get(value);
  if (known !== undefined) return known;
  const empty = Object.keys(value).length === 0;
  emptiness.set(value, empty);
  return empty;
}

/** How many arguments a function takes. */
export function arityOf(name: string): { least: number; most: number } {
  const signature = interpreter.runtime._functionTable[name]?._signature ?? [];
  const variadic = signature.at(-1)?.variadic ?? false;
  return {
    least: signature.filter((argument) => !argument.optional).length,
    most: variadic ? Infinity : signature.length,
  };
}
