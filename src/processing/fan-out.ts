/**
 * Fan-out: a body that holds many items becomes one event for each item.
 *
 * Promises: doing it twice makes the same children, since their ids follow from the parent's and the index; an item
 * that is known already counts as a resend; one that cannot be stored becomes a dead child, never a loss.
 */
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { derivedId, sha256 } from '../base/ids.ts';
import { createEventLoopYield } from '../base/concurrency/yield-to-event-loop.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { newEvent } from '../domain/events/new-event.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { CompiledMapping } from '../mapping/language/compile.ts';
import { readDedup } from '../mapping/evaluation/dedup-keys.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import { isBsonError } from '../store/db/errors.ts';
import type { EventStore } from '../store/events/events.ts';
import type { InsertResult } from '../store/events/record-events.ts';
import type { Lease } from './claim/lease.ts';
import type { DefinitionCache } from './read/definition-cache.ts';
import type { ParentEvent } from './read/read-event.ts';

export type FanOutDeps = {
  readonly events: Pick<EventStore, 'insert' | 'countResend'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly library: Pick<DefinitionCache, 'mapping'>;
  /** Asked anew for each parent: a recipe whose overlap has just begun must not be missed. */
  readonly webhooks: { get(id: string): Promise<Webhook | null> };
  readonly clock: Clock;
};

export type FanOut = (parent: ParentEvent, lease: Lease) => Promise<void>;

/** Items for one insert; between two the lease is asked for. */
const itemsAtOnce = 100;

type Recipe = {
  readonly mappings: readonly CompiledMapping[];
  readonly maxAttempts: number | undefined;
  /** Where a dead item goes that this body revives. */
  readonly revivedState: 'received' | 'held';
};

export function createFanOut(deps: FanOutDeps): FanOut {
  const { events, queue, library, webhooks, clock } = deps;
  const insert = createInsertChildren(deps);

  return async function fanOut(parent, lease) {
    const recipe = await recipeFor(parent.event);
    for (let from = 0; from < parent.items.length; from += itemsAtOnce) {
      const children = await childrenOf(parent, { from, recipe });
      hintEvents(queue, await store(children, { lease, recipe }));
    }
  };

  /** The parent's version first, and what else the webhook recognises resends by. */
  async function recipeFor({ webhookId, mappingVersion }: EventRecord): Promise<Recipe> {
    const webhook = await webhooks.get(webhookId);
    const overlaps = (webhook?.overlaps ?? []).filter(({ until }) => until > clock.now());
    const versions = new Set([mappingVersion, ...overlaps.map(({ version }) => version)]);
    const mappings = await Promise.all(
      [...versions].map((version) => library.mapping(webhookId, version)),
    );
    return {
      mappings: mappings.filter((mapping) => mapping !== null),
      maxAttempts: webhook?.settings.retries?.maxAttempts,
      revivedState: webhook?.status === 'paused' ? 'held' : 'received',
    };
  }

  async function childrenOf(
    parent: ParentEvent,
    { from, recipe }: { from: number; recipe: Recipe },
  ): Promise<EventRecord[]> {
    const turn = createEventLoopYield(clock);
    const children: EventRecord[] = [];
    for (const [offset, item] of parent.items.slice(from, from + itemsAtOnce).entries()) {
      const index = from + offset;
      children.push(childOf(parent, { ...recipe, item, index, now: clock.now() }));
      await turn();
    }
    return children;
  }

  /** Returns those that are to be looked at: new ones, and dead ones that live again. */
  async function store(
    children: readonly EventRecord[],
    { lease, recipe }: { lease: Lease; recipe: Recipe },
  ) {
    lease.require();
    const results = await insert(children);
    const awake: { _id: string; webhookId: string }[] = [];
    for (const [index, child] of children.entries()) {
      const result = results[index];
      lease.require();
      if (result === 'inserted') awake.push(child);
      else if (result === 'known') awake.push(...(await resend(child, recipe)));
      // Whatever the database has against it now, it may take later: the whole body is split again.
      else if (result instanceof Error) throw new AppError('unavailable', { cause: result });
    }
    return awake;
  }

  async function resend(child: EventRecord, { revivedState }: Recipe) {
    const counted = await events.countResend({
      ...child,
      dedupKeys: child.dedupKeys ?? [],
      revivedState,
    });
    if (!counted) throw new Error('A known item was gone before it could be counted.');
    const isAwake = counted.revived && revivedState === 'received';
    return isAwake ? [{ _id: counted.eventId, webhookId: child.webhookId }] : [];
  }
}

/** Inserts children; one that can never be written is buried, so that its neighbours are not kept waiting. */
function createInsertChildren({ events, clock }: Pick<FanOutDeps, 'events' | 'clock'>) {
  return insert;

  async function insert(children: readonly EventRecord[]): Promise<InsertResult[]> {
    try {
      return await events.insert(children);
    } catch (error) {
      if (!isBsonError(error)) throw error;
      const [only, ...others] = children;
      if (only && others.length === 0) return [await bury(only)];
      const apart: InsertResult[] = [];
      for (const child of children) apart.push(...(await insert([child])));
      return apart;
    }
  }

  /** Without what may have made it unstorable, but with its keys, so that a resend meets and revives it. */
  async function bury({ open: _open, ...child }: EventRecord): Promise<InsertResult> {
    const reason = 'item_unstorable';
    const at = clock.now();
    const [result = 'same'] = await events.insert([
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
    return result === 'inserted' ? 'same' : result;
  }
}

function childOf(
  { event, payload }: ParentEvent,
  from: Recipe & { readonly item: unknown; readonly index: number; readonly now: Date },
): EventRecord {
  const { externalId, keys } = readDedup(from.mappings, payload, from.item);
  const text = JSON.stringify(from.item) ?? '';
  return newEvent({
    _id: derivedId('item', event._id, String(from.index)),
    webhookId: event.webhookId,
    channelId: event.channelId,
    externalId,
    dedupKeys: event.test ? [] : keys,
    test: event.test,
    delivery: null,
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
