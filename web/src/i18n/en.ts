import { mergeMessages, type Messages } from './merge-messages.ts';

export const messages = mergeMessages(
  import.meta.glob<Messages>('../**/messages.en.json', { eager: true, import: 'default' }),
);
