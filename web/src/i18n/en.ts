import { merged, type Messages } from './merge-messages.ts';

export const messages = merged(
  import.meta.glob<Messages>('../**/messages.en.json', { eager: true, import: 'default' }),
);
