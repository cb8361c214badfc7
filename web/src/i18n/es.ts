import { mergeMessages, type Messages } from './merge-messages.ts';

export const messages = mergeMessages(
  import.meta.glob<Messages>('../**/messages.es.json', { eager: true, import: 'default' }),
);
