/**
 * Fan-out: a body that holds many items becomes one event for each item.
 *
 * Promises: splitting it twice makes the same events, since their ids follow from the parent's id and the index. A known item
 * counts as a resend. An item that cannot be stored becomes a dead event, never a loss.
 */
import type { Clock } from '../base/clock.ts';
import { derivedIdAfter, sha256 } from '../base/ids.ts';
import type { RunWithDeadline } from '../base/process/deadline.ts';
import { createEventLoopYield } from '../base/concurrency/yield-to-event-loop.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { newEvent } from '../domain/events/new-event.ts';
import type { CompiledMapping } from '../mapping/language/compile.ts';
import { itemBudget } from '../mapping/evaluation/apply.ts';
import { readDedup } from '../mapping/evaluation/dedup-keys.ts';
import type { StoredBodies } from '../producers/stored-body.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';
import { insertItems, isStorable, type ItemResult } from '../store/events/items.ts';
import type { Tx } from '../store/sets/set-transaction.ts';
import type { ParentEvent } from './read/read-event.ts';
import type { HeldSet } from './sets/held-set.ts';
import { retryConflicts, type RetryDeps } from './sets/retry-conflicts.ts';
import type { Db } from '../store/db/connection.ts';
import { getWebhook } from '../store/webhooks/webhooks.ts';
import { versionsInGrace } from '../domain/webhooks/webhook.ts';

export type FanOutDeps = Db &
  RetryDeps & {
    readonly events: Pick<EventStore, 'countResends'>;
    readonly tx: Tx;
    readonly set: HeldSet;
    readonly queue: Pick<EventQueue, 'hint'>;
    readonly bodies: Pick<StoredBodies, 'compiledMapping'>;
    readonly clock: Clock;
    readonly withDeadline: RunWithDeadline;
    /** Resolves when the next items may be stored. */
    readonly onStep?: (step: 'items') => Promise<void>;
  };

/** Items of one transaction. */
const maxBatchItems = 100;

type Recipe = {
  readonly mappings: readonly CompiledMapping[];
  readonly maxAttempts: number | undefined;
  /** The state of a dead item that this body revives. */
  readonly revivedState: 'received' | 'held';
};

/** Stores the items of the parent as events and hints those to process. Throws `unavailable`, SetEnded and DeadlineExceeded. */
export async function fanOut(deps: FanOutDeps, parent: ParentEvent): Promise<void> {
  const recipe = await recipeFor(deps, parent.event);
  for (let first = 0; first < parent.items.length; first += maxBatchItems) {
    await deps.onStep?.('items');
    const children = await childrenOf(deps, parent, { first, recipe });
    hintEvents(deps.queue, await storeChildren(deps, parent, { children, recipe }));
  }
}

/** The mapping version of the parent first, then the versions whose dedup recipe is still in its grace period. */
async function recipeFor(
  deps: FanOutDeps,
  { webhookId, mappingVersion }: EventRecord,
): Promise<Recipe> {
  const { bodies, clock } = deps;
  // Not cached: a recipe whose grace period has just begun must not be missed.
  const webhook = await getWebhook(deps, webhookId);
  const inGrace = webhook ? versionsInGrace(webhook, clock.now()) : [];
  const versions = new Set([mappingVersion, ...inGrace]);
  const mappings = await Promise.all(
    [...versions].map((version) => bodies.compiledMapping(webhookId, version)),
  );
  return {
    mappings: mappings.filter((mapping) => mapping !== null),
    maxAttempts: webhook?.settings.retries?.maxAttempts,
    revivedState: webhook?.status === 'paused' ? 'held' : 'received',
  };
}

async function childrenOf(
  { clock, withDeadline }: Pick<FanOutDeps, 'clock' | 'withDeadline'>,
  parent: ParentEvent,
  { first, recipe }: { first: number; recipe: Recipe },
): Promise<EventRecord[]> {
  const yieldToEventLoop = createEventLoopYield(clock);
  const children: EventRecord[] = [];
  for (const [offset, item] of parent.items.slice(first, first + maxBatchItems).entries()) {
    // Null is no item. The others keep their indexes, by which their events find them.
    if (item === null) continue;
    const index = first + offset;
    const from = { ...recipe, item, index, now: clock.now() };
    children.push(withDeadline(() => childOf(parent, from)));
    await yieldToEventLoop();
  }
  return children;
}

type Hinted = { readonly _id: string; readonly webhookId: string };

/** Returns the events to process: new ones, and dead ones that this body revived. */
async function storeChildren(
  deps: FanOutDeps,
  { event }: ParentEvent,
  { children, recipe }: { readonly children: readonly EventRecord[]; readonly recipe: Recipe },
): Promise<readonly Hinted[]> {
  const parent = deps.set.event(event._id);
  if (!parent) return [];
  const storable = children.map((child) => (isStorable(child) ? child : deadItem(child)));
  const results: readonly ItemResult[] = await retryConflicts(deps, () =>
    deps.set.during(() => insertItems(deps.tx, { token: deps.set.token, parent, items: storable })),
  );
  const open: Hinted[] = [];
  for (const [index, child] of storable.entries()) {
    deps.set.require();
    const result = results[index];
    if (result === 'inserted' && child.open) open.push(child);
    // Counted after the transaction: a count that is lost is only a count.
    else if (result === 'known') open.push(...(await countResend(deps, child, recipe)));
  }
  return open;
}

async function countResend(
  { events }: FanOutDeps,
  child: EventRecord,
  { revivedState }: Recipe,
): Promise<readonly Hinted[]> {
  const resend = { ...child, dedupKeys: child.dedupKeys ?? [], revivedState };
  const [counted = null] = await events.countResends([resend]);
  if (counted instanceof Error) throw counted;
  if (!counted) throw new Error('A known item was gone before it could be counted.');
  const isOpen = counted.revived && revivedState === 'received';
  return isOpen ? [{ _id: counted.eventId, webhookId: child.webhookId }] : [];
}

/**
 * An item that can never be stored is a dead event, so that it does not keep the others from being stored. Leaves out what may be
 * unstorable, but keeps the dedup keys, so that a resend finds and revives the event.
 */
function deadItem({ open: _open, ...child }: EventRecord): EventRecord {
  const reason = 'item_unstorable';
  const [{ at }] = child.timeline as [EventRecord['timeline'][number]];
  return {
    ...child,
    externalId: null,
    state: 'dead',
    reason,
    nextAt: null,
    finishedAt: at,
    timeline: [{ at, state: 'dead', reason }],
  };
}

function childOf(
  { event, payload, items }: ParentEvent,
  from: Recipe & { readonly item: unknown; readonly index: number; readonly now: Date },
): EventRecord {
  const { externalId, keys } = readDedup(from.mappings, payload, {
    item: from.item,
    budget: itemBudget(items.length),
  });
  const text = JSON.stringify(from.item) ?? '';
  return newEvent({
    _id: derivedIdAfter(event._id, from.index, 'item'),
    webhookId: event.webhookId,
    channelId: event.channelId,
    externalId,
    dedupKeys: event.test ? [] : keys,
    test: event.test,
    delivery: null,
    trace: event.trace,
    bodySha256: sha256(text),
    bodyBytes: Buffer.byteLength(text),
    parentId: event._id,
    itemIndex: from.index,
    mappingVersion: event.mappingVersion,
    maxAttempts: from.maxAttempts,
    isHeld: false,
    receivedAt: event.receivedAt,
    now: from.now,
  });
}
