/**
 * Compares a candidate mapping with the active version over the last stored events.
 *
 * Promises: no effects. Limited in events and bytes. Yields to other requests between two events.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Diff, DiffKind } from '../../domain/mappings/mapping-diff.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MappedEvent, Payload } from '../../domain/mappings/mapping.ts';
import { emptyEvent } from '../../mapping/evaluation/apply.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import { diffEvents } from '../../mapping/evaluation/diff-events.ts';
import { previewMapping } from '../../mapping/evaluation/preview.ts';
import { storedValue } from '../../producers/stored-body.ts';

type DiffItem = Diff & {
  readonly eventId: string;
  readonly externalId: string | null;
  /** Index of the item in a body that either mapping splits; null for other bodies. */
  readonly item: number | null;
};

export type MappingDiff = {
  readonly counts: Readonly<Record<DiffKind, number>>;
  /** Only items with a difference. */
  readonly items: DiffItem[];
};

type DiffDeps = {
  readonly streamLatestBodies: (webhookId: string, limit: number) => AsyncIterable<EventRecord>;
};

type Comparison = {
  readonly webhookId: string;
  readonly profile: string;
  /** Null: no version is active, so every success is new. */
  readonly active: CompiledMapping | null;
  readonly candidate: CompiledMapping;
  readonly region: string;
  readonly last: number;
};

const maxBytes = 33_554_432;
const maxItems = 1_000;

export function createDiff({ streamLatestBodies }: DiffDeps) {
  return async function diff(compared: Comparison): Promise<MappingDiff> {
    const counts = { same: 0, changed: 0, newlyFailing: 0, newlyPassing: 0 };
    const items: DiffItem[] = [];
    let bytes = 0;
    for await (const event of streamLatestBodies(compared.webhookId, compared.last)) {
      bytes += event.bodyBytes;
      if (bytes > maxBytes) break;
      for (const item of diffEvent(event, compared)) {
        counts[item.kind] += 1;
        if (item.kind !== 'same' && items.length < maxItems) items.push(item);
      }
      await turn();
    }
    return { counts, items };
  };
}

function diffEvent(event: EventRecord, compared: Comparison): DiffItem[] {
  const { delivery } = event;
  if (!delivery) return [];
  const { headers, query } = delivery;
  const payload = { body: storedValue(delivery, compared.profile), headers, query };
  const before = mappedBy(compared.active, payload, compared.region);
  const after = mappedBy(compared.candidate, payload, compared.region);
  const length = Math.max(before.length, after.length);
  const isSplit = [compared.active, compared.candidate].some((mapping) => mapping?.splits);
  return Array.from({ length }, (_, index) => ({
    eventId: event._id,
    externalId: event.externalId,
    item: isSplit ? index : null,
    ...diffEvents(before[index] ?? missing, after[index] ?? missing),
  }));
}

function mappedBy(
  mapping: CompiledMapping | null,
  payload: Payload,
  region: string,
): MappedEvent[] {
  return mapping ? previewMapping(mapping, payload, { defaultRegion: region }).items : [];
}

/** Result of a mapping that has no such item. */
const missing = emptyEvent({ problems: [], failure: 'item_missing' }, null);
