/** Deliveries of notices: list and retry. */
import { AppError, orNotFound } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { NoticeDelivery } from '../../domain/notices/notice.ts';
import type { AdminDeps } from '../dependencies.ts';

type DeliveryDeps = Pick<AdminDeps, 'noticeDeliveries' | 'noticeTargets'>;

/** One call retries at most so many; each has its own audit row. */
export const maxRetried = 100;

export function createNoticeDeliveries({ noticeDeliveries, noticeTargets }: DeliveryDeps) {
  const get = async (id: string): Promise<NoticeDelivery> =>
    orNotFound(await noticeDeliveries.get(id));

  return {
    list: noticeDeliveries.list,
    get,

    /** Takes a dead delivery; throws, with the state, `invalid_transition` for any other. */
    async retry(id: string, actor: Actor): Promise<NoticeDelivery> {
      const resent = await noticeDeliveries.resend(id, actor);
      if (resent.ok) return resent.value;
      const { state } = (await get(id)).delivery;
      throw new AppError('invalid_transition', { details: { state } });
    },

    /** Retries the oldest dead deliveries of a target. Those that another person retries first are skipped. */
    async retryAll(targetId: string, actor: Actor): Promise<{ retried: number; more: boolean }> {
      orNotFound(await noticeTargets.get(targetId));
      const ids = await noticeDeliveries.findDead(targetId, maxRetried + 1);
      let retried = 0;
      for (const id of ids.slice(0, maxRetried)) {
        const resent = await noticeDeliveries.resend(id, actor);
        if (resent.ok) retried += 1;
      }
      return { retried, more: ids.length > maxRetried };
    },
  };
}
