import type { Transform } from '../transforms/transform.ts';
import { noOptions } from '../transforms/transform.ts';

export const upper: Transform = {
  name: 'upper',
  doc: 'Converts to upper case.',
  examples: [{ from: 'São Paulo', to: 'SÃO PAULO' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).toUpperCase() }),
};
