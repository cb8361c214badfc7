/** The transforms that take no options and cannot fail. */
import { noOptions, type Transform } from './transform.ts';

export const trim: Transform = {
  name: 'trim',
  doc: 'Removes blanks from both ends.',
  examples: [{ from: '  Ana ', to: 'Ana' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).trim() }),
};

export const lower: Transform = {
  name: 'lower',
  doc: 'Converts to lower case.',
  examples: [{ from: 'ANA@Example.com', to: 'ana@example.com' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).toLowerCase() }),
};

export const upper: Transform = {
  name: 'upper',
  doc: 'Converts to upper case.',
  examples: [{ from: 'São Paulo', to: 'SÃO PAULO' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).toUpperCase() }),
};

export const digits: Transform = {
  name: 'digits',
  doc: 'Keeps only the digits 0 to 9.',
  examples: [{ from: '123.456.789-09', to: '12345678909' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).replace(/\D/g, '') }),
};
