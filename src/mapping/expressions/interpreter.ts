/**
 * Evaluates JMESPath expressions within a work budget.
 *
 * The library has no limit: nested `$` over 2,000 items took 1.6 s. Every step passes `visit`, which charges the
 * budget; steps that cost more than one unit are charged for more. The result is charged by its size as a tree, so that
 * reading it afterwards is bounded too. Only own properties of objects are read.
 */
import { TreeInterpreter, type JSONValue, type compile } from '@jmespath-community/jmespath';
import { chargeCall } from './functions.ts';
import { charge, chargeTree, createWorkBudget, type WorkBudget } from './work-budget.ts';

export type Node = ReturnType<typeof compile>;

type NodeOf<Type extends string> = Extract<Node, { type: Type }>;
type Result = ReturnType<(typeof TreeInterpreter)['visit']>;

// The library exports one instance and not its class. A subclass leaves that instance as the library made it.
const LibraryInterpreter = TreeInterpreter.constructor as new () => typeof TreeInterpreter;

class BudgetedInterpreter extends LibraryInterpreter {
  private budget: WorkBudget = createWorkBudget();
  // sort_by reads its keys again at every comparison and compares them code point by code point.
  private isSorting = false;
  private emptyObjects: WeakMap<object, boolean> | null = null;

  evaluate(node: Node, value: unknown, budget: WorkBudget): unknown {
    this.budget = budget;
    this.isSorting = false;
    this.emptyObjects = null;
    const result: unknown = this.search(node, value as JSONValue) ?? null;
    if (typeof result === 'object' && result !== null) chargeTree(budget, result);
    return result;
  }

  override visit(node: Node, value: JSONValue): Result {
    charge(this.budget, 1);
    const result = this.visitNode(node, value) as Result;
    if (this.isSorting && typeof result === 'string') charge(this.budget, result.length);
    return result;
  }

  private visitNode(node: Node, value: JSONValue): unknown {
    switch (node.type) {
      case 'Field':
        return ownField(value, node.name);
      case 'Function':
        return this.callFunction(node, value);
      case 'Comparator':
        return this.compare(node, value);
      case 'MultiSelectHash':
        return this.selectHash(node, value);
      case 'FilterProjection':
        return this.filter(node, value);
      case 'OrExpression': {
        const left = this.read(node.left, value);
        return this.isFalseLike(left) ? this.read(node.right, value) : left;
      }
      case 'AndExpression': {
        const left = this.read(node.left, value);
        return this.isFalseLike(left) ? left : this.read(node.right, value);
      }
      case 'NotExpression':
        return this.isFalseLike(this.read(node.child, value));
      case 'Ternary':
        return this.isFalseLike(this.read(node.condition, value))
          ? this.read(node.falseExpr, value)
          : this.read(node.trueExpr, value);
      case 'Slice':
        if (typeof value === 'string') charge(this.budget, value.length);
        return super.visit(node, value);
      case 'Flatten':
        return this.chargeElements(super.visit(node, value));
      default:
        return super.visit(node, value);
    }
  }

  private read(node: Node, value: JSONValue): JSONValue {
    return this.visit(node, value) as JSONValue;
  }

  private chargeElements<Value>(result: Value): Value {
    if (Array.isArray(result)) charge(this.budget, result.length);
    return result;
  }

  private callFunction({ name, children }: NodeOf<'Function'>, value: JSONValue): unknown {
    const args = children.map((child) => this.visit(child, value));
    chargeCall(this.budget, name, args);
    const outer = this.isSorting;
    this.isSorting = name === 'sort_by';
    try {
      return this.chargeElements(this.runtime.callFunction(name, args));
    } finally {
      this.isSorting = outer;
    }
  }

  private compare(node: NodeOf<'Comparator'>, value: JSONValue): unknown {
    if (node.name !== 'EQ' && node.name !== 'NE') return super.visit(node, value);
    const isEqual = this.isEqual(this.read(node.left, value), this.read(node.right, value));
    return node.name === 'EQ' ? isEqual : !isEqual;
  }

  /** Deep equality, charged by the key. */
  private isEqual(left: unknown, right: unknown): boolean {
    if (left === right) return true;
    if (typeof left !== 'object' || typeof right !== 'object') return false;
    if (left === null || right === null || Array.isArray(left) !== Array.isArray(right))
      return false;
    const [leftKeys, rightKeys] = [Object.keys(left), Object.keys(right)];
    charge(this.budget, 1 + 2 * (leftKeys.length + rightKeys.length));
    const rightFields = right as Record<string, unknown>;
    return (
      leftKeys.length === rightKeys.length &&
      Object.entries(left).every(
        ([key, inner]) => Object.hasOwn(right, key) && this.isEqual(inner, rightFields[key]),
      )
    );
  }

  private selectHash(node: NodeOf<'MultiSelectHash'>, value: JSONValue): unknown {
    const selected: Record<string, unknown> = Object.create(null);
    for (const child of node.children) selected[child.name] = this.read(child.value, value);
    return selected;
  }

  private filter(node: NodeOf<'FilterProjection'>, value: JSONValue): unknown {
    const base = this.read(node.left, value);
    if (!Array.isArray(base)) return null;
    const kept: unknown[] = [];
    for (const element of base) {
      if (this.isFalseLike(this.read(node.condition, element))) continue;
      const result = this.read(node.right, element);
      if (result !== null) kept.push(result);
    }
    return kept;
  }

  /** `isFalseLike` with a cache for objects: listing the keys of an object with 50,000 takes milliseconds. */
  private isFalseLike(value: JSONValue): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return isFalseLike(value);
    }
    this.emptyObjects ??= new WeakMap();
    const known = this.emptyObjects.get(value);
    if (known !== undefined) return known;
    const isEmpty = isFalseLike(value);
    this.emptyObjects.set(value, isEmpty);
    return isEmpty;
  }
}

// One instance for the process, because creating one builds the library's table of functions. Evaluation is
// synchronous and not re-entrant, and `evaluate` sets all state of the instance before it starts.
const interpreter = new BudgetedInterpreter();

/**
 * Returns the value of an expression, or null. Its size as a tree is within the budget. Throws the library's errors and
 * WorkBudgetExceeded.
 */
export const evaluate = (node: Node, value: unknown, budget: WorkBudget): unknown =>
  interpreter.evaluate(node, value, budget);

/** Whether JMESPath treats a value as false: null, false, '', an empty list or an empty object. */
export function isFalseLike(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function ownField(value: JSONValue, name: string): JSONValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** How many arguments a function takes; `most` is Infinity for a variadic one. */
export function arityOf(name: string): { least: number; most: number } {
  const signature = interpreter.runtime._functionTable[name]?._signature ?? [];
  const variadic = signature.at(-1)?.variadic ?? false;
  return {
    least: signature.filter((argument) => !argument.optional).length,
    most: variadic ? Infinity : signature.length,
  };
}
