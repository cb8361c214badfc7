/** Dead letters grouped by webhook and reason, read from a small partial index of replayable events. */
import { statesBefore } from '../../domain/events/lifecycle.ts';
import type { Page } from '../../domain/pagination.ts';
import type { IndexSpec } from '../db/connection.ts';
import { tieBreakDirection } from '../db/queries.ts';
import type { Events } from './state-change.ts';
import { eventConditions, type EventFilter } from './event-filter.ts';

/** Holds all that a group shows and a run selects and counts by, so that these read no documents. None are `done`. */
export const endedIndex: IndexSpec = {
  collection: 'events',
  name: 'ended',
  key: {
    state: 1,
    webhookId: 1,
    _id: 1,
    reason: 1,
    finishedAt: 1,
    mappingVersion: 1,
  },
  where: { state: statesBefore('replay') },
};

type DeadLetterFilter = Pick<EventFilter, 'webhookId' | 'reason' | 'from' | 'to'>;

type DeadLetterGroup = {
  readonly webhookId: string;
  readonly reason: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly mappingVersions: readonly number[];
  /** The id of one event of the group. */
  readonly exampleId: string;
};

const maxMs = 20_000;

export async function groupDeadLetters(events: Events, filter: DeadLetterFilter, page: Page) {
  const conditions = eventConditions({ ...filter, parents: true });
  const direction = tieBreakDirection(page.sort);
  const order = { webhookId: direction, reason: direction };
  const [found] = await events
    .aggregate<{ results: DeadLetterGroup[]; total: { n: number }[] }>(
      [
        { $match: { ...conditions, state: 'dead' } },
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
      { hint: endedIndex.name, maxTimeMS: maxMs },
    )
    .toArray();
  return { results: found?.results ?? [], total: found?.total[0]?.n ?? 0 };
}
