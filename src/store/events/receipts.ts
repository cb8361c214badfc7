/** Finds events for receipts: by dedup keys, and by body when there is no event id. */
import type { EventRecord } from '../../domain/events/event.ts';
import type { IndexSpec } from '../db/connection.ts';
import { withDeadline } from '../db/deadline.ts';
import type { Events } from './state-change.ts';

/** Matches events without an event id that are not items. Only these events are in the index. */
const alone = { externalId: { $type: 'null' }, parentId: { $type: 'null' } } as const;

export const bodyIndex: IndexSpec = {
  collection: 'events',
  name: 'by_body',
  key: { webhookId: 1, bodySha256: 1, receivedAt: -1 },
  where: alone,
};

const shown = {
  externalId: 1,
  dedupKeys: 1,
  state: 1,
  deliveries: 1,
  receivedAt: 1,
  lastSeenAt: 1,
  effects: 1,
} as const;

export type ReceiptEvent = Pick<EventRecord, '_id' | keyof typeof shown>;

const maxFound = 100;

export const createReceiptReads = (events: Events) => ({
  /** Unsorted: MongoDB would else read all events of the webhook by time. `$type` lets it use the partial index. */
  findByDedupKeys: (webhookId: string, keys: readonly string[]): Promise<ReceiptEvent[]> =>
    withDeadline((abort) =>
      events
        .find<ReceiptEvent>(
          { webhookId, dedupKeys: { $in: [...keys], $type: 'string' } },
          { projection: shown, limit: maxFound, ...abort },
        )
        .toArray(),
    ),

  /** Returns at most 100 events with this body, the newest first. Events of tests are excluded. */
  findByBody: (webhookId: string, bodySha256: string): Promise<ReceiptEvent[]> =>
    withDeadline((abort) =>
      events
        .find<ReceiptEvent>(
          { webhookId, bodySha256, ...alone, test: { $exists: false } },
          { projection: shown, sort: { receivedAt: -1 }, limit: maxFound, ...abort },
        )
        .toArray(),
    ),
});
