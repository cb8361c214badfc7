import type { Scalar } from '../../domain/mappings/mapping.ts';
import { documentProblem } from '../document-problem.ts';
import type { JsonSchema, Transform } from './transform.ts';

type Options = { table: Record<string, Scalar>; default?: Scalar; ignoreCase?: boolean };
type Ready = {
  rows: ReadonlyMap<string, Scalar>;
  fallback: Scalar | null;
  fold: (text: string) => string;
};

const maxRows = 1_000;
const maxTextLength = 1_024;
const scalar: JsonSchema = { type: ['string', 'number', 'boolean'], maxLength: maxTextLength };

export const lookup: Transform<Options, Ready> = {
  name: 'lookup',
  doc: 'Finds the text in `table`. What is not in it becomes `default`, or nothing. With `ignoreCase`, large and small letters are the same. Blanks at the ends do not count.',
  examples: [
    { options: { table: { '1': 'Novo', '2': 'Ganho' } }, from: 2, to: 'Ganho' },
    {
      options: { table: { whatsapp: 'WhatsApp' }, default: 'Outro', ignoreCase: true },
      from: ' WHATSAPP',
      to: 'WhatsApp',
    },
    { options: { table: { a: 'A' }, default: 'Outro' }, from: 'x', to: 'Outro' },
  ],
  options: {
    type: 'object',
    properties: {
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
    required: ['table'],
    additionalProperties: false,
  },
  check({ table, ignoreCase }) {
    const fold = foldOf(ignoreCase);
    const keys = new Set<string>();
    const twice = Object.keys(table).find((key) => keys.size === keys.add(fold(key)).size);
    return twice === undefined
      ? null
      : documentProblem('lookup_twice', `The table has ${fold(twice)} twice.`, fold(twice));
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
