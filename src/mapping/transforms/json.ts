import { jsonInBase64, quoteUnsafeNumbers } from '../../base/json/json-text.ts';
import { readOptionPath, transformProblem, optionsSchema, type Transform } from './transform.ts';
import { textWith } from '../../base/texts/texts.ts';

type Options = { path?: string };

// The parser recurses and costs most on brackets, so both are bounded before it runs.
const maxLength = 262_144;
const maxDepth = 64;
const currentNode = '@';

export const json: Transform<Options> = {
  name: 'json',
  doc: 'Parses a text as JSON, also in base64, and returns what `path` (JMESPath) reads in it, or the whole. A list or an object is not parsed again. Identifiers keep all their digits.',
  examples: [
    { options: { path: 'lead.name' }, from: '{"lead":{"name":"Ana"}}', to: 'Ana' },
    {
      options: { path: '[-1].id' },
      from: '[{"id":1},{"id":90071992547409931}]',
      to: '90071992547409931',
    },
    { options: { path: 'name' }, from: { name: 'Ana' }, to: 'Ana' },
    { options: { path: 'name' }, from: 'eyJuYW1lIjoiQW5hIn0=', to: 'Ana' },
    { from: '["lead","vip"]', to: ['lead', 'vip'] },
  ],
  options: optionsSchema({ path: { type: 'string', minLength: 1, maxLength: 512 } }),
  workOf: (length) => 40 + length / 4,
  paths: ({ path }) => (path === undefined ? [] : [['path', path]]),
  apply(value, context) {
    const { path } = context.options;
    const text = jsonInBase64(String(value)) ?? String(value);
    if (text.length > maxLength || depthOf(text) > maxDepth) {
      return transformProblem(
        'too_long',
        textWith('problem.json_too_large', { characters: maxLength, levels: maxDepth }),
      );
    }
    const parsed = parse(text);
    if (parsed === undefined) return transformProblem('invalid_json', 'problem.invalid_json');
    if (path === undefined || path === currentNode) return { value: parsed };
    const isTree = typeof parsed === 'object' && parsed !== null;
    return { value: isTree ? readOptionPath(context, path, parsed) : null };
  },
  applyToTree(value, context) {
    const { path } = context.options;
    return { value: path === undefined ? value : readOptionPath(context, path, value) };
  },
};

function parse(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return /\d{16}/.test(text) ? JSON.parse(quoteUnsafeNumbers(text)) : parsed;
  } catch {
    return undefined;
  }
}

/** Returns how deep brackets nest, outside of strings. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const bracket of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    const [mark] = bracket;
    if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
