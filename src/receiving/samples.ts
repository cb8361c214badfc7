/** Turns kept samples into events, each once however often it is asked; tells how many were new. */
import { AppError } from '../base/errors.ts';
import type { InboundRequest } from '../domain/events/event.ts';
import type { Sample, Webhook } from '../domain/webhooks/webhook.ts';
import type { Producer } from '../producers/producer.ts';
import type { TakeEvent } from './record-event.ts';

type Deps = {
  readonly producerOf: (profile: string) => Producer;
  readonly takeEvent: TakeEvent;
};

export function createRecordSamples({ producerOf, takeEvent }: Deps) {
  return async function recordSamples(kept: readonly Sample[], webhook: Webhook): Promise<number> {
    const producer = producerOf(webhook.producerProfile);
    const results = await Promise.all(
      kept.map(async (sample) => {
        const { _id: sampleId, receivedAt, contentType, headers, query, body: raw } = sample;
        // It is one already.
        if (sample.eventId) return false;
        const delivery: InboundRequest = { body: raw, contentType, headers, query };
        const decoded = producer.decodeBody({ contentType, body: raw });
        if (!decoded.ok) return false;
        if (producer.isPing?.({ body: decoded.value, headers, query })) return false;
        const content = { delivery, body: decoded.value };
        const taken = await takeEvent(webhook, content, { receivedAt, sampleId }).catch(
          refusedAsList,
        );
        return taken !== null && !taken.duplicate;
      }),
    );
    return results.filter(Boolean).length;
  };
}

/** A sample that is a list stays a sample when the mapping does not split. */
function refusedAsList(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid_body') return null;
  throw error;
}
