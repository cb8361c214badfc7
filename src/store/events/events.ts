/**
 * The events collection: every acknowledged inbound request and its processing.
 *
 * Promises: only the unique index deduplicates; every change of the state raises the fence; every
 * write uses majority and journal.
 * Must never: use a read for a decision that a unique index can make, or pass payload text where MongoDB expects an expression.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import { collectionOf } from '../db/collection.ts';
import { bindTo, indexesOf, type Db } from '../db/connection.ts';
import { createResendBodySaver } from './resend-bodies.ts';
import type { Events } from './state-change.ts';
import { countResends } from './count-resends.ts';
import { endedIndex, groupDeadLetters } from './dead-letters.ts';
import { createManualChanges } from './manual-changes.ts';
import { discardEvents } from './discard.ts';
import { createHeldEvents } from './held.ts';
import { createEventReads, findDoneBodies, streamLatestBodies } from './find-events.ts';
import { bodyIndex, createReceiptReads } from './receipts.ts';
import { insertEvents } from './record-events.ts';
import { replayEvents, findReplayed } from './replay.ts';
import { findExternalIds, listReasonDetails, searchEvents } from './search.ts';
import { countOutcome, countSelection, runIndex, selectEvents } from './selection.ts';
import { findOverdue, takeDueEvents } from './sweep.ts';
import { watchEvents } from './watch-events.ts';

const collection = 'events';

export const eventIndexes = [
  ...indexesOf(collection, {
    dedup: {
      key: { webhookId: 1, dedupKeys: 1 },
      unique: true,
      where: { dedupKeys: { $type: 'string' } },
    },
    // Holds what the counts and the lists of open events show, so that these read no documents.
    due_by_webhook: {
      key: { open: 1, nextAt: 1, webhookId: 1, state: 1, _id: 1 },
      where: { open: true },
    },
    held: { key: { state: 1, webhookId: 1, _id: 1 }, where: { state: 'held' } },
    items: { key: { parentId: 1, itemIndex: 1 }, where: { parentId: { $type: 'string' } } },
    // `$gt: ''` lets queries by value use the index. With `$type`, each query would repeat the condition and sort its results.
    by_external_id: { key: { externalId: 1, _id: -1 }, where: { externalId: { $gt: '' } } },
    by_reason: { key: { reason: 1, _id: -1 }, where: { reason: { $gt: '' } } },
    by_webhook: { key: { webhookId: 1, _id: -1 } },
  }),
  endedIndex,
  bodyIndex,
  runIndex,
];

export type EventStore = ReturnType<typeof createEventStore>;

export function createEventStore(context: Db) {
  const events: Events = collectionOf<EventRecord>(context.connection, collection);
  const store = {
    ...bindTo(events, {
      insert: insertEvents,
      takeDueEvents,
      findOverdue,
      replayMany: replayEvents,
      discardMany: discardEvents,
      findReplayed,
      select: selectEvents,
      countSelection,
      countOutcome,
      groupDeadLetters,
      findDoneBodies,
      findExternalIds,
      listReasonDetails,
    }),
    countResends: countResends(events, createResendBodySaver(context)),
    ...createHeldEvents(events),
    ...createManualChanges(context, events),
    ...createEventReads(events),
    ...searchEvents(events),
    watch: watchEvents(events),
    ...createReceiptReads(events),
  };
  return { ...store, ...bindTo(events, { streamLatestBodies }) };
}
