/** Stores the items of a split body: one transaction for a step of them, which first changes their parent. */
import mongoose from 'mongoose';
import type { EventRecord } from '../../domain/events/event.ts';
import { nativeCollection } from '../db/collection.ts';
import { runCommand } from '../db/command.ts';
import { idIndex } from '../db/queries.ts';
import { isBsonError } from '../db/errors.ts';
import { runSetTransaction, type Tx } from '../sets/set-transaction.ts';
import type { TakenEvent } from '../sets/sets.ts';
import { StaleEvents } from './outcomes.ts';

/** `known`: another event has one of its dedup keys. `same`: an earlier attempt stored it. */
export type ItemResult = 'inserted' | 'known' | 'same';

type Items = {
  readonly token: string;
  readonly parent: TakenEvent;
  readonly items: readonly EventRecord[];
};

/** Whether the record can be written as BSON. */
export function isStorable(record: EventRecord): boolean {
  try {
    mongoose.mongo.BSON.serialize(record, { ignoreUndefined: true });
    return true;
  } catch (error) {
    if (isBsonError(error)) return false;
    throw error;
  }
}

/** Throws StaleEvents when the parent is not as it was taken, and as `runSetTransaction`. */
export function insertItems(tx: Tx, { token, parent, items }: Items): Promise<ItemResult[]> {
  const events = nativeCollection<EventRecord & { lock?: string }>(tx.connection, 'events');
  let isAsTaken = false;
  async function lock(): Promise<void> {
    const { _id, state, fence } = parent;
    const mark = { $set: { lock: `${token}:${items[0]?._id}` } };
    const { matchedCount } = await runCommand(tx, 'update', (options) =>
      events.updateOne({ _id, state, fence }, mark, { ...options, hint: idIndex }),
    );
    isAsTaken = matchedCount === 1;
  }
  return runSetTransaction(tx, { token, eventIds: [], lock }, async () => {
    if (!isAsTaken) throw new StaleEvents('The body was changed while it was split.');
    const results = resultsOf(items, await readKnown(tx, parent, items));
    const fresh = items.filter((_item, index) => results[index] === 'inserted');
    if (fresh.length > 0)
      await runCommand(tx, 'insert', (options) => events.insertMany([...fresh], options));
    return results;
  });
}

type Known = { readonly ids: ReadonlySet<string>; readonly keys: ReadonlySet<string> };

async function readKnown(
  tx: Tx,
  { webhookId }: TakenEvent,
  items: readonly EventRecord[],
): Promise<Known> {
  const events = nativeCollection<EventRecord>(tx.connection, 'events');
  const ids = items.map(({ _id }) => _id);
  const stored = await runCommand(tx, 'find', (options) =>
    events
      .find({ _id: { $in: ids } }, { ...options, projection: { _id: 1 }, hint: idIndex })
      .toArray(),
  );
  const keys = items.flatMap(({ dedupKeys = [] }) => dedupKeys);
  const keyed =
    keys.length === 0
      ? []
      : await runCommand(tx, 'find', (options) =>
          events
            .find(
              // `$type` lets MongoDB use the partial index.
              { webhookId, dedupKeys: { $in: keys, $type: 'string' } },
              { ...options, projection: { dedupKeys: 1 } },
            )
            .toArray(),
        );
  return {
    ids: new Set(stored.map(({ _id }) => _id)),
    keys: new Set(keyed.flatMap(({ dedupKeys = [] }) => dedupKeys)),
  };
}

function resultsOf(items: readonly EventRecord[], { ids, keys }: Known): ItemResult[] {
  const taken = new Set(keys);
  return items.map(({ _id, dedupKeys = [] }) => {
    if (ids.has(_id)) return 'same';
    if (dedupKeys.some((key) => taken.has(key))) return 'known';
    for (const key of dedupKeys) taken.add(key);
    return 'inserted';
  });
}
