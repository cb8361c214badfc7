/** Gathers what reading a set takes, and reads each event; a surprise in one is that event's alone. */
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/logger.ts';
import { createEventLoopYield } from '../../base/concurrency/yield-to-event-loop.ts';
import type { ObserveEvent } from '../../domain/mappings/drift.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { Producer } from '../../producers/producer.ts';
import type { EventStore } from '../../store/events/events.ts';
import { createContent, type DecodedBody } from './content.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { readEvent, type ReadResult, type ReadInput } from './read-event.ts';

export type ReadAll = (events: readonly EventRecord[]) => Promise<readonly ReadResult[]>;

type ReaderDeps = {
  readonly events: Pick<EventStore, 'getMany'>;
  readonly library: DefinitionCache;
  readonly producerOf: (profile: string) => Producer;
  readonly defaultRegion: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly observe?: ObserveEvent;
};

export function createReader(deps: ReaderDeps): ReadAll {
  const { library } = deps;

  return async function readAll(events) {
    const parents = await parentsOf(events);
    const asked = await Promise.all(
      events
        .toSorted(byParent)
        .map((event) => ask(event, parents.get(event.parentId ?? '') ?? null)),
    );
    const turn = createEventLoopYield(deps.clock);
    const readings: ReadResult[] = [];
    let last: { readonly holderId: string; readonly content: DecodedBody } | undefined;
    for (const { holder, producer, ...source } of asked) {
      if (last?.holderId !== holder._id)
        last = { holderId: holder._id, content: createContent(holder.delivery, producer) };
      readings.push(readSafely({ ...source, content: last.content }));
      await turn();
    }
    return readings;
  };

  async function ask(event: EventRecord, parent: EventRecord | null) {
    const webhook = await library.webhook(event.webhookId);
    return {
      event,
      webhook,
      channel: await library.channel(event.channelId),
      mapping: await library.mapping(event.webhookId, event.mappingVersion),
      /** Who has the body. */
      holder: parent ?? event,
      producer: deps.producerOf(webhook?.producerProfile ?? ''),
      splitBy: parent ? await library.mapping(event.webhookId, parent.mappingVersion) : null,
      defaultRegion: deps.defaultRegion,
      ...(deps.observe && { observe: deps.observe }),
    };
  }

  function readSafely(source: ReadInput): ReadResult {
    try {
      return readEvent(source);
    } catch (error) {
      deps.logger.error({ err: error, eventId: source.event._id }, 'event.read_failed');
      return {
        kind: 'ended',
        event: source.event,
        outcome: { kind: 'retry', reason: 'internal_error' },
      };
    }
  }

  async function parentsOf(events: readonly EventRecord[]) {
    const ids = new Set(events.flatMap(({ parentId }) => (parentId === null ? [] : [parentId])));
    const parents = ids.size === 0 ? [] : await deps.events.getMany([...ids]);
    return new Map(parents.map((parent) => [parent._id, parent]));
  }
}

/** Items of one body stand together, so that it is decoded once and only one is in memory. */
function byParent(a: EventRecord, b: EventRecord): number {
  const [left, right] = [a.parentId ?? '', b.parentId ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
