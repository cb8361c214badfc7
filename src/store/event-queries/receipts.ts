/** Finds events for receipts: by dedup keys, and by body when there is no event id. */
import type { EventRecord } from '../../domain/events/event.ts';
import { majorityRead, withDeadline, type IndexSpec } from '../db/connection.ts';
import type { Events } from '../events/collection.ts';

/** Standing alone: without an event id, and no item of a body. Only such events pay for the index. */
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

/** As many as are counted. */
const maxFound = 100;

/** In no order: asked for one, MongoDB would rather read the whole webhook by time. The type lets the partial index be used. */
export const findByDedupKeys = (events: Events) => (webhookId: string, keys: readonly string[]) =>
  withDeadline((abort) =>
    events
      .find(
        { webhookId, dedupKeys: { $in: [...keys], $type: 'string' } },
        { ...abort, ...majorityRead },
      )
      .project<ReceiptEvent>(shown)
      .limit(maxFound)
      .toArray(),
  );

/** The newest first, a hundred at most. What a person tried with the same body is none of what was sent. */
export const findByBody = (events: Events) => (webhookId: string, bodySha256: string) =>
  withDeadline((abort) =>
    events
      .find(
        { webhookId, bodySha256, ...alone, test: { $exists: false } },
        {
          ...abort,
          ...majorityRead,
        },
      )
      .project<ReceiptEvent>(shown)
      .sort({ receivedAt: -1 })
      .limit(maxFound)
      .toArray(),
  );
