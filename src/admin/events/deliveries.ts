/** Deliveries of messages to external channels: list, read and retry. */
import { AppError } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { DeliveryStore, OutboundMessage } from '../../store/chats/deliveries.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const presentDelivery = (message: OutboundMessage) => ({
  id: message._id,
  channelId: message.channelId,
  webhookId: message.webhookId,
  eventId: message.eventId,
  contactId: message.contactId,
  chatId: message.chatId,
  state: message.delivery.state,
  reason: message.delivery.reason,
  attempts: message.delivery.attempts,
  nextAt: iso(message.delivery.nextAt),
  createdAt: message.createdAt.toISOString(),
  finishedAt: iso(message.delivery.finishedAt),
});

export type DeliveryAdminDeps = {
  readonly deliveries: Pick<DeliveryStore, 'list' | 'get' | 'resend'>;
};

export function createDeliveries({ deliveries }: DeliveryAdminDeps) {
  async function get(id: string): Promise<OutboundMessage> {
    const message = await deliveries.get(id);
    if (!message) throw new AppError('not_found');
    return message;
  }

  return {
    list: deliveries.list,
    get,

    /** Takes a dead delivery; throws, with the state, `invalid_transition` for any other. */
    async retry(id: string, actor: Actor): Promise<OutboundMessage> {
      const after = await deliveries.resend(id, actor);
      if (after) return after;
      const { state } = (await get(id)).delivery;
      throw new AppError('invalid_transition', { details: { state } });
    },
  };
}
