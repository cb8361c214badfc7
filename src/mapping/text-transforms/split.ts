import { documentProblem } from '../document-problem.ts';
import type { Transform } from '../transforms/transform.ts';
import { maxListLength, transformProblem } from '../transforms/transform.ts';

type Options = { by: string; pick?: number; from?: number; to?: number; join?: string };

const position = { type: 'integer', minimum: -maxListLength, maximum: maxListLength };

export const split: Transform<Options> = {
  name: 'split',
  doc: 'Cuts a text at every `by` and trims the parts. `pick` takes one of them (0 is the first, -1 the last), `from` and `to` (not included) some, `join` writes them as one text again. What is left is a list: each further transform is applied to each of its texts, and for labels each is a label.',
  examples: [
    { options: { by: ',' }, from: 'lead, vip', to: ['lead', 'vip'] },
    { options: { by: '|', pick: -1 }, from: 'site | campanha | google', to: 'google' },
    { options: { by: ' ', from: 1, join: ' ' }, from: 'Ana Maria Exemplo', to: 'Maria Exemplo' },
  ],
  options: {
    type: 'object',
    properties: {
      by: { type: 'string', minLength: 1, maxLength: 32 },
      pick: position,
      from: position,
      to: position,
      join: { type: 'string', maxLength: 32 },
    },
    required: ['by'],
    additionalProperties: false,
  },
  check: ({ pick, from, to, join }) =>
    pick !== undefined && (from ?? to ?? join) !== undefined
      ? documentProblem('split_pick', 'Beside pick there is nothing to cut or to join.')
      : null,
  apply(value, { options: { by, pick, from, to, join } }) {
    const parts = String(value).split(by, maxListLength + 1);
    if (parts.length > maxListLength) {
      return transformProblem('too_long', `The text has more than ${maxListLength} parts.`);
    }
    const trimmed = parts.map((part) => part.trim());
    if (pick !== undefined) return { value: trimmed.at(pick) ?? null };
    const some = trimmed.slice(from ?? 0, to);
    return { value: join === undefined ? some : some.join(join) };
  },
};
