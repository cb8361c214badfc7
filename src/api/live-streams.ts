/**
 * Live streams of changed events, new samples and changed chats, with one watch of each for all subscribers. See store/db/tail.ts
 * for the guarantees.
 */
import type { Logger } from '../base/observability/logger.ts';
import type { ChatChange } from '../store/chats/watch-chats.ts';
import { matchesEvent, type EventFilter } from '../store/events/event-filter.ts';
import type { StateChange } from '../store/events/watch-events.ts';
import type { SampleInsert } from '../store/samples/sample-records.ts';
import type { Stores } from '../store/stores.ts';
import { createTail, type TailRequest } from '../store/db/tail.ts';

const eventItem = ({ token, at, event }: StateChange) => ({
  id: token,
  event: 'change',
  data: { at, event },
});

const sampleItem = ({ token, at, sample: { _id: id, receivedAt, source } }: SampleInsert) => ({
  id: token,
  event: 'sample',
  data: { at, sample: { id, receivedAt, source } },
});

const chatItem = ({ token, at, chat }: ChatChange) => ({
  id: token,
  event: 'change',
  data: { at, chat },
});

/** The stores that are watched. */
type Watched = {
  readonly logger: Logger;
  readonly events: Pick<Stores['events'], 'watch'>;
  readonly samples: Pick<Stores['samples'], 'watch'>;
  readonly inbox: Pick<Stores['inbox'], 'watchChats'>;
};

export type LiveStreams = ReturnType<typeof createLiveStreams>;

export function createLiveStreams({ events, samples, inbox, logger }: Watched) {
  const ofEvents = createTail({ logger, open: events.watch, shown: eventItem });
  const ofSamples = createTail({ logger, open: samples.watch, shown: sampleItem });
  const ofChats = createTail({ logger, open: inbox.watchChats, shown: chatItem });
  return {
    /** Subscribes to changes of matching events. Resolves when no later change can be missed. */
    watch: (filter: EventFilter, request: TailRequest) =>
      ofEvents(({ event }) => matchesEvent(filter, event), request),

    watchSamples: (webhookId: string, request: TailRequest) =>
      ofSamples(({ sample }) => sample.webhookId === webhookId, request),

    /** Subscribes to chats of the channels; all channels when undefined. */
    watchChats: (channelIds: readonly string[] | undefined, request: TailRequest) =>
      ofChats(
        ({ chat }) => chat === null || (channelIds?.includes(chat.channelId) ?? true),
        request,
      ),
  };
}
