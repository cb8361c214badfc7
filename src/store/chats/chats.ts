/** The indexes of chats that events rely on. Collection `chats`. */
import { indexesOf } from '../db/connection.ts';

export const chatIndexes = indexesOf('chats', {
  one_open: { key: { contactId: 1, channelId: 1 }, unique: true, where: { open: true } },
});
