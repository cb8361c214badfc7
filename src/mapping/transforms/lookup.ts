import type { Scalar } from '../../domain/mappings/mapping.ts';
import { documentProblem } from '../document-problem.ts';
import { optionsSchema, type JsonSchema, type Transform } from './transform.ts';
import { textWith } from '../../base/texts/texts.ts';

type Options = { table: Record<string, Scalar>; default?: Scalar; ignoreCase?: boolean };
type Prepared = {
  rows: ReadonlyMap<string, Scalar>;
  fallback: Scalar | null;
  fold: (text: string) => string;
};

const maxRows = 1_000;
const maxTextLength = 1_024;
const scalar: JsonSchema = { type: ['string', 'number', 'boolean'], maxLength: maxTextLength };

export const lookup: Transform<Options, Prepared> = {
  name: 'lookup',
  doc: 'Replaces the text by its value in `table`. A text that is not in the table becomes `default`, or nothing. With `ignoreCase`, upper and lower case are the same. Blanks at both ends are ignored.',
  examples: [
    { options: { table: { '1': 'Novo', '2': 'Ganho' } }, from: 2, to: 'Ganho' },
    {
      options: { table: { whatsapp: 'WhatsApp' }, default: 'Outro', ignoreCase: true },
      from: ' WHATSAPP',
      to: 'WhatsApp',
    },
    { options: { table: { a: 'A' }, default: 'Outro' }, from: 'x', to: 'Outro' },
  ],
  options: optionsSchema(
    {
      table: {
        type: 'object',
        propertyNames: { type: 'string', maxLength: maxTextLength },
        additionalProperties: scalar,
        minProperties: 1,
        maxProperties: maxRows,
      },
      default: scalar,
      ignoreCase: { type: 'boolean' },
    },
    ['table'],
  ),
  check({ table, ignoreCase }) {
    const fold = foldOf(ignoreCase);
    const keys = new Set<string>();
    const duplicate = Object.keys(table).find((key) => keys.size === keys.add(fold(key)).size);
    return duplicate === undefined
      ? null
      : documentProblem(
          'lookup_twice',
          textWith('transform.lookup_twice', { key: fold(duplicate) }),
          fold(duplicate),
        );
  },
  prepare({ table, default: fallback = null, ignoreCase }) {
    const fold = foldOf(ignoreCase);
    return {
      fold,
      fallback,
      rows: new Map(Object.entries(table).map(([key, to]) => [fold(key), to])),
    };
  },
  apply: (value, { options: { rows, fallback, fold } }) => ({
    value: rows.get(fold(String(value))) ?? fallback,
  }),
};

const foldOf =
  (ignoreCase = false) =>
  (text: string): string =>
    ignoreCase ? text.trim().toLowerCase() : text.trim();
