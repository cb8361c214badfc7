/**
 * What destinations report about sent messages, applied to their deliveries. Collection `messages`.
 *
 * Promises: a report changes the delivery that it was read for or nothing, and ends the claim of an attempt that is in progress,
 * whose outcome it replaces.
 */
import type { MessageDelivery } from '../../domain/messages/delivery.ts';
import {
  settledBy,
  type DeliveryStatus,
  type SettledDelivery,
} from '../../domain/messages/delivery-status.ts';
import { collectionOf } from '../db/collection.ts';
import type { Db } from '../db/connection.ts';
import { literal } from '../db/queries.ts';
import type { OutboundMessage } from './deliveries.ts';

type Report = { readonly channelId: string; readonly status: DeliveryStatus };

/**
 * `applied`: the delivery agrees with the report. `early`: the outcome of an attempt is not recorded yet, or another process
 * changed the delivery. `unknown`: the channel has no message with this id.
 */
export type ReportResult = 'applied' | 'early' | 'unknown';

type Sent = Pick<OutboundMessage, '_id' | 'channelId' | 'delivery'>;

const settleStage = ({ state, reason, reported, externalId }: SettledDelivery) => ({
  $set: {
    'delivery.state': state,
    'delivery.reason': literal(reason),
    'delivery.reported': reported,
    'delivery.externalId': literal(externalId),
    'delivery.isUnknown': false,
    'delivery.token': '$$REMOVE',
    'delivery.nextAt': null,
    'delivery.finishedAt': { $ifNull: ['$delivery.finishedAt', '$$NOW'] },
    'delivery.open': '$$REMOVE',
  },
});

/** Matches the delivery as it was read. */
const unchanged = ({ fence, state, externalId, reported }: MessageDelivery) => ({
  'delivery.fence': fence,
  'delivery.state': state,
  'delivery.externalId': externalId ?? { $exists: false },
  'delivery.reported': reported ?? { $exists: false },
});

const projection = { channelId: 1, delivery: 1 } as const;

const isSent = { 'delivery.fence': { $gt: 0 } } as const;

const messagesOf = (db: Db) => collectionOf<OutboundMessage>(db.connection, 'messages');

/** Applies reports of any channels. Returns the results in their order. */
export async function applyDeliveryStatuses(
  db: Db,
  reports: readonly Report[],
): Promise<readonly ReportResult[]> {
  const sentBy = await find(db, reports);
  const byMessage = new Map<string, { readonly sent: Sent; readonly indexes: number[] }>();
  for (const [index, report] of reports.entries()) {
    const sent = sentBy(report);
    if (!sent) continue;
    const group = byMessage.get(sent._id) ?? { sent, indexes: [] };
    group.indexes.push(index);
    byMessage.set(sent._id, group);
  }
  const results: ReportResult[] = reports.map(() => 'unknown');
  const groups = [...byMessage.values()].map(async ({ sent, indexes }) => {
    const statuses = indexes.flatMap((index) => reports[index]?.status ?? []);
    const applied = await apply(db, sent, statuses);
    for (const [at, index] of indexes.entries()) results[index] = applied[at] ?? 'early';
  });
  await Promise.all(groups);
  return results;
}

async function find(
  db: Db,
  reports: readonly Report[],
): Promise<(report: Report) => Sent | undefined> {
  const ids = reports.flatMap(({ status }) => status.messageId ?? []);
  const externalIds = reports.map(({ status }) => status.externalId);
  const channelIds = [...new Set(reports.map(({ channelId }) => channelId))];
  const [byId, byExternalId] = await Promise.all([
    messagesOf(db)
      .find<Sent>({ _id: { $in: ids }, ...isSent }, { projection })
      .toArray(),
    messagesOf(db)
      .find<Sent>(
        { 'delivery.externalId': { $in: externalIds }, channelId: { $in: channelIds } },
        { projection },
      )
      .toArray(),
  ]);
  const named = new Map(byId.map((one) => [`${one.channelId} ${one._id}`, one]));
  const known = new Map(
    byExternalId.map((one) => [`${one.channelId} ${one.delivery.externalId}`, one]),
  );
  return ({ channelId, status: { messageId, externalId } }) =>
    named.get(`${channelId} ${messageId}`) ?? known.get(`${channelId} ${externalId}`);
}

async function apply(
  db: Db,
  sent: Sent,
  statuses: readonly DeliveryStatus[],
): Promise<ReportResult[]> {
  const results: ReportResult[] = [];
  let { delivery } = sent;
  for (const status of statuses) {
    const settled = settledBy(delivery, status);
    if (settled === 'early') results.push('early');
    else if (settled === null) results.push('applied');
    else {
      const { matchedCount } = await messagesOf(db).updateOne(
        { _id: sent._id, ...unchanged(delivery) },
        [settleStage(settled)],
      );
      results.push(matchedCount === 1 ? 'applied' : 'early');
      if (matchedCount === 1) delivery = { ...delivery, ...settled, isUnknown: false };
    }
  }
  return results;
}
