import type { Transform } from '../transforms/transform.ts';
import { noOptions } from '../transforms/transform.ts';

export const trim: Transform = {
  name: 'trim',
  doc: 'Removes blanks from both ends.',
  examples: [{ from: '  Ana ', to: 'Ana' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).trim() }),
};
