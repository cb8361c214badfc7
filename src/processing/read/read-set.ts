/** Reads the events of a set by their mappings. An unexpected error in one event is that event's alone. */
import type { Clock } from '../../base/clock.ts';
import { createEventLoopYield } from '../../base/concurrency/yield-to-event-loop.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { ObserveEvent } from '../../domain/mappings/drift.ts';
import type { StoredBodies } from '../../producers/stored-body.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { readEvent, type ReadInput, type ReadResult } from './read-event.ts';

export type ReadSetDeps = {
  readonly events: Pick<EventStore, 'getMany'>;
  readonly definitions: DefinitionCache;
  readonly bodies: StoredBodies;
  /** The region of phone numbers where the channel names none. */
  readonly defaultRegion: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly observe?: ObserveEvent;
};

/** Returns one result for each event, in another order. Throws errors of the store. */
export async function readSet(
  deps: ReadSetDeps,
  events: readonly EventRecord[],
): Promise<readonly ReadResult[]> {
  const parents = await parentsOf(deps, events);
  const found = await Promise.all(
    events
      .toSorted(byParent)
      .map((event) => findDefinitions(deps, event, parents.get(event.parentId ?? '') ?? null)),
  );
  const yieldToEventLoop = createEventLoopYield(deps.clock);
  const results: ReadResult[] = [];
  for (const { parent, ...input } of found) {
    const { event, webhook } = input;
    const profile = webhook?.producerProfile ?? '';
    const content = parent
      ? deps.bodies.readShared(parent._id, { delivery: parent.delivery, profile })
      : deps.bodies.read({ delivery: event.delivery, profile });
    results.push(readSafely(deps, { ...input, content }));
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
  return {
    event,
    parent,
    webhook: await definitions.webhook(webhookId),
    channel: await definitions.channel(channelId),
    mapping: await bodies.compiledMapping(webhookId, mappingVersion),
    splitBy: parent ? await bodies.compiledMapping(webhookId, parent.mappingVersion) : null,
    defaultRegion,
    ...(observe && { observe }),
  };
}

function readSafely({ logger }: ReadSetDeps, input: ReadInput): ReadResult {
  try {
    return readEvent(input);
  } catch (error) {
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
