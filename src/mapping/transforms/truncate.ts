import { documentProblem } from '../document-problem.ts';
import { maxResultLength, optionsSchema, type Transform } from './transform.ts';
import { truncateText } from '../value.ts';

type Options = { length: number; ellipsis?: string };

export const truncate: Transform<Options> = {
  name: 'truncate',
  doc: 'Cuts a text to `length` characters, which include `ellipsis` (… by default) at its end. Never cuts a character in two.',
  examples: [
    { options: { length: 10 }, from: 'Quero saber mais', to: 'Quero sab…' },
    { options: { length: 5, ellipsis: '' }, from: 'Quero saber mais', to: 'Quero' },
    { options: { length: 20 }, from: 'Quero saber mais', to: 'Quero saber mais' },
  ],
  options: optionsSchema(
    {
      length: { type: 'integer', minimum: 1, maximum: maxResultLength },
      ellipsis: { type: 'string', maxLength: 16 },
    },
    ['length'],
  ),
  check: ({ length, ellipsis = '…' }) =>
    ellipsis.length < length
      ? null
      : documentProblem('truncate_ellipsis', 'transform.truncate_ellipsis'),
  apply(value, { options: { length, ellipsis = '…' } }) {
    const text = String(value);
    if (text.length <= length) return { value: text };
    return { value: truncateText(text, length - ellipsis.length).trimEnd() + ellipsis };
  },
};
