/** From a decoded delivery to a recorded event, live or held. */
import { systemClock, type Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { derivedId, sha256 } from '../base/ids.ts';
import type { InboundRequest, EventRecord } from '../domain/events/event.ts';
import { newEvent } from '../domain/events/new-event.ts';
import type { CountEvent } from '../domain/stats.ts';
import { receptionModeOf, type Webhook } from '../domain/webhooks/webhook.ts';
import type { CompiledMapping } from '../mapping/language/compile.ts';
import { readDedup } from '../mapping/evaluation/dedup-keys.ts';
import type { RecordEvent } from './recorder.ts';
import type { EffectiveMappings } from './effective-mappings.ts';

/** Recorded as an event, live or held. */
export type RecordedEvent = {
  readonly mode: 'event' | 'held';
  readonly eventId: string;
  readonly duplicate: boolean;
};

export type ReceiveResult = RecordedEvent | { readonly mode: 'sample' | 'handshake' };

/** The delivery with what the mapping sees of its body. */
export type DecodedRequest = { readonly delivery: InboundRequest; readonly body: unknown };

type Origin = { readonly receivedAt: Date; readonly sampleId?: string };

export type RecordEventDeps = {
  readonly mappings: EffectiveMappings;
  readonly record: RecordEvent;
  readonly clock?: Clock;
  readonly countEvent?: CountEvent;
};

export type TakeEvent = ReturnType<typeof createTakeEvent>;

export function createTakeEvent(deps: RecordEventDeps) {
  const { mappings, record, clock = systemClock, countEvent } = deps;

  /** Not async: while the record waits to be stored, nothing holds on to the decoded body. */
  return function takeEvent(
    webhook: Webhook,
    content: DecodedRequest,
    from: Origin,
  ): Promise<RecordedEvent> {
    const mode = receptionModeOf(webhook.status) === 'held' ? 'held' : 'event';
    return prepare(webhook, content, from)
      .then(record)
      .then((recorded) => {
        countEvent?.(webhook._id, 'received');
        if (recorded.duplicate) countEvent?.(webhook._id, 'duplicates');
        else if (mode === 'held') countEvent?.(webhook._id, 'held');
        return { mode, ...recorded };
      });
  };

  async function prepare(
    webhook: Webhook,
    content: DecodedRequest,
    from: Origin,
  ): Promise<EventRecord> {
    const effective = await mappings.of(webhook);
    if (Array.isArray(content.body) && !effective[0]?.splits) {
      throw new AppError('invalid_body', { internal: 'A list needs a mapping that splits.' });
    }
    return eventOf(webhook, content, { ...from, mappings: effective });
  }

  function eventOf(
    webhook: Webhook,
    { delivery, body }: DecodedRequest,
    from: Origin & { readonly mappings: readonly CompiledMapping[] },
  ): EventRecord {
    const { headers, query } = delivery;
    // A body that splits stands alone: its items have the event ids.
    const dedup = from.mappings[0]?.splits
      ? { externalId: null, keys: [] }
      : readDedup(from.mappings, { body, headers, query });
    return newEvent({
      ...(from.sampleId !== undefined && { _id: derivedId('sample', from.sampleId) }),
      webhookId: webhook._id,
      channelId: webhook.channelId,
      externalId: dedup.externalId,
      dedupKeys: dedup.keys,
      delivery,
      bodySha256: sha256(delivery.body),
      bodyBytes: delivery.body.length,
      mappingVersion: webhook.activeVersion ?? 0,
      maxAttempts: webhook.settings.retries?.maxAttempts,
      isHeld: receptionModeOf(webhook.status) === 'held',
      receivedAt: from.receivedAt,
      now: clock.now(),
    });
  }
}
