import type { Transform } from '../transforms/transform.ts';
import { noOptions } from '../transforms/transform.ts';

export const lower: Transform = {
  name: 'lower',
  doc: 'Converts to lower case.',
  examples: [{ from: 'ANA@Example.com', to: 'ana@example.com' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).toLowerCase() }),
};
