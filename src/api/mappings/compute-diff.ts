/**
 * Compares a candidate mapping with the active version over stored events, in the thread of computations.
 *
 * Promises: no effects. Limited in work; the caller limits events and bytes.
 */
import type { Diff, DiffKind } from '../../domain/mappings/mapping-diff.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { charge, WorkBudgetExceeded } from '../../mapping/expressions/work-budget.ts';
import type { WorkBudget } from '../../mapping/expressions/work-budget.ts';
import { emptyEvent } from '../../mapping/evaluation/apply.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import { diffEvents } from '../../mapping/evaluation/diff-events.ts';
import { mapItems } from '../../mapping/evaluation/map-items.ts';
import { jsonCharactersPerUnit } from '../../mapping/work-limits.ts';
import { storedValue } from '../../producers/stored-body.ts';
import { receiveRequest } from '../samples/payload.ts';
import { compileWithin } from './compile-or-reject.ts';

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

export type DiffedEvent = Pick<EventRecord, 'externalId' | 'delivery' | 'bodyBytes'> & {
  readonly eventId: string;
};

type DiffTask = {
  readonly profile: string;
  /** Null: no version is active, so every success is new. */
  readonly active: unknown;
  readonly candidate: unknown;
  readonly region: string;
  /** Newest first. */
  readonly events: readonly DiffedEvent[];
};

type Comparison = {
  readonly profile: string;
  readonly active: CompiledMapping | null;
  readonly candidate: CompiledMapping;
  readonly region: string;
};

const maxItems = 1_000;

const workPerCharacter = 1;

/** Compares as many events as the work of the request allows; at least in part the first. Throws `invalid_mapping`. */
export function computeDiff(
  { profile, active, candidate, region, events }: DiffTask,
  budget: WorkBudget,
): MappingDiff {
  const compared = {
    profile,
    candidate: compileWithin(budget, candidate),
    active: active === null ? null : compileWithin(budget, active),
    region,
  };
  const found = {
    counts: { same: 0, changed: 0, newlyFailing: 0, newlyPassing: 0 },
    items: [],
  };
  try {
    for (const event of events) compareEvent(event, { ...compared, budget }, found);
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded)) throw error;
  }
  return found;
}

function compareEvent(
  event: DiffedEvent,
  { budget, ...compared }: Comparison & { readonly budget: WorkBudget },
  { counts, items }: MappingDiff & { counts: Record<DiffKind, number> },
): void {
  charge(budget, event.bodyBytes / jsonCharactersPerUnit);
  for (const item of diffEvent(event, compared, budget)) {
    counts[item.kind] += 1;
    if (item.kind === 'same' || items.length >= maxItems) continue;
    charge(budget, charactersOf(item) * workPerCharacter);
    items.push(item);
  }
}

const charactersOf = ({ changes }: Diff): number =>
  changes.reduce(
    (sum, { target, before, after }) =>
      sum + target.length + (before?.length ?? 0) + (after?.length ?? 0),
    0,
  );

function* diffEvent(
  event: DiffedEvent,
  { active, candidate, profile, region }: Comparison,
  budget: WorkBudget,
): Generator<DiffItem> {
  const { delivery } = event;
  if (!delivery) return;
  const { headers, query } = delivery;
  const payload = { body: storedValue(receiveRequest(delivery), profile), headers, query };
  const options = { defaultRegion: region, tracing: false, budget };
  const itemsOf = (mapping: CompiledMapping | null) =>
    mapping ? mapItems(mapping, payload, options) : [][Symbol.iterator]();
  const [before, after] = [itemsOf(active), itemsOf(candidate)];
  const isSplit = [active, candidate].some((mapping) => mapping?.splits);
  for (let index = 0; ; index += 1) {
    const [old, now] = [before.next(), after.next()];
    if (old.done && now.done) return;
    yield {
      eventId: event.eventId,
      externalId: event.externalId,
      item: isSplit ? index : null,
      ...diffEvents(old.value?.event ?? missing, now.value?.event ?? missing),
    };
  }
}

/** Result of a mapping that has no such item. */
const missing = emptyEvent({ problems: [], failure: 'item_missing' }, null);
