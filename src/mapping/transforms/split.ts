import { documentProblem } from '../document-problem.ts';
import { maxListLength, transformProblem, optionsSchema, type Transform } from './transform.ts';
import { textWith } from '../../base/texts/texts.ts';

type Options = { by: string; pick?: number; from?: number; to?: number; join?: string };

const position = { type: 'integer', minimum: -maxListLength, maximum: maxListLength };

export const split: Transform<Options> = {
  name: 'split',
  doc: 'Splits a text at every `by` and trims the parts. `pick` returns one part (0 is the first, -1 the last). `from` and `to` (exclusive) return a range, and `join` makes one text of it. Without `pick` and `join` the result is a list: further transforms apply to each element, and each element of a list is a label.',
  examples: [
    { options: { by: ',' }, from: 'lead, vip', to: ['lead', 'vip'] },
    { options: { by: '|', pick: -1 }, from: 'site | campanha | google', to: 'google' },
    { options: { by: ' ', from: 1, join: ' ' }, from: 'Ana Maria Exemplo', to: 'Maria Exemplo' },
  ],
  options: optionsSchema(
    {
      by: { type: 'string', minLength: 1, maxLength: 32 },
      pick: position,
      from: position,
      to: position,
      join: { type: 'string', maxLength: 32 },
    },
    ['by'],
  ),
  check: ({ pick, from, to, join }) =>
    pick !== undefined && (from ?? to ?? join) !== undefined
      ? documentProblem('split_pick', 'transform.split_pick')
      : null,
  apply(value, { options: { by, pick, from, to, join } }) {
    const parts = String(value).split(by, maxListLength + 1);
    if (parts.length > maxListLength) {
      return transformProblem(
        'too_long',
        textWith('problem.too_many_parts', { max: maxListLength }),
      );
    }
    const trimmed = parts.map((part) => part.trim());
    if (pick !== undefined) return { value: trimmed.at(pick) ?? null };
    const some = trimmed.slice(from ?? 0, to);
    return { value: join === undefined ? some : some.join(join) };
  },
};
