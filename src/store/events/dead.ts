/** Dead letters, gathered by webhook and reason. Read from one small index, which holds only what a replay may take. */
import { startsFrom } from '../../domain/lifecycle.ts';
import type { Page, Paged } from '../../domain/paging.ts';
import { decisive } from '../connection.ts';
import type { IndexSpec } from '../connection.ts';
import { lastDirection, within } from '../model.ts';
import type { Events } from './collection.ts';
import { conditionsOf, type EventFilter } from './filter.ts';

/**
 * All that a group shows and a run counts by, so that no event is read for it; in the order in which a run takes a
 * webhook's events. An event that is done is never in it.
 */
export const endedIndex: IndexSpec = {
  collection: 'events',
  name: 'ended',
  key: {
    state: 1,
    webhookId: 1,
    receivedAt: 1,
    _id: 1,
    reason: 1,
    finishedAt: 1,
    mappingVersion: 1,
  },
  where: { state: startsFrom('replay') },
};

export type DeadFilter = Pick<EventFilter, 'webhookId' | 'reason' | 'from' | 'to'>;

export type DeadGroup = {
  readonly webhookId: string;
  readonly reason: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly mappingVersions: readonly number[];
  /** One of them, to look at. */
  readonly exampleId: string;
};

const maxMs = 20_000;

export function groupDead(events: Events) {
  return async function group(filter: DeadFilter, page: Page): Promise<Paged<DeadGroup>> {
    const { webhookId, reason } = filter;
    const lists = conditionsOf({
      ...(webhookId && { webhookId }),
      ...(reason && { reason }),
      parents: true,
    });
    const direction = lastDirection(page.sort);
    const order = { webhookId: direction, reason: direction };
    const [found] = await events
      .aggregate<{ results: DeadGroup[]; total: { n: number }[] }>(
        [
          { $match: { state: 'dead', ...lists, ...within('receivedAt', filter) } },
          {
            $group: {
              _id: { webhookId: '$webhookId', reason: '$reason' },
              count: { $sum: 1 },
              firstAt: { $min: '$finishedAt' },
              lastAt: { $max: '$finishedAt' },
              mappingVersions: { $addToSet: '$mappingVersion' },
              exampleId: { $max: '$_id' },
            },
          },
          { $set: { webhookId: '$_id.webhookId', reason: '$_id.reason' } },
          {
            $facet: {
              results: [
                { $sort: { ...page.sort, ...order } },
                { $skip: page.skip },
                { $limit: page.limit },
              ],
              total: [{ $count: 'n' }],
            },
          },
        ],
        { hint: endedIndex.name, maxTimeMS: maxMs, ...decisive },
      )
      .toArray();
    return { results: found?.results ?? [], total: found?.total[0]?.n ?? 0 };
  };
}
