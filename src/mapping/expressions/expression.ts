import { compile } from '@jmespath-community/jmespath';
import { documentProblem } from '../document-problem.ts';
import type { DocumentProblem } from '../document-problem.ts';
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

export type CompiledExpression = { ok: true; node: Node } | { ok: false; fault: DocumentProblem };

export function compileExpression(text: string): CompiledExpression {
  if (text.length > maxExpressionLength) {
    const message = `An expression has at most ${maxExpressionLength} characters.`;
    return refuse(documentProblem('expression_too_long', message, String(maxExpressionLength)));
  }
  // The library takes a literal that never ends as one that ends with the expression.
  if (/['`"]/.test(text.replace(literals, ''))) {
    return refuse(documentProblem('expression_quote', 'A quote is not closed.'));
  }
  try {
    const node = compile(text);
    const found = inspect(node);
    return found === null ? { ok: true, node } : refuse(found);
  } catch (error) {
    const message = `Not a JMESPath expression: ${error instanceof Error ? error.message : ''}`;
    return refuse(documentProblem('expression_syntax', message));
  }
}

const refuse = (found: DocumentProblem): CompiledExpression => ({ ok: false, fault: found });

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** The children of a node that are expressions; a literal's value is data. */
function childrenOf(node: Node): Node[] {
  return node.type === 'Literal' ? [] : Object.values(node).flat().filter(isNode);
}

function inspect(root: Node): DocumentProblem | null {
  const stack: { node: Node; depth: number; inCall: boolean }[] = [
    { node: root, depth: 1, inCall: false },
  ];
  let nodes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    nodes += 1;
    if (nodes > maxExpressionNodes) {
      return documentProblem('expression_too_large', 'The expression has too many parts.');
    }
    if (next.depth > maxExpressionDepth) {
      return documentProblem('expression_too_large', 'The expression nests too deep.');
    }
    const problem = inspectNode(next.node, next.inCall);
    if (problem !== null) return problem;
    const inCall = next.node.type === 'Function';
    for (const node of childrenOf(next.node)) stack.push({ node, depth: next.depth + 1, inCall });
  }
  return null;
}

const unsupported = (message: string): DocumentProblem =>
  documentProblem('expression_unsupported', message);

function inspectNode(node: Node, inCall: boolean): DocumentProblem | null {
  if (node.type === 'Function') return inspectCall(node.name, node.children.length);
  if (node.type === 'ExpressionReference' && !inCall) {
    return unsupported('& stands only before an argument.');
  }
  // Each `let` would make an interpreter of its own, outside the meter.
  if (node.type === 'LetExpression' || node.type === 'Variable' || node.type === 'Binding') {
    return unsupported('Variables are not supported.');
  }
  if (node.type === 'Slice' && node.step === 0) {
    return unsupported('The step of a slice cannot be 0.');
  }
  return null;
}

function inspectCall(name: string, count: number): DocumentProblem | null {
  if (!allowedFunctions.has(name)) {
    return documentProblem('expression_function', `The function ${name} is not available.`, name);
  }
  const { least, most } = arityOf(name);
  return count < least || count > most
    ? documentProblem(
        'expression_arguments',
        `The function ${name} has the wrong number of arguments.`,
        name,
      )
    : null;
}
