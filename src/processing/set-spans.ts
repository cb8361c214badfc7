/**
 * Spans of a set: one for the set, linked to the traces of its events, and one for each event in its own trace.
 *
 * Promises: an event without a stored trace, or whose trace this process does not sample, has no span. A set has one when one
 * of its events has.
 */
import {
  decodeContext,
  noSpan,
  type Span,
  type SpanReference,
  type Tracing,
} from '../base/observability/tracing.ts';
import { reasonCode } from '../domain/events/outcome.ts';
import { processEventsQueue } from '../queue/process-events.ts';
import type { Finish } from '../store/events/outcomes.ts';
import type { TakenEvent } from '../store/sets/sets.ts';

export type SetSpans = {
  /** The events to process. What they cause, items and deliveries, continues their spans. */
  readonly events: readonly TakenEvent[];
  /** Ends the spans of events whose outcomes were written. */
  finished(finishes: readonly Finish[]): void;
  /** Ends the other spans: their events have no outcome. */
  end(): void;
};

export function startSetSpans(tracing: Tracing, claimed: readonly TakenEvent[]): SetSpans {
  if (!tracing.isOn) return { events: claimed, finished() {}, end() {} };
  const spans = new Map<string, Span>();
  const links: SpanReference[] = [];
  const events = claimed.map((event) => {
    const from = decodeContext(event.trace);
    if (!from) return event;
    const span = tracing.start('process event', { kind: 'consumer', parent: event.trace });
    if (span.context === null) return event;
    describeEvent(span, event);
    spans.set(event._id, span);
    links.push(from);
    return { ...event, trace: span.context };
  });
  const set = startSetSpan(tracing, { links, events: claimed.length });
  if (set.context) for (const span of spans.values()) span.link(set.context);

  return {
    events,
    finished(finishes) {
      for (const { event, outcome } of finishes) {
        const span = spans.get(event._id);
        if (!span) continue;
        spans.delete(event._id);
        endEvent(span, outcome);
      }
    },
    end() {
      for (const span of spans.values()) endEvent(span, { kind: 'unfinished' });
      set.end();
    },
  };
}

type Linked = { readonly links: readonly SpanReference[]; readonly events: number };

/** Its sampling was decided with the events that it is linked to. */
function startSetSpan(tracing: Tracing, { links, events }: Linked): Span {
  if (links.length === 0) return noSpan;
  const span = tracing.start('process set', { kind: 'consumer', links, isSampled: true });
  describeProcessing(span, 'process set');
  span.set('messaging.batch.message_count', events);
  return span;
}

function describeEvent(span: Span, { _id, webhookId, attempts }: TakenEvent): void {
  describeProcessing(span, 'process event');
  span.set('inlet.event.id', _id);
  span.set('inlet.webhook.id', webhookId);
  span.set('inlet.attempt', attempts);
}

function describeProcessing(span: Span, name: 'process set' | 'process event'): void {
  span.set('messaging.system', 'bullmq');
  span.set('messaging.destination.name', processEventsQueue);
  span.set('messaging.operation.name', name);
  span.set('messaging.operation.type', 'process');
}

type Ended = { readonly kind: string; readonly reason?: string };

function endEvent(span: Span, { kind, reason }: Ended): void {
  span.set('inlet.outcome', kind);
  if (reason !== undefined) span.set('inlet.reason', reasonCode(reason));
  if (kind === 'dead' || kind === 'retry') span.fail();
  span.end();
}
