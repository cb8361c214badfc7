import { compile } from '@jmespath-community/jmespath';
import { allowedFunctions } from './functions.ts';
import { arityOf } from './interpreter.ts';
import type { Node } from './interpreter.ts';

/**
 * Bounds of one expression. The parser and the interpreter recurse, and 20,000 brackets overflow the stack: 512
 * characters cannot. What an expression may cost at run time is the meter's business.
 */
export const maxExpressionLength = 512;
const maxExpressionNodes = 160;
const maxExpressionDepth = 48;

const literals = /'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`|"(?:[^"\\]|\\[^])*"/g;

export type CompiledExpression = { ok: true; node: Node } | { ok: false; message: string };

export function compileExpression(text: string): CompiledExpression {
  if (text.length > maxExpressionLength) {
    return refuse(`An expression has at most ${maxExpressionLength} characters.`);
  }
  // The library takes a literal that never ends as one that ends with the expression.
  if (/['`"]/.test(text.replace(literals, ''))) return refuse('A quote is not closed.');
  try {
    const node = compile(text);
    const message = inspect(node);
    return message === null ? { ok: true, node } : refuse(message);
  } catch (error) {
    return refuse(`Not a JMESPath expression: ${error instanceof Error ? error.message : ''}`);
  }
}

const refuse = (message: string): CompiledExpression => ({ ok: false, message });

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** The children of a node that are expressions; a literal's value is data. */
function childrenOf(node: Node): Node[] {
  return node.type === 'Literal' ? [] : Object.values(node).flat().filter(isNode);
}

function inspect(root: Node): string | null {
  const stack: { node: Node; depth: number; inCall: boolean }[] = [
    { node: root, depth: 1, inCall: false },
  ];
  let nodes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    nodes += 1;
    if (nodes > maxExpressionNodes) return 'The expression has too many parts.';
    if (next.depth > maxExpressionDepth) return 'The expression nests too deep.';
    const problem = inspectNode(next.node, next.inCall);
    if (problem !== null) return problem;
    const inCall = next.node.type === 'Function';
    for (const node of childrenOf(next.node)) stack.push({ node, depth: next.depth + 1, inCall });
  }
  return null;
}

function inspectNode(node: Node, inCall: boolean): string | null {
  if (node.type === 'Function') return inspectCall(node.name, node.children.length);
  if (node.type === 'ExpressionReference' && !inCall) return '& stands only before an argument.';
  // Each `let` would make an interpreter of its own, outside the meter.
  if (node.type === 'LetExpression' || node.type === 'Variable' || node.type === 'Binding') {
    return 'Variables are not supported.';
  }
  if (node.type === 'Slice' && node.step === 0) return 'The step of a slice cannot be 0.';
  return null;
}

function inspectCall(name: string, count: number): string | null {
  if (!allowedFunctions.has(name)) return `The function ${name} is not available.`;
  const { least, most } = arityOf(name);
  return count < least || count > most
    ? `The function ${name} has the wrong number of arguments.`
    : null;
}
