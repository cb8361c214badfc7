/** What the evaluation of notices reads of the whole installation. Every read is bounded, in documents and in time. */
import type { EventRecord } from '../../domain/events/event.ts';
import { allWebhooks } from '../../domain/stats.ts';
import type { PathKey, Webhook } from '../../domain/webhooks/webhook.ts';
import { collectionOf, type Connection } from '../db/connection.ts';
import { mapStoreErrors } from '../db/errors.ts';
import { listIds } from '../db/queries.ts';
import type { StatsRecord } from '../counters/stats.ts';
import { endedIndex } from '../event-queries/dead-letters.ts';
import { maxBacklog } from '../event-queries/find-events.ts';
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

export const createObservationStore = (connection: Connection) =>
  mapStoreErrors({ ...createCountReads(connection), ...createWebhookReads(connection) });

function createCountReads(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');
  const stats = collectionOf<StatsRecord>(connection, 'stats');

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
      const found = await stats
        .aggregate<{ _id: string; received: number; dead: number }>(
          [
            { $match: { unit: 'hour', at: { $gte: since } } },
            { $limit: maxBuckets },
            {
              $group: {
                _id: '$webhookId',
                received: { $sum: '$received' },
                dead: { $sum: '$dead' },
              },
            },
          ],
          { hint: 'by_size', maxTimeMS },
        )
        .toArray();
      return found
        .filter(({ _id }) => _id !== allWebhooks)
        .map(({ _id: webhookId, ...counts }) => ({ webhookId, ...counts }));
    },

    async hoursWithEvents(
      webhookId: string,
      { from, to }: { readonly from: Date; readonly to: Date },
    ): Promise<Date[]> {
      const found = await stats
        .find(
          { webhookId, unit: 'hour', at: { $gte: from, $lte: to }, received: { $gt: 0 } },
          { projection: { at: 1 }, hint: 'by_webhook', maxTimeMS },
        )
        .toArray();
      return found.map(({ at }) => at);
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
