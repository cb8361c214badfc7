/** Live streams of event changes and new samples. See store/db/tail.ts for the guarantees. */
import type { Logger } from '../../base/observability/logger.ts';
import type { EventStore } from '../../store/events/events.ts';
import { matchesEvent, type EventFilter } from '../../store/events/event-filter.ts';
import type { StateChange } from '../../store/events/watch-events.ts';
import type { SampleInsert } from '../../store/samples/sample-records.ts';
import type { SampleStore } from '../../store/samples/samples.ts';
import { createTail, type TailRequest } from '../../store/db/tail.ts';

type LiveDeps = {
  readonly events: Pick<EventStore, 'watch'>;
  readonly samples: Pick<SampleStore, 'watch'>;
  readonly logger: Logger;
};

const changeItem = ({ token, at, event }: StateChange) => ({
  id: token,
  event: 'change',
  data: { at, event },
});

const sampleItem = ({ token, at, sample: { _id: id, receivedAt, source } }: SampleInsert) => ({
  id: token,
  event: 'sample',
  data: { at, sample: { id, receivedAt, source } },
});

export type LiveEvents = ReturnType<typeof createLiveEvents>;

export function createLiveEvents({ events, samples, logger }: LiveDeps) {
  const ofEvents = createTail({ logger, open: events.watch, shown: changeItem });
  const ofSamples = createTail({ logger, open: samples.watch, shown: sampleItem });
  return {
    /** Subscribes to changes of matching events. Resolves when no later change can be missed. */
    watch: (filter: EventFilter, terms: TailRequest) =>
      ofEvents(({ event }) => matchesEvent(filter, event), terms),

    watchSamples: (webhookId: string, terms: TailRequest) =>
      ofSamples(({ sample }) => sample.webhookId === webhookId, terms),
  };
}
