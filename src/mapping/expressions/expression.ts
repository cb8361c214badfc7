import { compile } from '@jmespath-community/jmespath';
import { documentProblem, type DocumentProblem } from '../document-problem.ts';
import { allowedFunctions } from './functions.ts';
import { arityOf, type Node } from './interpreter.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

/**
 * Bounds of one expression. The parser and the interpreter recurse: 20,000 brackets overflow the stack, 512 characters
 * cannot. The work budget bounds the cost at run time.
 */
export const maxExpressionLength = 512;
const maxExpressionNodes = 160;
const maxExpressionDepth = 48;

const literals = /'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`|"(?:[^"\\]|\\[^])*"/g;

type CompiledExpression = { ok: true; node: Node } | { ok: false; problem: DocumentProblem };

/** Compiles a JMESPath expression and checks that its cost is bounded. Never throws. */
export function compileExpression(text: string): CompiledExpression {
  if (text.length > maxExpressionLength) {
    const message = textWith('expression.too_long', { max: maxExpressionLength });
    return failed(documentProblem('expression_too_long', message, String(maxExpressionLength)));
  }
  // The library accepts a literal without an end and ends it with the expression.
  if (/['`"]/.test(text.replace(literals, ''))) {
    return failed(documentProblem('expression_quote', 'expression.quote'));
  }
  try {
    const node = compile(text);
    const problem = inspect(node);
    return problem === null ? { ok: true, node } : failed(problem);
  } catch (error) {
    const message = textWith('expression.syntax', {
      reason: error instanceof Error ? error.message : '',
    });
    return failed(documentProblem('expression_syntax', message));
  }
}

const failed = (problem: DocumentProblem): CompiledExpression => ({ ok: false, problem });

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Returns the children of a node that are expressions. The value of a literal is data. */
function childrenOf(node: Node): Node[] {
  return node.type === 'Literal' ? [] : Object.values(node).flat().filter(isNode);
}

function inspect(root: Node): DocumentProblem | null {
  const stack: { node: Node; depth: number; isArgument: boolean }[] = [
    { node: root, depth: 1, isArgument: false },
  ];
  let nodes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    nodes += 1;
    if (nodes > maxExpressionNodes) {
      return documentProblem('expression_too_large', 'expression.too_large');
    }
    if (next.depth > maxExpressionDepth) {
      return documentProblem('expression_too_large', 'expression.too_deep');
    }
    const problem = inspectNode(next);
    if (problem !== null) return problem;
    const isArgument = next.node.type === 'Function';
    for (const node of childrenOf(next.node)) {
      stack.push({ node, depth: next.depth + 1, isArgument });
    }
  }
  return null;
}

const unsupported = (message: PublicText): DocumentProblem =>
  documentProblem('expression_unsupported', message);

function inspectNode({
  node,
  isArgument,
}: {
  node: Node;
  isArgument: boolean;
}): DocumentProblem | null {
  if (node.type === 'Function') return inspectCall(node.name, node.children.length);
  if (node.type === 'ExpressionReference' && !isArgument) {
    return unsupported('expression.ampersand');
  }
  // The library evaluates `let` in another interpreter, which does not charge the work budget.
  if (node.type === 'LetExpression' || node.type === 'Variable' || node.type === 'Binding') {
    return unsupported('expression.variables');
  }
  if (node.type === 'Slice' && node.step === 0) {
    return unsupported('expression.slice_step');
  }
  return null;
}

function inspectCall(name: string, count: number): DocumentProblem | null {
  if (!allowedFunctions.has(name)) {
    return documentProblem('expression_function', textWith('expression.function', { name }), name);
  }
  const { least, most } = arityOf(name);
  return count < least || count > most
    ? documentProblem('expression_arguments', textWith('expression.arguments', { name }), name)
    : null;
}
