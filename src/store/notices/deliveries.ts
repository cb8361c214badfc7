/**
 * Deliveries of notices. Collection `notice_deliveries`. They are claimed, retried and finished by the same queue as
 * deliveries of messages.
 */
import { deliveryStates, type DeliveryState } from '../../domain/messages/delivery.ts';
import { noticeKeptDays, type NoticeDelivery } from '../../domain/notices/notice.ts';
import type { Page } from '../../domain/pagination.ts';
import { createDeliveryQueue, createResend } from '../chats/deliveries.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection, type Db } from '../db/connection.ts';
import { anyOf, listIds, readList } from '../db/queries.ts';

const collection = 'notice_deliveries';

export const noticeDeliveryIndexes = indexesOf(collection, {
  due: {
    key: { 'delivery.open': 1, 'delivery.nextAt': 1, channelId: 1 },
    where: { 'delivery.open': true },
  },
  by_creation: { key: { createdAt: -1, _id: -1 } },
  by_delivery: { key: { 'delivery.state': 1, createdAt: -1, _id: -1 } },
  by_target: { key: { channelId: 1, createdAt: -1, _id: -1 } },
  expiry: { key: { createdAt: 1 }, expireAfterSeconds: noticeKeptDays * 86_400 },
});

export const noticeDeliveriesOf = (connection: Connection) =>
  collectionOf<NoticeDelivery>(connection, collection);

type Filter = {
  readonly state?: readonly DeliveryState[] | undefined;
  readonly targetId?: readonly string[] | undefined;
};

export function createNoticeDeliveryStore(context: Db) {
  const { connection } = context;
  const deliveries = noticeDeliveriesOf(connection);
  return {
    ...createDeliveryQueue<NoticeDelivery>(deliveries),

    get: (id: string): Promise<NoticeDelivery | null> => deliveries.findOne({ _id: id }),

    resend: createResend(context, deliveries, ({ channelId }) => ({ noticeTargetId: channelId })),

    findDead: (channelId: string, limit: number): Promise<readonly string[]> =>
      listIds(
        deliveries,
        { channelId, 'delivery.state': 'dead' },
        { sort: { createdAt: 1, _id: 1 }, limit },
      ),

    list: ({ state = deliveryStates, targetId }: Filter, page: Page) =>
      readList(deliveries, {
        where: anyOf({ 'delivery.state': state, channelId: targetId }),
        page,
      }),
  };
}
