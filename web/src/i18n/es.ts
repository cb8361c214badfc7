import { merged, type Messages } from './merge-messages.ts';

export const messages = merged(
  import.meta.glob<Messages>('../**/messages.es.json', { eager: true, import: 'default' }),
);
