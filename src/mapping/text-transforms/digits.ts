import type { Transform } from '../transforms/transform.ts';
import { noOptions } from '../transforms/transform.ts';

export const digits: Transform = {
  name: 'digits',
  doc: 'Keeps only the digits 0 to 9.',
  examples: [{ from: '123.456.789-09', to: '12345678909' }],
  options: noOptions,
  apply: (value) => ({ value: String(value).replace(/\D/g, '') }),
};
