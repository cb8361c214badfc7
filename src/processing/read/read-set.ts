/**
 * Reads the events of a set by their mappings. An unexpected error in one event is that event's alone.
 *
 * Promises: no event is dead because the webhook or channel that it was read by was changed and the cache did not know it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { createEventLoopYield } from '../../base/concurrency/yield-to-event-loop.ts';
import { DeadlineExceeded, type RunWithDeadline } from '../../base/process/deadline.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { ObserveEvent } from '../../domain/mappings/drift.ts';
import type { StoredBodies, StoredBody } from '../../producers/stored-body.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { dead, readEvent, type ReadInput, type ReadResult } from './read-event.ts';

export type ReadSetDeps = {
  readonly events: Pick<EventStore, 'getMany'>;
  readonly definitions: DefinitionCache;
  readonly bodies: StoredBodies;
  /** The region of phone numbers where the channel names none. */
  readonly defaultRegion: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly observe?: ObserveEvent;
  /** Reads an event that may have hung its worker before; others are read without a deadline. */
  readonly withDeadline: RunWithDeadline;
};

/** Returns one result for each event, in another order. Throws errors of the store. */
export async function readSet(
  deps: ReadSetDeps,
  events: readonly EventRecord[],
): Promise<readonly ReadResult[]> {
  const parents = await parentsOf(deps, events);
  const find = (event: EventRecord) =>
    findDefinitions(deps, event, parents.get(event.parentId ?? '') ?? null);
  const found = await Promise.all(events.toSorted(byParent).map(find));
  const results = await readAll(deps, found);
  const dead = found.filter((_one, index) => isDead(results[index]));
  if (dead.length === 0) return results;
  deps.definitions.forget(dead.map(({ event }) => event));
  const current = await Promise.all(dead.map(({ event }) => find(event)));
  const changed = current.filter((one, index) => !isSame(one, dead[index]));
  if (changed.length === 0) return results;
  const isChanged = new Set(changed.map(({ event }) => event._id));
  return [
    ...results.filter((_result, index) => !isChanged.has(found[index]?.event._id ?? '')),
    ...(await readAll(deps, changed)),
  ];
}

const isDead = (result: ReadResult | undefined): boolean =>
  result?.kind === 'ended' && result.outcome.kind === 'dead';

type Found = Awaited<ReturnType<typeof findDefinitions>>;

const isSame = ({ webhook, channel }: Found, before: Found | undefined): boolean =>
  isDeepStrictEqual([webhook, channel], [before?.webhook, before?.channel]);

/** Returns the results in the order given. */
async function readAll(deps: ReadSetDeps, found: readonly Found[]): Promise<ReadResult[]> {
  const yieldToEventLoop = createEventLoopYield(deps.clock);
  const results: ReadResult[] = [];
  for (const { parent, ...input } of found) {
    const { event, webhook } = input;
    const profile = webhook?.producerProfile ?? '';
    const content = parent
      ? deps.bodies.readShared(parent._id, { delivery: parent.delivery, profile })
      : deps.bodies.read({ delivery: event.delivery, profile });
    // Decoding and mapping may each take as long as the event loop may be blocked.
    const undecoded = decodeSafely(deps, event, content);
    await yieldToEventLoop();
    results.push(undecoded ?? readSafely(deps, { ...input, content }));
    await yieldToEventLoop();
  }
  return results;
}

async function findDefinitions(
  { definitions, bodies, defaultRegion, observe }: ReadSetDeps,
  event: EventRecord,
  parent: EventRecord | null,
) {
  const { webhookId, channelId, mappingVersion } = event;
  // Together: of a webhook that nothing was read of lately, each is a read.
  const [webhook, channel, mapping, splitBy] = await Promise.all([
    definitions.webhook(webhookId),
    definitions.channel(channelId),
    bodies.compiledMapping(webhookId, mappingVersion),
    parent ? bodies.compiledMapping(webhookId, parent.mappingVersion) : null,
  ]);
  const found = { event, parent, webhook, channel, mapping, splitBy, defaultRegion };
  return { ...found, ...(observe && { observe }) };
}

/** Decodes the body, which is then known. Returns a result only when that exceeds the deadline. */
function decodeSafely(
  { withDeadline }: ReadSetDeps,
  event: EventRecord,
  content: StoredBody,
): ReadResult | null {
  try {
    withDeadline(() => content.payload());
  } catch (error) {
    if (error instanceof DeadlineExceeded) return dead(event, 'too_much_work');
    // Another error is met again, and reported, when the event is read.
  }
  return null;
}

function readSafely({ logger, withDeadline }: ReadSetDeps, input: ReadInput): ReadResult {
  try {
    return withDeadline(() => readEvent(input));
  } catch (error) {
    if (error instanceof DeadlineExceeded) return dead(input.event, 'too_much_work');
    logger.error({ err: error, eventId: input.event._id }, 'event.read_failed');
    return {
      kind: 'ended',
      event: input.event,
      outcome: { kind: 'retry', reason: 'internal_error' },
    };
  }
}

async function parentsOf(
  { events: store }: ReadSetDeps,
  events: readonly EventRecord[],
): Promise<ReadonlyMap<string, EventRecord>> {
  const ids = new Set(events.flatMap(({ parentId }) => (parentId === null ? [] : [parentId])));
  const parents = ids.size === 0 ? [] : await store.getMany([...ids]);
  return new Map(parents.map((parent) => [parent._id, parent]));
}

/** The items of one body are read one after another, so that it is decoded once. */
function byParent(a: EventRecord, b: EventRecord): number {
  const [left, right] = [a.parentId ?? '', b.parentId ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
