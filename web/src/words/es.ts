import { merged, type Messages } from './merged.ts';

export const messages = merged(
  import.meta.glob<Messages>('../**/words.es.json', { eager: true, import: 'default' }),
);
