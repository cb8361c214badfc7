import type { Transform } from '../transform.ts';
import { noOptions } from '../transform.ts';

export const trim: Transform = {
  name: 'trim',
  doc: 'Takes blanks from both ends.',
  examples: [{ from: '  Ana ', to: 'Ana' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).trim() }),
};
