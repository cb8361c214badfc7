/**
 * Fan-out: a body that holds many items becomes one event for each item.
 *
 * Promises: doing it twice makes the same children, since their ids follow from the parent's and the index; an item
 * that is known already counts as a resend; one that cannot be stored becomes a dead child, never a loss.
 */
import { derivedId, sha256 } from '../base/ids.ts';
import type { EventRecord } from '../domain/event.ts';
import { newEvent } from '../domain/recording.ts';
import type { CompiledMapping } from '../mapping/compile.ts';
import { dedupOf } from '../mapping/dedup.ts';
import { hintAll, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Parent } from './read.ts';

export type FanOutDeps = {
  readonly events: Pick<EventStore, 'insert' | 'countResend'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly now: () => Date;
};

export type FanOut = (parent: Parent, mappings: readonly CompiledMapping[]) => Promise<void>;

export function createFanOut({ events, queue, now }: FanOutDeps): FanOut {
  return async function fanOut(parent, mappings) {
    const children = parent.items.map((item, index) =>
      childOf(parent, { item, index, mappings, now: now() }),
    );
    const results = children.length === 0 ? [] : await events.insert(children);
    const awake: { _id: string; webhookId: string }[] = [];
    for (const [index, child] of children.entries()) {
      const result = results[index];
      if (result === 'inserted') awake.push(child);
      else if (result === 'known') awake.push(...(await resend(child)));
      else if (result !== 'same') await bury(child);
    }
    hintAll(queue, awake);
  };

  async function resend(child: EventRecord) {
    const counted = await events.countResend({
      ...child,
      dedupKeys: child.dedupKeys ?? [],
      revivedState: 'received',
    });
    if (!counted) throw new Error('A known item was gone before it could be counted.');
    return counted.revived ? [{ _id: counted.eventId, webhookId: child.webhookId }] : [];
  }

  /** Without what may have made it unstorable. */
  async function bury({ dedupKeys: _keys, open: _open, ...child }: EventRecord): Promise<void> {
    const reason = 'item_unstorable';
    const at = now();
    const [result] = await events.insert([
      {
        ...child,
        externalId: null,
        state: 'dead',
        reason,
        nextAt: null,
        finishedAt: at,
        timeline: [{ at, state: 'dead', reason }],
      },
    ]);
    if (result instanceof Error) throw result;
  }
}

function childOf(
  { event, payload }: Parent,
  from: { item: unknown; index: number; mappings: readonly CompiledMapping[]; now: Date },
): EventRecord {
  const { externalId, keys } = dedupOf(from.mappings, payload, from.item);
  const text = JSON.stringify(from.item) ?? '';
  return newEvent({
    _id: derivedId('item', event._id, String(from.index)),
    webhookId: event.webhookId,
    channelId: event.channelId,
    externalId,
    dedupKeys: keys,
    delivery: null,
    bodySha256: sha256(text),
    bodyBytes: Buffer.byteLength(text),
    parentId: event._id,
    itemIndex: from.index,
    mappingVersion: event.mappingVersion,
    isHeld: false,
    receivedAt: event.receivedAt,
    now: from.now,
  });
}
