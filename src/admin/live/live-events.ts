/** Live streams of event changes and new samples. See tail.ts for the guarantees. */
import type { Logger } from '../../base/observability/logger.ts';
import type { EventStore } from '../../store/events/events.ts';
import { matchesEvent, type EventFilter } from '../../store/event-queries/event-filter.ts';
import type { StateChange } from '../../store/event-queries/watch-events.ts';
import type { SampleInsert } from '../../store/samples/watch-samples.ts';
import type { SampleStore } from '../../store/samples/samples.ts';
import { presentEvent } from '../events/events.ts';
import { createTail, type TailTerms } from './tail.ts';

export type LiveDeps = {
  readonly events: Pick<EventStore, 'watch'>;
  readonly samples: Pick<SampleStore, 'watch'>;
  readonly logger: Logger;
  /** Maximum number of items that wait for one subscriber. */
  readonly maxWaiting?: number;
};

const shownChange = ({ token, at, event }: StateChange) => ({
  id: token,
  event: 'change',
  data: { at: at.toISOString(), event: presentEvent(event) },
});

const shownSample = ({ token, at, sample: { _id: id, receivedAt, source } }: SampleInsert) => ({
  id: token,
  event: 'sample',
  data: { at: at.toISOString(), sample: { id, receivedAt: receivedAt.toISOString(), source } },
});

export function createLive({ events, samples, logger, maxWaiting }: LiveDeps) {
  const bounds = { logger, maxWaiting };
  const ofEvents = createTail({ ...bounds, open: events.watch, shown: shownChange });
  const ofSamples = createTail({ ...bounds, open: samples.watch, shown: shownSample });
  return {
    /** Subscribes to changes of matching events. Resolves when no later change can be missed. */
    watch: (filter: EventFilter, terms: TailTerms) =>
      ofEvents(({ event }) => matchesEvent(filter, event), terms),

    /** Subscribes to new samples of a webhook. */
    watchSamples: (webhookId: string, terms: TailTerms) =>
      ofSamples(({ sample }) => sample.webhookId === webhookId, terms),
  };
}
