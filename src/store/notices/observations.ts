/** What the evaluation of notices reads of the whole installation. Every read is bounded, in documents and in time. */
import type { EventRecord } from '../../domain/events/event.ts';
import { allWebhooks } from '../../domain/stats.ts';
import type { PathKey, Webhook } from '../../domain/webhooks/webhook.ts';
import { collectionOf } from '../db/collection.ts';
import type { Connection } from '../db/connection.ts';
import { listIds } from '../db/queries.ts';
import { hourStatsOf, readOpenHours, type StatsRange } from '../counters/hour-stats.ts';
import { statsCollection, statsOf } from '../counters/rolled-up-stats.ts';
import { endedIndex } from '../events/dead-letters.ts';
import { maxBacklog } from '../events/find-events.ts';
import { keysOf, validKeyConditions } from '../webhooks/keys.ts';
import { webhooksOf } from '../webhooks/records.ts';

const maxTimeMS = 10_000;
const maxGroups = 5_000;
const maxBuckets = 50_000;
const maxKeys = 1_000;
/** With those of archived webhooks. */
const maxReadKeys = 10_000;

type DeadGroup = { readonly webhookId: string; readonly reason: string; readonly count: number };

/** `isComplete`: no dead letter was left out. */
type DeadGroups = { readonly groups: readonly DeadGroup[]; readonly isComplete: boolean };

export const createObservationStore = (connection: Connection) => ({
  ...createCountReads(connection),
  ...createWebhookReads(connection),
});

function createCountReads(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');

  return {
    /** Counts dead events by webhook and reason, among the first 100,000. */
    async groupDead(): Promise<DeadGroups> {
      type Group = { _id: { webhookId: string; reason: string | null }; count: number };
      const found = await events
        .aggregate<Group>(
          [
            { $match: { state: 'dead' } },
            { $limit: maxBacklog },
            {
              $group: {
                _id: { webhookId: '$webhookId', reason: '$reason' },
                count: { $sum: 1 },
              },
            },
            { $limit: maxGroups },
          ],
          { hint: endedIndex.name, maxTimeMS },
        )
        .toArray();
      const groups = found.map(({ _id, count }) => ({ ..._id, reason: _id.reason ?? '', count }));
      const total = groups.reduce((sum, { count }) => sum + count, 0);
      return { groups, isComplete: total < maxBacklog && groups.length < maxGroups };
    },

    async countRecent(since: Date) {
      const match = { $match: { at: { $gte: since }, webhookId: { $ne: allWebhooks } } };
      const fields = { $project: { webhookId: 1, at: 1, received: 1, dead: 1 } };
      const rolledUp = [{ $match: { unit: 'hour' } }, match, { $limit: maxBuckets }, fields];
      const found = await hourStatsOf(connection)
        .aggregate<{ _id: string; received: number; dead: number }>(
          [
            { $match: { open: true } },
            match,
            { $limit: maxBuckets },
            fields,
            { $unionWith: { coll: statsCollection, pipeline: rolledUp } },
            // An open hour has all that is rolled up of it.
            {
              $group: {
                _id: { webhookId: '$webhookId', at: '$at' },
                received: { $max: '$received' },
                dead: { $max: '$dead' },
              },
            },
            {
              $group: {
                _id: '$_id.webhookId',
                received: { $sum: '$received' },
                dead: { $sum: '$dead' },
              },
            },
          ],
          { hint: 'open', maxTimeMS },
        )
        .toArray();
      return found.map(({ _id: webhookId, ...counts }) => ({ webhookId, ...counts }));
    },

    async hoursWithEvents(webhookId: string, range: StatsRange): Promise<Date[]> {
      const open = await readOpenHours(connection, [webhookId], range);
      const rolledUp = await statsOf(connection)
        .find(
          {
            webhookId,
            unit: 'hour',
            at: { $gte: range.from, $lt: range.to },
            received: { $gt: 0 },
          },
          { projection: { at: 1 }, hint: 'by_webhook', maxTimeMS },
        )
        .toArray();
      const hours = [...open.filter(({ received = 0 }) => received > 0), ...rolledUp];
      return [...new Set(hours.map(({ at }) => +at))].map((at) => new Date(at));
    },
  };
}

function createWebhookReads(connection: Connection) {
  const keys = keysOf(connection);
  const webhooks = webhooksOf(connection);

  /** Returns when the last valid key of each webhook ends. */
  async function lastEnds(
    webhookIds: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, number>> {
    type End = { readonly _id: string; readonly isEndless: boolean; readonly last: Date | null };
    const ends = await keys
      .aggregate<End>(
        [
          { $match: { webhookId: { $in: [...webhookIds] }, ...validKeyConditions(now) } },
          {
            $group: {
              _id: '$webhookId',
              isEndless: { $max: { $lte: ['$expiresAt', null] } },
              last: { $max: '$expiresAt' },
            },
          },
        ],
        { maxTimeMS },
      )
      .toArray();
    return new Map(
      ends.map(({ _id, isEndless, last }) => [_id, isEndless ? Infinity : Number(last)]),
    );
  }

  return {
    /** Keys of archived webhooks are left out: they accept nothing. `isComplete`: no other key was left out. */
    async listEndingKeys(now: Date, before: Date) {
      const found = await keys
        .find(
          { revokedAt: null, expiresAt: { $gt: now, $lt: before } },
          { sort: { expiresAt: 1 }, limit: maxReadKeys, hint: 'by_end', maxTimeMS },
        )
        .toArray();
      const idsOf = (some: readonly PathKey[]) => [
        ...new Set(some.map(({ webhookId }) => webhookId)),
      ];
      const archived = new Set(
        await listIds(webhooks, { _id: { $in: idsOf(found) }, status: 'archived' }),
      );
      const accepting = found.filter(({ webhookId }) => !archived.has(webhookId));
      const first = accepting.slice(0, maxKeys);
      const ends = await lastEnds(idsOf(first), now);
      const ending = first.flatMap(({ expiresAt, ...key }) => {
        if (!expiresAt) return [];
        return [{ ...key, expiresAt, hasSuccessor: (ends.get(key.webhookId) ?? 0) > +expiresAt }];
      });
      const isComplete = found.length < maxReadKeys && accepting.length <= maxKeys;
      return { keys: ending, isComplete };
    },

    listActive: (
      afterId: string,
      limit: number,
    ): Promise<Pick<Webhook, '_id' | 'activeVersion'>[]> =>
      webhooks
        .find(
          { status: 'active', _id: { $gt: afterId } },
          { projection: { activeVersion: 1 }, sort: { _id: 1 }, limit, hint: 'by_status' },
        )
        .toArray(),
  };
}
