/** The chats and messages of a contact, for administrators. */
import { AppError, orNotFound } from '../../base/errors.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { ChatView } from '../../store/chats/inbox.ts';
import type { AdminDeps } from '../dependencies.ts';

export function createChats({ people, inbox }: Pick<AdminDeps, 'people' | 'inbox'>) {
  /**
   * Returns a chat of the contact. Throws `not_found` if there is no such chat or it belongs to another
   * contact.
   */
  async function get(contactId: string, id: string): Promise<ChatView> {
    const chat = orNotFound(await inbox.readChat(id));
    const selves = await people.mergeTreeIds([contactId]);
    if (!selves.includes(chat.contactId)) throw new AppError('not_found');
    return chat;
  }

  return {
    get,
    async listMessages(contactId: string, id: string, page: Page): Promise<Paged<MessageRecord>> {
      await get(contactId, id);
      return inbox.listMessages(id, page);
    },
  };
}
