import { merged, type Messages } from './merged.ts';

export const messages = merged(
  import.meta.glob<Messages>('../**/words.en.json', { eager: true, import: 'default' }),
);
