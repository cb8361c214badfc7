import type { Transform } from '../transforms/transform.ts';
import { noOptions } from '../transforms/transform.ts';

export const lower: Transform = {
  name: 'lower',
  doc: 'Writes every letter small.',
  examples: [{ from: 'ANA@Example.com', to: 'ana@example.com' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).toLowerCase() }),
};
