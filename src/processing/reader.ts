/** Gathers what reading a set takes, and reads each event; a surprise in one is that event's alone. */
import type { Logger } from '../base/logger.ts';
import type { EventRecord } from '../domain/event.ts';
import type { Producer } from '../producers/producer.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Observe } from './gather.ts';
import type { Library } from './library.ts';
import { readEvent, type Reading } from './read.ts';

export type ReadAll = (events: readonly EventRecord[]) => Promise<readonly Reading[]>;

type ReaderDeps = {
  readonly events: Pick<EventStore, 'getMany'>;
  readonly library: Library;
  readonly producerOf: (profile: string) => Producer;
  readonly defaultRegion: string;
  readonly logger: Logger;
  readonly observe?: Observe;
};

export function createReader(deps: ReaderDeps): ReadAll {
  const { library } = deps;
  return async function readAll(events) {
    const parents = await parentsOf(events);
    return Promise.all(
      events.map(async (event) => {
        const parent = event.parentId === null ? null : parents.get(event.parentId);
        const webhook = await library.webhook(event.webhookId);
        return readSafely({
          event,
          webhook,
          channel: await library.channel(event.channelId),
          mapping: await library.mapping(event.webhookId, event.mappingVersion),
          delivery: (parent ?? event).delivery,
          splitBy: parent ? await library.mapping(event.webhookId, parent.mappingVersion) : null,
          producer: deps.producerOf(webhook?.producerProfile ?? ''),
          defaultRegion: deps.defaultRegion,
          ...(deps.observe && { observe: deps.observe }),
        });
      }),
    );
  };

  function readSafely(source: Parameters<typeof readEvent>[0]): Reading {
    try {
      return readEvent(source);
    } catch (error) {
      deps.logger.error({ err: error, eventId: source.event._id }, 'read.unforeseen');
      return {
        kind: 'ended',
        event: source.event,
        outcome: { kind: 'retry', reason: 'unforeseen' },
      };
    }
  }

  async function parentsOf(events: readonly EventRecord[]) {
    const ids = new Set(events.flatMap(({ parentId }) => (parentId === null ? [] : [parentId])));
    const parents = ids.size === 0 ? [] : await deps.events.getMany([...ids]);
    return new Map(parents.map((parent) => [parent._id, parent]));
  }
}
