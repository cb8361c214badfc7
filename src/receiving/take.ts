/** From a decoded delivery to a recorded event, live or held. */
import { systemClock, type Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { derivedId, sha256 } from '../base/ids.ts';
import type { Delivery, EventRecord } from '../domain/event.ts';
import { newEvent } from '../domain/recording.ts';
import { receptionOf, type Webhook } from '../domain/webhook.ts';
import type { CompiledMapping } from '../mapping/compile.ts';
import { dedupOf } from '../mapping/dedup.ts';
import type { RecordEvent } from './record.ts';
import type { Recipes } from './recipes.ts';

/** Recorded as an event, live or held. */
export type Recording = {
  readonly mode: 'event' | 'held';
  readonly eventId: string;
  readonly duplicate: boolean;
};

export type Received = Recording | { readonly mode: 'sample' | 'handshake' };

/** The delivery with what the mapping sees of its body. */
export type Content = { readonly delivery: Delivery; readonly body: unknown };

type Origin = { readonly receivedAt: Date; readonly sampleId?: string };

export type TakeEventDeps = {
  readonly recipes: Recipes;
  readonly record: RecordEvent;
  readonly clock?: Clock;
};

export type TakeEvent = ReturnType<typeof createTakeEvent>;

export function createTakeEvent({ recipes, record, clock = systemClock }: TakeEventDeps) {
  return async function takeEvent(
    webhook: Webhook,
    content: Content,
    from: Origin,
  ): Promise<Recording> {
    const mappings = await reachable(recipes.of(webhook));
    if (Array.isArray(content.body) && !mappings[0]?.splits) {
      throw new AppError('invalid_body', { internal: 'A list needs a mapping that splits.' });
    }
    const recorded = await record(eventOf(webhook, content, { ...from, mappings }));
    return { mode: receptionOf(webhook.status) === 'held' ? 'held' : 'event', ...recorded };
  };

  function eventOf(
    webhook: Webhook,
    { delivery, body }: Content,
    from: Origin & { readonly mappings: readonly CompiledMapping[] },
  ): EventRecord {
    const { headers, query } = delivery;
    // A body that splits stands alone: its items have the event ids.
    const dedup = from.mappings[0]?.splits
      ? { externalId: null, keys: [] }
      : dedupOf(from.mappings, { body, headers, query });
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
      isHeld: receptionOf(webhook.status) === 'held',
      receivedAt: from.receivedAt,
      now: clock.now(),
    });
  }
}

/** What the database could not do now is `unavailable` to the sender, whatever its reason. */
export async function reachable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', { retryAfterMs: 5_000, cause: error });
  }
}
