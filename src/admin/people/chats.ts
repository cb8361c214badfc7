/** The chats and messages of a contact, for administrators. */
import { AppError } from '../../base/errors.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { ChatView, InboxStore } from '../../store/chats/inbox.ts';
import type { PeopleStore } from '../../store/people/people.ts';

export type ChatDeps = {
  readonly people: Pick<PeopleStore, 'familiesOf'>;
  readonly inbox: Pick<InboxStore, 'readChat' | 'listMessages'>;
};

type Named = { readonly _id: string; readonly name: string; readonly color: string };
const presentNamed = ({ _id, name, color }: Named) => ({ id: _id, name, color });

export const presentChat = (chat: ChatView) => ({
  id: chat._id,
  channelId: chat.channelId,
  contactId: chat.contact?._id ?? chat.contactId,
  status: chat.status,
  test: chat.test !== undefined,
  startedAt: chat.startedAt.toISOString(),
  closedAt: chat.closedAt?.toISOString() ?? null,
  lastMessageAt: chat.lastMessageAt?.toISOString() ?? null,
  unread: chat.unread,
  sector: chat.sector && presentNamed(chat.sector),
  labels: chat.labels.map(presentNamed),
  origin: chat.opening.origin,
  campaign: chat.opening.campaign,
  fields: Object.fromEntries(chat.opening.fields.map(({ name, value }) => [name, value])),
});

export const presentMessage = ({ delivery, ...message }: MessageRecord) => ({
  id: message._id,
  from: message.typeUser,
  text: message.content.message,
  at: message.date.toISOString(),
  eventId: message.eventId,
  webhookId: message.webhookId,
  delivery: delivery ? { state: delivery.state, reason: delivery.reason } : null,
});

export function createChats({ people, inbox }: ChatDeps) {
  /**
   * Returns a chat of the contact. Throws `not_found` if there is no such chat or it belongs to another
   * contact.
   */
  async function get(contactId: string, id: string): Promise<ChatView> {
    const chat = await inbox.readChat(id);
    if (!chat) throw new AppError('not_found');
    const selves = await people.familiesOf([contactId]);
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
