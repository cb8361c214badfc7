/** Deliveries of messages to external channels: list, read and retry. */
import { AppError, orNotFound } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { OutboundMessage } from '../../store/chats/deliveries.ts';
import type { AdminDeps } from '../dependencies.ts';

export function createDeliveries({ deliveries }: Pick<AdminDeps, 'deliveries'>) {
  const get = async (id: string): Promise<OutboundMessage> => orNotFound(await deliveries.get(id));

  return {
    list: deliveries.list,
    get,

    /** Takes a dead delivery; throws, with the state, `invalid_transition` for any other. */
    async retry(id: string, actor: Actor): Promise<OutboundMessage> {
      const resent = await deliveries.resend(id, actor);
      if (resent.ok) return resent.value;
      const { state } = (await get(id)).delivery;
      throw new AppError('invalid_transition', { details: { state } });
    },
  };
}
