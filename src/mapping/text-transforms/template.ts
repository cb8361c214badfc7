import { documentProblem } from '../document-problem.ts';
import type { Transform } from '../transforms/transform.ts';
import {
  maxResultLength,
  readOptionPath,
  tooLongProblem,
  optionsSchema,
} from '../transforms/transform.ts';
import { isEmpty, toText } from '../value.ts';

type Options = { text: string };
type Part = { text: string } | { path: string };
type Prepared = { parts: readonly Part[] };

const maxParts = 50;
const self = 'value';

export const template: Transform<Options, Prepared> = {
  name: 'template',
  doc: 'Puts the value into a text. In `text`, {{value}} is replaced by the value, and every other {{…}} by what that path reads in the item. A path that reads nothing, a list or an object is replaced by nothing.',
  examples: [
    { options: { text: 'Lead: {{value}}' }, from: 'Ana', to: 'Lead: Ana' },
    {
      options: { text: '{{value}} ({{lead.city}}), {{lead.tags[0]}}' },
      item: { lead: { city: 'Recife', tags: ['vip'] } },
      from: 'Ana',
      to: 'Ana (Recife), vip',
    },
  ],
  options: optionsSchema({ text: { type: 'string', minLength: 1, maxLength: 4_096 } }, ['text']),
  check({ text }) {
    const parts = partsOf(text);
    if (parts === null) return documentProblem('template_brace', 'A {{ is not closed.');
    return parts.length > maxParts * 2 + 1 + 1
      ? documentProblem(
          'template_too_long',
          `A template has at most ${maxParts} parts in braces.`,
          String(maxParts),
        )
      : null;
  },
  paths: ({ text }) =>
    (partsOf(text) ?? []).flatMap((part) =>
      'path' in part && part.path !== self ? [['text', part.path] as const] : [],
    ),
  prepare: ({ text }) => ({ parts: partsOf(text) ?? [] }),
  apply(value, context) {
    let written = '';
    for (const part of context.options.parts) {
      if ('text' in part) written += part.text;
      else written += write(part.path === self ? value : readOptionPath(context, part.path));
      if (written.length > maxResultLength) return tooLongProblem();
    }
    return { value: written };
  },
};

const write = (found: unknown): string => (isEmpty(found) ? '' : (toText(found)?.trim() ?? ''));

/** Returns the texts and the paths in braces, in order; null when a brace is not closed. */
function partsOf(text: string): Part[] | null {
  const [first = '', ...others] = text.split('{{');
  const parts: Part[] = [{ text: first }];
  for (const other of others) {
    const end = other.indexOf('}}');
    if (end < 0) return null;
    parts.push({ path: other.slice(0, end).trim() }, { text: other.slice(end + 2) });
  }
  return parts;
}
