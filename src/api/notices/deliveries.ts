/** Deliveries of notices: list and retry. */
import { orNotFound } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { NoticeDelivery } from '../../domain/notices/notice.ts';
import type { ApiContext } from '../context.ts';
import { createRetry } from '../channels/deliveries.ts';

type DeliveryDeps = Pick<ApiContext, 'noticeDeliveries' | 'noticeTargets'>;

/** One call retries at most so many; each has its own audit row. */
export const maxRetried = 100;

export const createNoticeDeliveries = ({ noticeDeliveries, noticeTargets }: DeliveryDeps) => ({
  list: noticeDeliveries.list,
  get: async (id: string): Promise<NoticeDelivery> => orNotFound(await noticeDeliveries.get(id)),
  retry: createRetry(noticeDeliveries),

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
});
