/** The chats and messages of a contact, for administrators. */
import { AppError, orNotFound } from '../../base/errors.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { ChatView } from '../../store/chats/inbox.ts';
import type { ApiContext } from '../context.ts';

/** A message with the agent who wrote it or caused it; null if a program or an event did. */
type MessageView = MessageRecord & { readonly agent: AgentRecord | null };

export function createChats({ agents, people, inbox }: ApiContext) {
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
    async listMessages(contactId: string, id: string, page: Page): Promise<Paged<MessageView>> {
      await get(contactId, id);
      const found = await inbox.listMessages(id, page);
      const ids = new Set(found.results.flatMap(({ agentId }) => agentId ?? []));
      const named = ids.size === 0 ? [] : await agents.getMany([...ids]);
      const byId = new Map(named.map((agent) => [agent._id, agent]));
      const results = found.results.map((message) => ({
        ...message,
        agent: byId.get(message.agentId ?? '') ?? null,
      }));
      return { ...found, results };
    },
  };
}
