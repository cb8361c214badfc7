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
    const ends = new Map<string, number>();
    const valid = keys
      .find({ webhookId: { $in: [...webhookIds] }, ...validKeyConditions(now) }, { maxTimeMS })
      .project<Pick<PathKey, 'webhookId' | 'expiresAt'>>({ webhookId: 1, expiresAt: 1 });
    for await (const { webhookId, expiresAt } of valid) {
      ends.set(webhookId, Math.max(ends.get(webhookId) ?? 0, expiresAt ? +expiresAt : Infinity));
    }
    return ends;
  }

  return {
    /** Keys of archived webhooks are left out: they accept nothing. */
    async listEndingKeys(now: Date, before: Date) {
      const found = await keys
        .find(
          { revokedAt: null, expiresAt: { $gt: now, $lt: before } },
          { limit: maxKeys, hint: 'by_end', maxTimeMS },
        )
        .toArray();
      const webhookIds = [...new Set(found.map(({ webhookId }) => webhookId))];
      const [archived, ends] = await Promise.all([
        listIds(webhooks, { _id: { $in: webhookIds }, status: 'archived' }),
        lastEnds(webhookIds, now),
      ]);
      return found.flatMap(({ expiresAt, ...key }) => {
        if (!expiresAt || archived.includes(key.webhookId)) return [];
        return [{ ...key, expiresAt, hasSuccessor: (ends.get(key.webhookId) ?? 0) > +expiresAt }];
      });
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
